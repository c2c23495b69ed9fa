"""Writes src/test/resources/io/posbias/model/inside/training.json: losses without and with hard negatives, their gradients,
and steps of AdamW, in doubles.

python3 scripts/tests/training_golden.py        # needs numpy

The loss is written out as a sum over pairs and its gradient taken by central differences; the steps are those of the pseudo
code of torch.optim.AdamW's documentation. Nothing is taken from posbias.
"""
import json

import numpy as np

SCALE, DOCUMENTS, WIDTH = 20.0, ["a", "a", "b", "c", "b"], 3
# The pair that each hard negative is of, and its document; one is of its own pair's document.
OWNERS, NEGATIVES = [0, 2, 2, 4], ["c", "a", "e", "b"]
random = np.random.default_rng(7)


def rows(n):
    vectors = random.standard_normal((n, WIDTH)).astype(np.float32).astype(np.float64)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32).astype(np.float64)


def loss(queries, passages):
    total = 0.0
    for i, document in enumerate(DOCUMENTS):
        others = [j for j, other in enumerate(DOCUMENTS) if j == i or other != document]
        scores = np.array([SCALE * queries[i] @ passages[j] for j in others])
        total += np.log(np.exp(scores).sum()) - SCALE * queries[i] @ passages[i]
    return total / len(DOCUMENTS)


def hard_loss(queries, passages):
    """A pair's own negatives always count, those of another pair unless they are of the pair's document."""
    total = 0.0
    for i, document in enumerate(DOCUMENTS):
        texts = [j for j, other in enumerate(DOCUMENTS) if j == i or other != document]
        texts += [
            len(DOCUMENTS) + k for k, other in enumerate(NEGATIVES) if OWNERS[k] == i or other != document
        ]
        scores = np.array([SCALE * queries[i] @ passages[j] for j in texts])
        total += np.log(np.exp(scores).sum()) - SCALE * queries[i] @ passages[i]
    return total / len(DOCUMENTS)


def differences(function, at):
    gradient, h = np.zeros_like(at), 1e-6
    for index in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[index] += h
        down[index] -= h
        gradient[index] = (function(up) - function(down)) / (2 * h)
    return gradient


def adamw(weight, gradients, rates, decay):
    first, second = np.zeros_like(weight), np.zeros_like(weight)
    for t, (gradient, rate) in enumerate(zip(gradients, rates), 1):
        weight = weight - rate * decay * weight
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        weight = weight - rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
    return weight


queries, passages = rows(len(DOCUMENTS)), rows(len(DOCUMENTS))
start = random.standard_normal((4, 3)).astype(np.float32).astype(np.float64)
gradients = random.standard_normal((3, 4, 3)).astype(np.float32).astype(np.float64)
gradients[1, 2] = 0
rates = [0.0, 0.1, 0.05]
texts = np.concatenate([passages, rows(len(NEGATIVES))])
golden = {
    "scale": SCALE,
    "documents": DOCUMENTS,
    "queries": queries.tolist(),
    "passages": passages.tolist(),
    "loss": loss(queries, passages),
    "to_queries": differences(lambda q: loss(q, passages), queries).tolist(),
    "to_passages": differences(lambda p: loss(queries, p), passages).tolist(),
    "hard": {
        "owners": OWNERS,
        "documents": NEGATIVES,
        "passages": texts.tolist(),
        "loss": hard_loss(queries, texts),
        "to_queries": differences(lambda q: hard_loss(q, texts), queries).tolist(),
        "to_passages": differences(lambda p: hard_loss(queries, p), texts).tolist(),
    },
    "start": start.tolist(),
    "gradients": gradients.tolist(),
    "rates": rates,
    "matrix": adamw(start, gradients, rates, 0.01).tolist(),
    "vector": adamw(start[0], gradients[:, 0], rates, 0.0).tolist(),
}
with open("src/test/resources/io/posbias/model/inside/training.json", "w") as out:
    json.dump(golden, out, indent=1)
    out.write("\n")
