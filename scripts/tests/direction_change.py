"""Computes the change of front minus back between groups of queries again with numpy, from queries.csv and a file of values,
and prints how far 'posbias report RESULTS --values FILE --by FIELD:EDGE --format json' is from it:
direction_change.py REPORT.json VALUES.jsonl FIELD EDGE RESULT_FOLDER.."""

import csv
import json
import pathlib
import sys

import numpy as np
from scipy import stats


def contrast(scores, clusters, parts, weights):
    """A weighted sum of means with its CR2 standard error over clusters and t with G* - 1."""
    names = sorted({clusters[i] for part in parts for i in part})
    errors, sizes = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    value = 0.0
    for part, weight in zip(parts, weights):
        mean = np.mean([scores[i] for i in part])
        value += weight * mean
        for name in names:
            own = [scores[i] - mean for i in part if clusters[i] == name]
            if own:
                errors[name] += weight * sum(own) / len(part) / np.sqrt(1 - len(own) / len(part))
                sizes[name] += weight**2 * len(own) / len(part) ** 2
    error = np.sqrt(sum(e * e for e in errors.values()))
    spread = np.array(list(sizes.values()))
    freedom = spread.sum() ** 2 / (spread**2).sum() - 1
    half = stats.t.ppf(0.975, freedom) * error
    return np.array([value, value - half, value + half, 2 * stats.t.sf(abs(value) / error, freedom)])


def main(report, values, field, edge, folders):
    known = {row["id"]: row[field] for row in map(json.loads, open(values, encoding="utf-8"))}
    changes = {change["model"]: change for change in json.load(open(report, encoding="utf-8"))["changes"]}
    for folder in map(pathlib.Path, folders):
        with open(folder / "queries.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        measure = list(rows[0])[-1]
        scores = [float(row[measure]) for row in rows]
        places = [(float(row["start"]) + float(row["end"])) / 2 / float(row["text_length"]) for row in rows]
        high = [known[row["passage"]] >= edge for row in rows]

        def part(group, back):
            return [i for i, place in enumerate(places) if high[i] == group and (place >= 2 / 3 if back else place < 1 / 3)]

        parts = [part(False, False), part(False, True), part(True, False), part(True, True)]
        clusters = [row["passage"] for row in rows]
        own = changes[json.load(open(folder / "result.json", encoding="utf-8"))["results"][0]["model"]]["front_minus_back"]
        for name, chosen, weights in [
            ("first", parts[:2], [1, -1]),
            ("second", parts[2:], [1, -1]),
            ("change", parts, [-1, 1, 1, -1]),
        ]:
            found = own[name]
            theirs = np.array([found["value"], *found["interval"], found["p_value"]])
            print(f"{folder.name} {name}: {np.abs(contrast(scores, clusters, chosen, weights) - theirs).max():.1e}")


main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5:])
