"""Writes src/test/resources/io/posbias/model/inside/torchscript: tiny random models as export_onnx.py --torchscript writes them.

/usr/bin/python3 scripts/tests/torchscript_golden.py                 # needs torch (Debian: python3-torch)
/usr/bin/python3 scripts/tests/torchscript_golden.py --bert WEIGHTS HEADS OUT

NAME.torchscript  (inputs_embeds, attention_mask) -> last hidden state, with all weights
rotary.onnx       the same weights in ONNX Runtime's form
NAME.json         by pooling: losses of three steps of torch.optim.AdamW, gradients of the first, norms of the gradients of a
                  score with respect to the passage's embeddings

The second form traces a BERT in plain PyTorch with the weights of a safetensors file of Hugging Face's names. All blocks are
plain PyTorch; nothing is taken from posbias but the wrappers of the export.
"""
import json
import math
import os
import struct
import sys
import zipfile
from types import SimpleNamespace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import export_wrappers as wrappers  # noqa: E402

OUT = "src/test/resources/io/posbias/model/inside/torchscript"
VOCABULARY, WIDTH, INNER, LAYERS, HEADS = 23, 8, 12, 1, 2
QUERIES = [[3, 7, 4], [5, 9, 11, 2], [8, 6]]
PASSAGES = [[3, 7, 22, 11, 4], [5, 9, 1, 10, 12, 19, 2, 21, 7], [8, 20, 18, 6, 5, 17]]
SCALE, RATE, STEPS = 5.0, 0.01, 3
SHAPES = {
    "rotary": dict(positions="rotary", causal=True, gated=True),
    "alibi": dict(positions="alibi", causal=True),
    "no-positions": dict(positions="none", causal=True, gated=True),
    "sliding-window": dict(positions="rotary", causal=False, window=2),
    "causal": dict(positions="learned", causal=True),
    "bidirectional": dict(positions="learned", causal=False),
}


