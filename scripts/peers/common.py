"""What several parts use: the launcher, and benchmarks as folders."""

import json
import os
import subprocess
import sys


def posbias(*arguments):
    """Runs posbias; ends this program with what it printed if it fails."""
    command = [os.environ["POSBIAS"], *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"peers: {' '.join(command)}\n{done.stdout}")


def benchmark(folder, corpus, queries, qrels, language="en"):
    """Writes a benchmark: texts by identifier, grades by passage by query; returns its folder."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "dataset.yaml").write_text(f"name: {folder.name}\nlanguage: {language}\n")
    for name, texts in (("corpus", corpus), ("queries", queries)):
        with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps({"_id": key, "text": text}) + "\n" for key, text in texts.items())
    with open(folder / "qrels" / "test.tsv", "w", encoding="utf-8") as lines:
        lines.write("query-id\tcorpus-id\tscore\n")
        lines.writelines(f"{query}\t{passage}\t{grade}\n" for query, graded in qrels.items() for passage, grade in graded.items())
    return folder
