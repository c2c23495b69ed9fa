#!/usr/bin/env python3
"""MTEB's side of `run mteb`: mteb_minilm.py PEERS MODEL FOLDER THREADS evaluates a benchmark's folder and prints its main score."""
import pathlib
import sys
import tempfile

peers, model, folder, threads = sys.argv[1:]
sys.path.insert(0, peers)
import mteb_tasks
import torch
from sentence_transformers import SentenceTransformer

torch.set_num_threads(int(threads))
with tempfile.TemporaryDirectory(prefix="posbias-bench-") as work:
    scores = mteb_tasks.mteb_scores(SentenceTransformer(model, device="cpu"), mteb_tasks.task_of(pathlib.Path(folder), "xquad"),
                                    pathlib.Path(work))
print("nDCG@10", scores["main_score"])
