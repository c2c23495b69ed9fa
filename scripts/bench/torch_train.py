#!/usr/bin/env python3
"""PyTorch's side of `run training`: torch_train.py PAIRS QUERY_TOKENS STEPS THREADS; a task is the passages' number of tokens.

Steps of the shapes of all-MiniLM-L6-v2: queries and passages each in one batch, InfoNCE, backward, clipping, AdamW over all
weights, no dropout, random weights and tokens. Work is counted in tokens.
"""
import sys
import time

import torch

WIDTH, HEADS, INNER, LAYERS, WORDS, PLACES = 384, 12, 1536, 6, 30522, 512


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(WORDS, WIDTH)
        self.places = torch.nn.Embedding(PLACES, WIDTH)
        self.types = torch.nn.Embedding(2, WIDTH)
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.layers = torch.nn.ModuleList(
            torch.nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, 0.0, "gelu", batch_first=True) for _ in range(LAYERS)
        )

    def forward(self, ids):
        x = self.norm(self.words(ids) + self.places(torch.arange(ids.shape[1])) + self.types(torch.zeros_like(ids)))
        for layer in self.layers:
            x = layer(x)
        return torch.nn.functional.normalize(x.mean(1), dim=1)


pairs, query_tokens, steps, threads = map(int, sys.argv[1:])
torch.set_num_threads(threads)
torch.manual_seed(7)
model = Encoder()
adam = torch.optim.AdamW(model.parameters(), lr=2e-5)
print("ready", flush=True)
for line in sys.stdin:
    passage_tokens = int(line)
    start = time.perf_counter()
    for _ in range(steps):
        queries = model(torch.randint(WORDS, (pairs, query_tokens)))
        passages = model(torch.randint(WORDS, (pairs, passage_tokens)))
        torch.nn.functional.cross_entropy(20 * queries @ passages.T, torch.arange(pairs)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        adam.zero_grad()
    print(time.perf_counter() - start, steps * pairs * (query_tokens + passage_tokens), flush=True)
