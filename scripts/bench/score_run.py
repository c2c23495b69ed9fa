#!/usr/bin/env python3
"""The other sides of `run score`: score_run.py pytrec_eval|ranx RUN QRELS reads a run in TREC's columns and prints its mean nDCG@10."""
import sys

library, run_file, qrels_file = sys.argv[1:]
if library == "ranx":
    import ranx

    # Both readers are ranx's own.
    value = ranx.evaluate(ranx.Qrels.from_file(qrels_file, kind="trec"), ranx.Run.from_file(run_file, kind="trec"), "ndcg@10",
                          make_comparable=True)
else:
    import pytrec_eval

    with open(run_file, encoding="utf-8") as lines:
        run = pytrec_eval.parse_run(lines)
    with open(qrels_file, encoding="utf-8") as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)
    value = sum(scores["ndcg_cut_10"] for scores in found.values()) / len(qrels)
print("nDCG@10", value)
