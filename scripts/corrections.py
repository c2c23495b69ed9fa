#!/usr/bin/env python3
"""Computes printed numbers of arXiv:2605.26578 again from its own tables, and prints those that rounding does not explain.

    scripts/corrections.py        # in a clone: reads data/published
"""

import csv
import json
import sys
from pathlib import Path

PUBLISHED = Path(__file__).resolve().parent.parent / "data" / "published"
SETS = ("MB", "MM", "ME", "MU")
# Table 5: place with the highest and with the lowest mean cosine, and their difference times 1000.
TABLE_5 = {
    "ModernBERT-base": ((1, 9, 21.2), (4, 10, 9.4), (9, 1, 20.6), (10, 2, 1.9)),
    "Qwen3-0.6B": ((1, 10, 21.5), (5, 10, 27.1), (9, 1, 20.6), (9, 10, 5.5)),
}
# Table 13, column Range.
RANGES = {
    "BERT-base": (11.9, 29.3, 27.8, 9.4),
    "ModernBERT-base": (21.5, 9.4, 20.6, 1.9),
    "ModernBERT-large": (13.7, 5.7, 14.9, 1.6),
    "Longformer-base": (9.7, 7.1, 15.7, 3.1),
    "GPT-2-medium": (7.6, 6.5, 9.8, 6.0),
    "BLOOM-560M": (23.1, 4.7, 21.4, 5.4),
    "TinyLlama-NoPE": (19.5, 13.6, 14.8, 8.7),
    "Qwen3-0.6B": (21.5, 27.1, 20.6, 5.5),
}


def rows(name):
    with open(PUBLISHED / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def curves():
    """Returns the ten mean cosines of each model and set, times 1000."""
    found = {}
    for row in rows("training-moving.csv"):
        found.setdefault((row["model"], row["configuration"]), []).append(1000 * float(row["cosine"]))
    return found


def checks():
    """Yields what is printed, where, the number from the paper's other table, and how much rounding explains."""
    means = curves()
    for model, ranges in RANGES.items():
        for name, printed in zip(SETS, ranges):
            curve = means[model, name]
            # Two cosines of four digits, and a range of one.
            yield f"Table 13, {model} {name}, range x 1000", printed, max(curve) - min(curve), 0.15
    for model, lines in TABLE_5.items():
        for name, (peak, lowest, printed) in zip(SETS, lines):
            curve = means[model, name]
            yield f"Table 5, {model} {name}, peak", peak, curve.index(max(curve)) + 1, 0
            yield f"Table 5, {model} {name}, lowest place", lowest, curve.index(min(curve)) + 1, 0
            yield f"Table 5, {model} {name}, difference x 1000", printed, max(curve) - min(curve), 0.15
    for row in rows("training-reversal.csv"):
        difference = float(row["back_to_front"]) - float(row["front_to_back"])
        yield f"Table 12, {row['model']} {row['configuration']}, delta", float(row["delta_rev"]), difference, 0.0015
    scores = {}
    for result in json.loads((PUBLISHED / "training.json").read_text(encoding="utf-8"))["results"]:
        model, _, name = result["model"].rpartition(" ")
        if (mean := result["profiles"][0]["query_mean"]) is not None:
            scores.setdefault((result["dataset"], name), {})[model] = mean
    for (dataset, name), models in scores.items():
        printed = models.pop("mean of 8 models")
        yield f"Table 4, {dataset} {name}", printed, sum(models.values()) / len(models), 0.001


def wrong(checked):
    """Returns the checks that rounding does not explain."""
    return [check for check in checked if abs(check[1] - check[2]) > check[3] + 1e-9]


def main():
    checked = list(checks())
    differing = wrong(checked)
    for what, printed, found, _ in differing:
        print(f"{what}: printed {printed}, computed {found:.4g}")
    print(f"{len(checked)} numbers, {len(differing)} that rounding does not explain")


if __name__ == "__main__":
    sys.exit(main())
