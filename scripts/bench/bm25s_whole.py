#!/usr/bin/env python3
"""bm25s's side of `run bm25s`: bm25s_whole.py FOLDER RUN THREADS reads a benchmark, indexes, searches, writes a run of the best 100.

numba is bm25s's fastest backend. Then pytrec_eval scores the run, as posbias does.
"""
import json
import sys

import bm25s
import pytrec_eval
import Stemmer

folder, run_file, threads = sys.argv[1:]


def texts(name):
    with open(f"{folder}/{name}.jsonl", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["_id"] for row in rows], [row["text"] for row in rows]


words = dict(stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
passages, passage_texts = texts("corpus")
queries, query_texts = texts("queries")
index = bm25s.BM25(backend="numba")
index.index(bm25s.tokenize(passage_texts, **words), show_progress=False)
hits, scores = index.retrieve(bm25s.tokenize(query_texts, **words), k=min(100, len(passages)), n_threads=int(threads),
                              show_progress=False)
run = {}
with open(run_file, "w", encoding="utf-8") as lines:
    for query, found, values in zip(queries, hits, scores):
        run[query] = {passages[hit]: float(score) for hit, score in zip(found, values)}
        lines.writelines(f"{query} Q0 {passages[hit]} {rank} {score:.7g} bm25s\n"
                         for rank, (hit, score) in enumerate(zip(found, values), 1))
qrels = {}
with open(f"{folder}/qrels/test.tsv", encoding="utf-8") as lines:
    next(lines)
    for line in lines:
        query, passage, grade = line.split("\t")
        qrels.setdefault(query, {})[passage] = int(grade)
found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)
print("nDCG@10", sum(value["ndcg_cut_10"] for value in found.values()) / len(qrels))
