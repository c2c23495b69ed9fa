"""Computes 'posbias report over seeds RESULTS' again with numpy, from queries.csv and content-fixed.csv of the models named
NAME-SEED, and prints how far its JSON is from it; also the difference of the losses of NAME-hard and NAME, paired by seed:
seed_spread.py REPORT.json RESULT_FOLDER.."""

import csv
import json
import pathlib
import re
import sys
from collections import defaultdict

import numpy as np
from position_loss import loss, read
from scipy import stats


def over(values):
    mean, deviation = np.mean(values), np.std(values, ddof=1)
    half = stats.t.ppf(0.975, len(values) - 1) * deviation / np.sqrt(len(values))
    return [mean, deviation, mean - half, mean + half]


def flat(number):
    return [number["mean"], number["deviation"], *number["interval"]]


def psi(rows, measure):
    buckets = defaultdict(list)
    for row in rows:
        buckets[row["buckets"]].append(float(row[measure]))
    means = [np.mean(scores) for scores in buckets.values()]
    return 1 - min(means) / max(means)


def main(report, folders):
    groups = defaultdict(list)
    for folder in map(pathlib.Path, folders):
        result = json.load(open(folder / "result.json", encoding="utf-8"))["results"][0]
        seed = re.fullmatch(r"(.+)-([0-9]+)", result["model"])
        if seed:
            groups[seed.group(1)].append(folder)
    lines = {line["model"]: line for line in json.load(open(report, encoding="utf-8"))["models"]}
    worst, losses = 0, {}
    for name, seeds in groups.items():
        if len(seeds) < 2:
            continue
        line = lines[name]
        tables = [list(csv.DictReader(open(folder / "queries.csv", encoding="utf-8"))) for folder in seeds]
        measure = list(tables[0][0])[-1]
        own = over([np.mean([float(row[measure]) for row in rows]) for rows in tables])
        own += over([psi(rows, measure) for rows in tables])
        read_all = [read(folder) for folder in seeds]
        clusters, ends = read_all[0][2], min(3, (read_all[0][0].shape[1] - 1) // 2)
        own += loss(np.mean([scores for scores, _, _ in read_all], 0), clusters, ends)[0][2:]
        losses[name] = np.array([loss(scores, clusters, ends)[0][2] for scores, _, _ in read_all])
        own += over(losses[name])
        found = line["loss"]
        theirs = flat(line["mean"]) + flat(line["psi"])
        theirs += [found["estimate"]["value"], *found["estimate"]["interval"]] + flat(found["seeds"])
        apart = np.abs(np.array(own) - theirs).max()
        worst = max(worst, apart)
        print(f"{name}: {len(seeds)} seeds, {len(theirs)} numbers, at most {apart:.1e} apart")
    for name in losses:
        if name + "-hard" in losses:
            apart = losses[name + "-hard"] - losses[name]
            mean, _, low, high = over(apart)
            each = ", ".join(f"{100 * one:+.1f}" for one in apart)
            print(f"{name}-hard minus {name}: {100 * mean:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}] points of loss, by seed {each}")
    return worst < 1e-9


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1], sys.argv[2:]))