class Rms(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * self.weight


def rotated(x, place):
    """x [batch, heads, sequence, size], place [sequence]"""
    half = x.shape[-1] // 2
    angles = place[:, None] * 10000.0 ** (-torch.arange(half) / half)
    cos, sin = torch.cat([angles, angles], 1).cos(), torch.cat([angles, angles], 1).sin()
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


class Layer(nn.Module):
    """Norm, attention, norm, two maps; or a gate as in Llama, without biases."""

    def __init__(self, positions, causal, gated=False, window=None):
        super().__init__()
        self.rotary, self.gated = positions == "rotary", gated
        self.norm1, self.norm2 = (Rms(WIDTH) if gated else nn.LayerNorm(WIDTH) for _ in range(2))
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH, bias=not gated) for _ in range(4))
        self.inner, self.outer = nn.Linear(WIDTH, INNER, bias=not gated), nn.Linear(INNER, WIDTH, bias=not gated)
        if gated:
            self.gate = nn.Linear(WIDTH, INNER, bias=False)

    def forward(self, x, bias, place):
        def split(y):
            return y.reshape(y.shape[0], y.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)

        seen = self.norm1(x)
        query, key, value = split(self.query(seen)), split(self.key(seen)), split(self.value(seen))
        if self.rotary:
            query, key = rotated(query, place), rotated(key, place)
        scores = query @ key.transpose(2, 3) / math.sqrt(WIDTH // HEADS) + bias
        x = x + self.out((scores.softmax(-1) @ value).transpose(1, 2).reshape(x.shape))
        seen = self.norm2(x)
        inner = functional.silu(self.gate(seen)) * self.inner(seen) if self.gated else functional.gelu(self.inner(seen))
        return x + self.outer(inner)


class Tiny(nn.Module):
    """A transformer with the arguments of transformers' own."""

    def __init__(self, positions, causal, gated=False, window=None):
        super().__init__()
        self.positions, self.causal, self.window = positions, causal, window
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        if positions == "learned":
            self.places = nn.Embedding(64, WIDTH)
        self.layers = nn.ModuleList(Layer(positions, causal, gated) for _ in range(LAYERS))
        self.norm = Rms(WIDTH) if gated else nn.LayerNorm(WIDTH)

    def get_input_embeddings(self):
        return self.words

    def forward(self, input_ids, attention_mask, return_dict=True):
        x = self.words(input_ids)
        place = torch.arange(x.shape[1])
        if self.positions == "learned":
            x = x + self.places(place)
        bias = wrappers.attention_bias(attention_mask, torch.float32, self.causal)
        far = (place[:, None] - place[None, :]).abs()
        if self.positions == "alibi":
            bias = bias - far * torch.tensor([0.5, 0.0625])[:, None, None]
        if self.window is not None:
            bias = bias.masked_fill(far > self.window, torch.finfo(torch.float32).min)
        for layer in self.layers:
            x = layer(x, bias, place)
        return SimpleNamespace(last_hidden_state=self.norm(x))


class Bert(nn.Module):
    """BERT by the names that Hugging Face gives its weights."""

    def __init__(self, weights, heads):
        super().__init__()
        self.heads, self.width = heads, weights["embeddings.LayerNorm.bias"].shape[0]
        at = {}
        for name, value in weights.items():
            module = self
            *path, last = name.split(".")
            for part in path:
                if not hasattr(module, part):
                    module.add_module(part, nn.Embedding(1, 1) if part == "word_embeddings" else nn.Module())
                module = getattr(module, part)
            setattr(module, last, nn.Parameter(value))
            at[name] = getattr(module, last)
        self.at = at

    def get_input_embeddings(self):
        return self.embeddings.word_embeddings

    def forward(self, input_ids, attention_mask, return_dict=True):
        def linear(name, x):
            return functional.linear(x, self.at[name + ".weight"], self.at[name + ".bias"])

        def norm(name, x):
            return functional.layer_norm(x, (self.width,), self.at[name + ".weight"], self.at[name + ".bias"], 1e-12)

        def split(x):
            return x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

        x = self.get_input_embeddings()(input_ids)
        place = torch.arange(x.shape[1])
        x = x + self.at["embeddings.position_embeddings.weight"][place]
        x = norm("embeddings.LayerNorm", x + self.at["embeddings.token_type_embeddings.weight"][0])
        bias = wrappers.attention_bias(attention_mask, torch.float32, False)
        number = 0
        while f"encoder.layer.{number}.output.dense.weight" in self.at:
            layer = f"encoder.layer.{number}."
            query, key, value = (split(linear(layer + "attention.self." + one, x)) for one in ("query", "key", "value"))
            scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1]) + bias
            mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(x.shape)
            x = norm(layer + "attention.output.LayerNorm", x + linear(layer + "attention.output.dense", mixed))
            inner = functional.gelu(linear(layer + "intermediate.dense", x))
            x = norm(layer + "output.LayerNorm", x + linear(layer + "output.dense", inner))
            number += 1
        return SimpleNamespace(last_hidden_state=x)


def states_of(model):
    return wrappers.HiddenStates(wrappers.Tokens(model, False)).eval()


def vectors(states, rows, how):
    longest = max(len(row) for row in rows)
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    return functional.normalize(wrappers.pool(states(ids, mask), mask, mask, how), dim=-1)


def loss_of(states, how):
    scores = SCALE * vectors(states, QUERIES, how) @ vectors(states, PASSAGES, how).T
    return functional.cross_entropy(scores, torch.arange(len(QUERIES)))


