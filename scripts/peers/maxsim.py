# environment: pylate
"""Compares posbias's late interaction (MaxSim) with PyLate's scores: scripts/peers/run [--quick] maxsim

A worker gives vectors of words, which are random but equal for both programs: passages of 1 to 40 words, queries of 1 to 12, 64
dimensions, of length 1 and of other lengths. posbias's scores of all passages are those of its run. pylate.scores.colbert_scores gets one
passage at once. In a batch PyLate 1.6 fills shorter passages up with zeros, with and without a mask: a query token whose products with a
passage are all negative then scores 0 in a shorter passage, and its true product in the longest. posbias fills nothing up. How many pairs
of pylate.rank.rerank differ for this reason is printed; with passages of one length there are none.
"""
import argparse
import gzip
import hashlib
import importlib.metadata
import json
import os
import pathlib
import random
import sys
import tempfile
import time

import numpy

from common import benchmark, posbias

DIMENSION = 64
TOLERANCE = 1e-5


def vectors(text, role, scale):
    """A vector for each word: [words, DIMENSION]."""
    rows = []
    for at, word in enumerate(text.split()):
        seed = int.from_bytes(hashlib.sha256(f"{role} {word} {at % 3}".encode()).digest()[:8], "little")
        row = numpy.random.default_rng(seed).standard_normal(DIMENSION)
        rows.append(row / numpy.linalg.norm(row) * (1 + (seed % 5 if scale else 0)))
    return numpy.array(rows, dtype="float32")


def worker(scale):
    """Answers posbias (docs/worker.md)."""
    def frame(header, content=b""):
        encoded = json.dumps(header).encode()
        sys.stdout.buffer.write(b"PBW1" + len(encoded).to_bytes(4, "little") + encoded + content)
        sys.stdout.buffer.flush()

    while len(start := sys.stdin.buffer.read(8)) == 8:
        request = json.loads(sys.stdin.buffer.read(int.from_bytes(start[4:], "little")))
        if request["do"] == "start":
            frame({"protocol": 1, "name": "words", "dimension": DIMENSION, "similarity": "maxsim"})
        else:
            parts = [vectors(text, request["role"], scale) for text in request["texts"]]
            numbers = numpy.concatenate(parts).astype("<f4")
            frame({"rows": [len(part) for part in parts], "read": [-1] * len(parts), "numbers": numbers.size}, numbers.tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--worker", choices=["unit", "any"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.worker == "any")
        return 0
    import torch
    from pylate import rank, scores

    start = time.monotonic()
    failed = 0
    random_ = random.Random(48)
    words = [f"w{i}" for i in range(500)]

    def texts(letter, count, longest):
        return {f"{letter}{i:03d}": " ".join(random_.choices(words, k=random_.randint(1, longest))) for i in range(count)}

    passages, queries = texts("p", 60 if options.quick else 200, 40), texts("q", 20 if options.quick else 60, 12)
    with tempfile.TemporaryDirectory(prefix="posbias-maxsim-") as folder:
        work = pathlib.Path(folder)
        benchmark(work / "words", passages, queries, {query: {next(iter(passages)): 1} for query in queries})
        for kind in ["unit", "any"]:
            recipe = work / f"words-{kind}.yaml"
            recipe.write_text(f"name: words-{kind}\nkind: worker\nfamily: late\ngives: late-interaction\n"
                              f"command: {json.dumps([sys.executable, os.path.abspath(__file__), '--worker', kind])}\n")
            posbias("eval", "--model", recipe, "--dataset", work / "words", "--k", len(passages), "--draws", 0, "--blind", "none",
                    "--no-cache", "--out", work / f"out-{kind}")
            run = {}
            with gzip.open(work / f"out-{kind}" / "run.trec.gz", "rt") as lines:
                for line in lines:
                    query, _, passage, _, score, _ = line.split()
                    run.setdefault(query, {})[passage] = float(score)
            documents = {key: torch.from_numpy(vectors(text, "passage", kind == "any")) for key, text in passages.items()}
            largest = misplaced = padded = 0
            for query, text in queries.items():
                asked = torch.from_numpy(vectors(text, "query", kind == "any"))
                exact = {key: float(scores.colbert_scores(asked.unsqueeze(0), vector.unsqueeze(0))[0, 0])
                         for key, vector in documents.items()}
                largest = max(largest, *(abs(run[query][key] - exact[key]) / max(1, abs(exact[key])) for key in passages))
                order = sorted(passages, key=lambda key: run[query][key], reverse=True)
                misplaced += sum(exact[later] - exact[earlier] > TOLERANCE * max(1, abs(exact[later]))
                                 for earlier, later in zip(order, order[1:]))
                reranked = rank.rerank([list(passages)], [asked], [list(documents.values())])[0]
                padded += sum(abs(result["score"] - exact[result["id"]]) > 1e-4 for result in reranked)
            wrong = not (largest <= TOLERANCE and misplaced == 0)
            failed |= wrong
            print(f"MaxSim, vectors of length {'1' if kind == 'unit' else '1 to 5'}: {len(queries)} queries x {len(passages)} passages, "
                  f"largest difference {largest:.1e} (relative above 1), passages in another order {misplaced}"
                  f"{', DIFFERS' if wrong else ''}; PyLate's rerank of a padded batch differs from PyLate's own scores in {padded} pairs")
    print(f"pylate {importlib.metadata.version('pylate')}, torch {importlib.metadata.version('torch')}; tolerance {TOLERANCE:.0e}; "
          f"{time.monotonic() - start:.0f} s")
    return failed


if __name__ == "__main__":
    sys.exit(main())
