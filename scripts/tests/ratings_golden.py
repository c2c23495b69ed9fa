"""Writes src/test/resources/ratings.json: agreement of raters computed with numpy and pandas from the textbook formulas, for
RaterAgreementTest and CorrelateRatingsTest. Krippendorff's alpha is computed from all pairs of ratings within items and over the
whole matrix, not from a coincidence matrix.

    python3 scripts/tests/ratings_golden.py
"""

import json
import pathlib

import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[2]


def alpha(ratings, metric):
    rows = [row[~np.isnan(row)] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    values = np.concatenate(rows)

    def distance(a, b):
        if metric == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        return (((values >= low) & (values <= high)).sum() - ((values == low).sum() + (values == high).sum()) / 2) ** 2 if a != b else 0.0

    observed = sum(distance(a, b) / (len(row) - 1) for row in rows for i, a in enumerate(row) for j, b in enumerate(row) if i != j)
    expected = sum(distance(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    return float(1 - (len(values) - 1) * observed / expected)


def kappa(a, b):
    categories = sorted(set(a) | set(b))
    table = pd.crosstab(pd.Categorical(a, categories), pd.Categorical(b, categories), dropna=False).to_numpy() / len(a)
    chance = table.sum(0) @ table.sum(1)
    return float((np.trace(table) - chance) / (1 - chance))


def pairs(ratings):
    for i in range(ratings.shape[1]):
        for j in range(i + 1, ratings.shape[1]):
            both = ratings[~np.isnan(ratings[:, [i, j]]).any(1)]
            yield both[:, i], both[:, j]


def mean(values):
    return float(np.mean(list(values)))


def golden(ratings):
    return {
        "ratings": [[None if np.isnan(v) else v for v in row] for row in ratings],
        "alpha_ordinal": alpha(ratings, "ordinal"),
        "alpha_interval": alpha(ratings, "interval"),
        "kappa": mean(kappa(a, b) for a, b in pairs(ratings)),
        "spearman": mean(
            np.corrcoef(pd.Series(a).rank(), pd.Series(b).rank())[0, 1] for a, b in pairs(ratings)),
        "within_1": mean((np.abs(a - b) <= 1).mean() for a, b in pairs(ratings)),
        "mae": mean(np.abs(a - b).mean() for a, b in pairs(ratings)),
    }


def main():
    random = np.random.default_rng(7)
    two = np.clip(np.round(random.normal(4, 1, (40, 1)) + random.normal(0, .7, (40, 2))), 1, 5)
    three = np.clip(np.round(random.normal(3, 1.2, (30, 1)) + random.normal(0, .8, (30, 3))), 1, 5)
    three[random.random(three.shape) < .15] = np.nan
    # Krippendorff 2011, section C: four observers, twelve units, published ordinal .815 and interval .849.
    n = np.nan
    published = np.array([[1, 1, n, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4],
                          [1, 1, 2, 1], [2, 2, 2, 2], [n, 5, 5, 5], [n, n, 1, 1], [n, n, 3, n]])
    cases = {"two": golden(two), "three": golden(three), "published": golden(published)}
    text = json.dumps(cases, indent=1)
    (ROOT / "src/test/resources/ratings.json").write_text(text + "\n")
    print({name: {key: value for key, value in case.items() if key != "ratings"} for name, case in cases.items()})


if __name__ == "__main__":
    main()