def steps(make, how):
    """Losses of three steps, and of the first the gradient of each weight: its norm and first numbers."""
    states = make()
    # Vectors do not decay in posbias; none decays here.
    adam = torch.optim.AdamW(states.parameters(), lr=RATE, weight_decay=0.0)
    losses, gradients = [], {}
    for step in range(STEPS):
        adam.zero_grad()
        loss = loss_of(states, how)
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            for name, weight in states.named_parameters():
                flat = weight.grad.flatten()
                gradients[name] = [flat.norm().item()] + flat[:3].tolist()
        adam.step()
    return {"losses": losses, "gradients": gradients, "saliency": saliency(make(), how)}


def saliency(states, how):
    """Norms of the gradient of cosine(query 1, passage 1) with respect to each embedding of the passage."""
    query = vectors(states, [QUERIES[1]], how).detach()
    _, table = wrappers.table_of(states)
    ids = torch.tensor([PASSAGES[1]])
    rows = table(ids).detach().requires_grad_(True)
    mask = torch.ones_like(ids)
    hidden = wrappers.FromEmbeddings(states)(rows, mask)
    vector = functional.normalize(wrappers.pool(hidden, mask, mask, how), dim=-1)
    (vector @ query.T).sum().backward()
    return rows.grad[0].norm(dim=-1).tolist()


def write(name, shape, seed):
    def make():
        torch.manual_seed(seed)
        model = Tiny(**shape)
        for weight in model.parameters():
            # No two alike: the ONNX exporter merges weights that are equal.
            nn.init.normal_(weight, mean=1.0 if weight.dim() == 1 else 0.0, std=0.5)
        return states_of(model)

    states = make()
    ids = torch.arange(32).reshape(2, 16) % 13 + 2
    mask = torch.ones(2, 16, dtype=torch.int64)
    mask[0, 12:] = 0
    worst = wrappers.write_torchscript(states, f"{OUT}/{name}.torchscript", ids, mask)
    assert worst < 1e-5, worst
    shrink(f"{OUT}/{name}.torchscript")
    if name == "rotary":
        write_onnx(states, ids, mask)
    golden = {"queries": QUERIES, "passages": PASSAGES, "scale": SCALE, "rate": RATE}
    golden["poolings"] = {how: steps(make, how) for how in ("cls", "mean", "last")}
    rounded = json.loads(json.dumps(golden), parse_float=lambda number: float(f"{float(number):.7g}"))
    with open(f"{OUT}/{name}.json", "w") as file:
        json.dump(rounded, file, separators=(",", ":"))
    print(name, worst, {how: one["losses"] for how, one in golden["poolings"].items()})


def write_onnx(states, ids, mask):
    both = {0: "batch", 1: "sequence"}
    with torch.no_grad():
        torch.onnx.export(states, (ids, mask), f"{OUT}/rotary.onnx", input_names=["input_ids", "attention_mask"],
                          output_names=["last_hidden_state"], opset_version=14, do_constant_folding=False,
                          dynamic_axes={key: both for key in ("input_ids", "attention_mask", "last_hidden_state")})


def shrink(path):
    """Leaves out what only error messages need."""
    with zipfile.ZipFile(path) as archive:
        entries = [(one.filename, archive.read(one)) for one in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries:
            if not entry.endswith(".debug_pkl"):
                archive.writestr(zipfile.ZipInfo(entry), content, zipfile.ZIP_DEFLATED)


def tensors(path):
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: torch.frombuffer(bytearray(data[slice(*one["data_offsets"])]), dtype=torch.float32)
            .reshape(one["shape"]).clone() for name, one in header.items()}


def main():
    if sys.argv[1:2] == ["--bert"]:
        ids = torch.arange(32).reshape(2, 16) % 13 + 2
        states = states_of(Bert(tensors(sys.argv[2]), int(sys.argv[3])))
        worst = wrappers.write_torchscript(states, sys.argv[4], ids, torch.ones_like(ids))
        print(worst)
        return
    os.makedirs(OUT, exist_ok=True)
    for seed, (name, shape) in enumerate(SHAPES.items()):
        write(name, shape, seed)


if __name__ == "__main__":
    main()
