"""Times short commands of clones of posbias and of Java, by turns, and prints medians and their ratios to 'java -version':
short.py CLONE.. The clones are built first: scripts/posbias --version."""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TURNS = 10
JAVA = os.environ.get("POSBIAS_JAVA") or shutil.which("java")


def commands(results):
    evaluation = ["eval", "--model", "bm25", "--dataset", "demo", "--results", results]
    return {
        "--version": ["--version"],
        "--help": ["--help"],
        "eval --help": ["eval", "--help"],
        "models list": ["models", "list"],
        "finished": evaluation,
        "new": [*evaluation, "--overwrite"],
    }


def seconds(words):
    start = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main(clones):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["POSBIAS_HOME"] = f"{folder}/home"
        programs = {clone: str(pathlib.Path(clone, "scripts", "posbias").resolve()) for clone in clones}
        times = {}
        for turn in range(-1, TURNS):  # the first warms the files
            rows = {("java", "-version"): [JAVA, "-version"]}
            for number, (clone, program) in enumerate(programs.items()):
                for name, words in commands(f"{folder}/{number}").items():
                    rows[clone, name] = [program, *words]
            for key, words in rows.items():
                took = seconds(words)
                if turn >= 0:
                    times.setdefault(key, []).append(took)
        java = statistics.median(times["java", "-version"])
        for (clone, name), took in times.items():
            median = statistics.median(took)
            print(f"{clone}\t{name}\t{median:.2f} s\t{median / java:.1f}")


main(sys.argv[1:] or [str(pathlib.Path(__file__).resolve().parents[2])])
