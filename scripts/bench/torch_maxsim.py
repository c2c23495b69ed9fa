#!/usr/bin/env python3
"""PyTorch's side of `run maxsim`: torch_maxsim.py QUERIES TOKENS PASSAGES TOKENS THREADS; a task is a number of dimensions.

Every query's score of every passage: of each query token the best product with a token of the passage, summed up.
Passages are taken in blocks whose products fit in memory. Work is counted in pairs of a query and a passage.
"""
import sys
import time

import torch

BLOCK = 50

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
        left = torch.nn.functional.normalize(torch.randn(queries, query_tokens, dimension), dim=-1)
        right = torch.nn.functional.normalize(torch.randn(passages, passage_tokens, dimension), dim=-1)
        prepared = task
    start = time.perf_counter()
    with torch.no_grad():
        scores = torch.cat([torch.einsum("qid,pjd->qpij", left, right[at:at + BLOCK]).amax(-1).sum(-1)
                            for at in range(0, passages, BLOCK)], dim=1)
    seconds = time.perf_counter() - start
    assert scores.shape == (queries, passages)
    print(seconds, queries * passages, flush=True)
