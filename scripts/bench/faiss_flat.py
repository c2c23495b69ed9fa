#!/usr/bin/env python3
"""FAISS's side of `run search`: faiss_flat.py QUERIES PASSAGES K THREADS; a task is a number of dimensions."""
import sys
import time

import faiss
import numpy

queries, passages, k, threads = map(int, sys.argv[1:])
faiss.omp_set_num_threads(threads)
prepared = ""
index = left = None
print("ready", flush=True)
for line in sys.stdin:
    task = line.strip()
    dimension = int(task)
    if task != prepared:
        random = numpy.random.default_rng(1)
        left, right = (random.standard_normal((n, dimension), dtype=numpy.float32) for n in (queries, passages))
        faiss.normalize_L2(left)
        faiss.normalize_L2(right)
        index = faiss.IndexFlatIP(dimension)
        index.add(right)
        prepared = task
    start = time.perf_counter()
    _, hits = index.search(left, k)
    seconds = time.perf_counter() - start
    assert hits.shape == (queries, k)
    print(seconds, 2e-9 * queries * passages * dimension, flush=True)
