"""Writes src/test/resources/io/posbias/model/inside: tiny random transformers and what they make of a few rows of tokens.

python3 scripts/tests/transformer_golden.py        # needs numpy

NAME.safetensors  weights of one of each family, by the names that Hugging Face's module has
NAME.json         rows of tokens, and the last hidden state of each row alone, computed here in doubles

The formulas are written out from transformers' modeling_bert.py and modeling_roberta.py, with numpy alone;
nothing is taken from posbias. Weights are wide enough that each part matters: a wrong position, norm or order of heads moves
the result by far more than a test allows.
"""
import json
import math
import os
import struct

import numpy as np

OUT = "src/test/resources/io/posbias/model/inside"
VOCABULARY, WIDTH, INNER, LAYERS, HEADS = 23, 16, 20, 2, 4
POSITIONS = 14
ROWS = [[3, 7, 22, 11, 4], [5, 9], [3, 20, 18, 5, 5, 17, 12, 8, 2]]
TYPES = [[0, 0, 0, 1, 1], [0, 0], [0, 0, 0, 0, 1, 1, 1, 1, 1]]
erf = np.vectorize(math.erf)


class Weights:
    """Random matrices, made in the order in which they are first used."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.all = {}

    def get(self, name, *shape, mean=0.0, spread=0.5):
        if name not in self.all:
            self.all[name] = (mean + spread * self.random.standard_normal(shape)).astype(np.float32)
        return self.all[name].astype(np.float64)

    def linear(self, name, x, size):
        weight = self.get(name + ".weight", size, x.shape[-1])
        return x @ weight.T + self.get(name + ".bias", size)

    def norm(self, name, x, eps):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + eps)
        return scaled * self.get(name + ".weight", WIDTH, mean=1.0) + self.get(name + ".bias", WIDTH)

    def save(self, path):
        header, at = {"__metadata__": {"format": "pt"}}, 0
        for name in sorted(self.all):
            array = self.all[name]
            header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
            at += array.nbytes
        head = json.dumps(header, separators=(",", ":")).encode()
        head += b" " * (-len(head) % 8)
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(head)) + head)
            for name in sorted(self.all):
                file.write(self.all[name].tobytes())


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def bert(w, prefix, ids, types, eps, padding_idx=None):
    """padding_idx: RoBERTa's positions begin behind it."""
    first = 0 if padding_idx is None else padding_idx + 1
    e = prefix + "embeddings."
    x = w.get(e + "word_embeddings.weight", VOCABULARY, WIDTH)[ids]
    x = x + w.get(e + "token_type_embeddings.weight", 2, WIDTH)[types]
    x = x + w.get(e + "position_embeddings.weight", POSITIONS, WIDTH)[first:first + len(ids)]
    x = w.norm(e + "LayerNorm", x, eps)
    for i in range(LAYERS):
        at = "%sencoder.layer.%d." % (prefix, i)
        q, k, v = (w.linear(at + "attention.self." + n, x, WIDTH) for n in ("query", "key", "value"))
        size = WIDTH // HEADS
        mixed = np.zeros_like(x)
        for h in range(HEADS):
            part = slice(h * size, (h + 1) * size)
            attention = softmax(q[:, part] @ k[:, part].T / math.sqrt(size))
            mixed[:, part] = attention @ v[:, part]
        x = w.norm(at + "attention.output.LayerNorm", x + w.linear(at + "attention.output.dense", mixed, WIDTH), eps)
        inner = w.linear(at + "intermediate.dense", x, INNER)
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = w.norm(at + "output.LayerNorm", x + w.linear(at + "output.dense", inner, WIDTH), eps)
    return x


def write(name, seed, hidden):
    weights = Weights(seed)
    states = [hidden(weights, ids, types) for ids, types in zip(ROWS, TYPES)]
    os.makedirs(OUT, exist_ok=True)
    weights.save(os.path.join(OUT, name + ".safetensors"))
    rows = ",\n".join('  {"ids": %s, "types": %s, "hidden": [\n    %s]}' % (
        json.dumps(ids), json.dumps(types), ",\n    ".join(json.dumps([round(x, 8) for x in token]) for token in state))
        for ids, types, state in zip(ROWS, TYPES, states))
    with open(os.path.join(OUT, name + ".json"), "w", encoding="utf-8", newline="\n") as file:
        file.write("[\n%s\n]\n" % rows)


MODELS = {
    "bert": (1, lambda w, ids, types: bert(w, "bert.", ids, types, 1e-12)),
    "roberta": (2, lambda w, ids, types: bert(w, "", ids, types, 1e-5, padding_idx=1)),
}


for name, (seed, hidden) in MODELS.items():
    write(name, seed, hidden)
