#!/usr/bin/env python3
"""Makes a benchmark of MS MARCO's documents and queries whose evidence is known: the passage that the passage task judges relevant.

    scripts/msmarco_pairs.py --docs msmarco-docs.tsv.gz --doc-qrels msmarco-docdev-qrels.tsv.gz --queries msmarco-docdev-queries.tsv.gz \\
        --passages collection.tar.gz --passage-qrels qrels.dev.tsv --out pairs
    posbias diagnose moving --model my.yaml --dataset pairs --with-published

The corpus is of the relevant documents alone, so that it is a set of pairs and no benchmark of search. A document whose text does not
hold the passage, white space aside, is left out and counted. Files are read plain, as .gz, or as the .tar.gz in which they come.
Exit code 0: written; 1: no pair was found; 2: wrong arguments.
"""

import argparse
import gzip
import io
import json
import re
import sys
import tarfile
from pathlib import Path


def lines(path):
    """Yields the lines of a file, cut at tabs."""
    if path.endswith((".tar.gz", ".tgz")):
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and member.name.endswith(".tsv"):
                    for line in io.TextIOWrapper(archive.extractfile(member), "utf-8", newline="\n"):
                        yield line.rstrip("\n").split("\t")
        return
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def judged(path):
    """Returns the relevant identifiers of each query, in the order of the file."""
    relevant = {}
    for row in lines(path):
        query, _, text, grade = row if len(row) == 4 else row[0].split()
        if int(grade) > 0:
            relevant.setdefault(query, []).append(text)
    return relevant


def span(passage, document):
    """Returns where a document has a passage, in code points, white space aside; None if nowhere or in several places."""
    words = passage.split()
    found = list(re.finditer(r"\s+".join(map(re.escape, words)), document)) if words else []
    return found[0].span() if len(found) == 1 else None


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name, what in {
        "docs": "docid, url, title, body",
        "doc-qrels": "query, 0, docid, grade",
        "queries": "query, text",
        "passages": "pid, text",
        "passage-qrels": "query, 0, pid, grade",
    }.items():
        parser.add_argument(f"--{name}", required=True, metavar="FILE", help=f"columns {what}")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="a new folder")
    given = parser.parse_args(arguments)
    out = Path(given.out)
    if out.exists():
        parser.error(f"{out} is there already")

    documents, passages = judged(given.doc_qrels), judged(given.passage_qrels)
    both = [query for query in documents if query in passages]
    wanted = {text for query in both for text in passages[query]}
    texts = {row[0]: row[1] for row in lines(given.passages) if row[0] in wanted}
    wanted = {text for query in both for text in documents[query]}
    bodies = {row[0]: (row[2], row[3]) for row in lines(given.docs) if row[0] in wanted}
    questions = dict(lines(given.queries))

    queries, corpus = [], {}
    for query in both:
        # The first document that holds one of the passages.
        places = (
            (document, span(texts[passage], bodies[document][1]))
            for document in documents[query]
            for passage in passages[query]
            if document in bodies and passage in texts
        )
        document, place = next(((document, place) for document, place in places if place), (None, None))
        if place and query in questions:
            title, body = bodies[document]
            corpus[document] = {"_id": document, "title": title, "text": body}
            queries.append((document, {"_id": query, "text": questions[query], "pos_char_span": list(place)}))
    print(f"{len(queries)} pairs; {len(both) - len(queries)} of {len(both)} queries left out: no document holds the passage, or twice")
    if not queries:
        return 1

    (out / "qrels").mkdir(parents=True)
    (out / "dataset.yaml").write_text("name: msmarco-pairs\nlanguage: en\n", encoding="utf-8")
    write(out / "corpus.jsonl", corpus.values())
    write(out / "queries.jsonl", (row for _, row in queries))
    judgements = [f"{row['_id']}\t{document}\t1\n" for document, row in queries]
    (out / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(judgements), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
