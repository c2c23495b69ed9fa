#!/usr/bin/env python3
"""PyLate's side of `run pylate`: pylate_maxsim.py QUERIES TOKENS PASSAGES TOKENS THREADS; a task is a number of dimensions.

pylate.rank.rerank scores all passages of every query, from vectors in memory. Work is counted in pairs of a query and a passage.
"""
import sys
import time

import torch
from pylate import rank

queries, query_tokens, passages, passage_tokens, threads = map(int, sys.argv[1:])
torch.set_num_threads(threads)
prepared = ""
left = right = None
print("ready", flush=True)
for line in sys.stdin:
    task = line.strip()
    dimension = int(task)
    if task != prepared:
        torch.manual_seed(1)
        left = [torch.nn.functional.normalize(torch.randn(query_tokens, dimension), dim=-1) for _ in range(queries)]
        right = [torch.nn.functional.normalize(torch.randn(passage_tokens, dimension), dim=-1) for _ in range(passages)]
        prepared = task
    start = time.perf_counter()
    with torch.no_grad():
        results = rank.rerank([list(range(passages))] * queries, left, [right] * queries)
    seconds = time.perf_counter() - start
    assert len(results) == queries and len(results[0]) == passages
    print(seconds, queries * passages, flush=True)
