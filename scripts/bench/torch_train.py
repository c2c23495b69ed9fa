"""Trains the shapes of all-MiniLM-L6-v2 with plain PyTorch, to compare `posbias train` with.

python3 scripts/bench/torch_train.py rows.jsonl 1 8      # threads, steps; needs torch, and writes rows.jsonl if it is not there

One step: 32 queries of 16 tokens and 32 passages of 128, each in one batch, InfoNCE, backward, clipping, AdamW over all
weights, no dropout, random weights. The rows are letters, of which each is a token, so that posbias gets the same shapes.
Prints tokens per second of wall time and of processor time.
"""
import json
import os
import random
import sys
import time

import torch

PAIRS, QUERY, PASSAGE = 32, 16, 128
WIDTH, HEADS, INNER, LAYERS, WORDS, PLACES = 384, 12, 1536, 6, 30522, 512


def write(path, steps):
    draw = random.Random(7)
    text = lambda size: " ".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(size - 2))
    with open(path, "w") as out:
        for _ in range(PAIRS * steps):
            out.write(json.dumps({"anchor": text(QUERY), "positive": text(PASSAGE)}) + "\n")


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


rows, threads, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
if not os.path.exists(rows):
    write(rows, steps)
torch.set_num_threads(threads)
torch.manual_seed(7)
model = Encoder()
adam = torch.optim.AdamW(model.parameters(), lr=2e-5)
began, used = time.time(), time.process_time()
for _ in range(steps):
    scores = 20 * model(torch.randint(WORDS, (PAIRS, QUERY))) @ model(torch.randint(WORDS, (PAIRS, PASSAGE))).T
    torch.nn.functional.cross_entropy(scores, torch.arange(PAIRS)).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    adam.step()
    adam.zero_grad()
tokens = steps * PAIRS * (QUERY + PASSAGE)
print(f"torch {torch.__version__}, {threads} threads: {tokens / (time.time() - began):,.0f} tokens/s,"
      f" {tokens / (time.process_time() - used):,.0f} per second of processor time")
