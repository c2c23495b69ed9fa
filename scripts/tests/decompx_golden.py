"""Writes src/test/resources/io/posbias/model/inside/decompx.json, which PropagationTest compares with.

python3 scripts/tests/decompx_golden.py        # needs numpy; reads what transformer_golden.py wrote

The parts that tokens have in the last layer of the tiny BERT and RoBERTa, by DecompX (Modarressi et al. 2023,
arXiv:2306.02873) as its authors and ColDeR's configure it: vectors are propagated; a bias is shared by absolute dot products
("absdot") or equally ("equal"); GELU is the line through the origin and its own value. Written with loops over rows and
sources, in doubles.
"""
import json
import struct
from math import erf, sqrt

import numpy as np

OUT = "src/test/resources/io/posbias/model/inside/"
HEADS = 4
MODELS = {"bert": ("bert.", 0, 1e-12), "roberta": ("", 2, 1e-5)}


class Model:
    def __init__(self, name):
        self.prefix, self.first, self.epsilon = MODELS[name]
        with open(OUT + name + ".safetensors", "rb") as file:
            header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
            data = file.read()
        self.weights = {
            key: np.frombuffer(data[slice(*value["data_offsets"])], "<f4").reshape(value["shape"]).astype(np.float64)
            for key, value in header.items() if key != "__metadata__"}

    def __getitem__(self, name):
        return self.weights[self.prefix + name]

    def linear(self, v, name):
        return v @ self[name + ".weight"].T + self[name + ".bias"]

    def norm(self, x, name):
        """A row, and the deviation by which its parts are divided too."""
        deviation = np.sqrt(x.var() + self.epsilon)
        return (x - x.mean()) / deviation * self[name + ".weight"] + self[name + ".bias"], deviation

    def norm_of_parts(self, parts, deviation, name, how):
        centred = parts - parts.mean(axis=1, keepdims=True)
        return shared(centred / deviation * self[name + ".weight"], self[name + ".bias"], how)

    def layer(self, i, x, parts, how):
        """x: (tokens, width); parts: (tokens, sources, width). The same behind the layer."""
        at = f"encoder.layer.{i}."
        n, width = x.shape
        q, k, v = (self.linear(x, at + "attention.self." + name) for name in ("query", "key", "value"))
        out = self[at + "attention.output.dense.weight"]
        context, moved = np.zeros_like(x), np.zeros_like(parts)
        for head in range(HEADS):
            own = slice(head * width // HEADS, (head + 1) * width // HEADS)
            scores = np.exp(q[:, own] @ k[:, own].T / sqrt(width // HEADS))
            attention = scores / scores.sum(axis=1, keepdims=True)
            context[:, own] = attention @ v[:, own]
            mix = out[:, own] @ self[at + "attention.self.value.weight"][own]
            for row in range(n):
                for source in range(n):
                    moved[row, source] += sum(attention[row, j] * (mix @ parts[j, source]) for j in range(n))
        bias = out @ self[at + "attention.self.value.bias"] + self[at + "attention.output.dense.bias"]
        next_x, next_parts = np.zeros_like(x), np.zeros_like(parts)
        for row in range(n):
            one = shared(moved[row] + parts[row], bias, how)
            mixed = self.linear(context[row], at + "attention.output.dense") + x[row]
            middle, deviation = self.norm(mixed, at + "attention.output.LayerNorm")
            one = self.norm_of_parts(one, deviation, at + "attention.output.LayerNorm", how)
            inner = self.linear(middle, at + "intermediate.dense")
            gelu = np.array([z * (1 + erf(z / sqrt(2))) / 2 for z in inner])
            wide = shared(one @ self[at + "intermediate.dense.weight"].T, self[at + "intermediate.dense.bias"], how)
            outer = shared(
                wide * (gelu / inner) @ self[at + "output.dense.weight"].T, self[at + "output.dense.bias"], how)
            next_x[row], deviation = self.norm(self.linear(gelu, at + "output.dense") + middle, at + "output.LayerNorm")
            next_parts[row] = self.norm_of_parts(outer + one, deviation, at + "output.LayerNorm", how)
        return next_x, next_parts

    def parts(self, ids, types, how):
        e = "embeddings."
        x = np.array([self.norm(self[e + "word_embeddings.weight"][token]
                                + self[e + "position_embeddings.weight"][self.first + place]
                                + self[e + "token_type_embeddings.weight"][kind], e + "LayerNorm")[0]
                      for place, (token, kind) in enumerate(zip(ids, types))])
        parts = np.zeros((len(ids), *x.shape))
        for i in range(len(ids)):
            parts[i, i] = x[i]
        for i in range(2):
            x, parts = self.layer(i, x, parts, how)
        assert np.allclose(parts.sum(axis=1), x)
        return x, parts


def shared(parts, bias, how):
    """A bias on top of parts, one row a source."""
    shares = np.abs(parts @ bias) if how == "absdot" else np.ones(len(parts))
    return parts + np.outer(shares / shares.sum(), bias)


def rows(name):
    model = Model(name)
    with open(OUT + name + ".json", encoding="utf-8") as file:
        for row in json.load(file):
            case = {"ids": row["ids"], "types": row["types"]}
            for how in ("absdot", "equal"):
                x, parts = model.parts(row["ids"], row["types"], how)
                assert np.allclose(x, row["hidden"], atol=1e-7)
                case[how] = {"cls": parts[0].round(8).tolist(), "mean": parts.mean(axis=0).round(8).tolist()}
            yield case


with open(OUT + "decompx.json", "w", encoding="utf-8", newline="\n") as out:
    out.write("{\n" + ",\n".join('"%s": [\n%s\n]' % (name, ",\n".join(json.dumps(case) for case in rows(name)))
                                 for name in MODELS) + "\n}\n")
