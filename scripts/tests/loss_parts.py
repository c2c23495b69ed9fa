"""Computes the parts of the loss at the back again with numpy, from content-fixed.csv of a cell, and prints how far those of its
result.json are from them: loss_parts.py RESULT_FOLDER [STARTS]

With STARTS evidence counts as read if it begins before what is not read, also where it ends behind it."""

import csv
import json
import pathlib
import sys
from collections import defaultdict

import numpy as np
from scipy import stats

CLUSTERS, EFFECTIVE = 10, 5


def read(folder):
    rows = defaultdict(list)
    for line in csv.DictReader(open(pathlib.Path(folder) / "content-fixed.csv", encoding="utf-8")):
        rows[line["query_id"]].append(line)
    questions = [sorted(own, key=lambda line: int(line["place"])) for own in rows.values()]
    scores = np.array([[float(line["score"]) for line in own] for own in questions])
    controls = np.array([[[float(line["natural"]), float(line["broken"])] for line in own] for own in questions])
    flags = np.array([[line["read"] for line in own] for own in questions])
    names = [own[0]["passage"] for own in questions]
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return scores, controls, flags, np.array([order[name] for name in names])


class Fit:
    """Least squares within questions over some cells, on steps of places, the controls and further columns."""

    def __init__(self, scores, controls, cells, clusters, more=None):
        n, places = scores.shape
        steps = np.broadcast_to(np.eye(places)[:, 1:], (n, places, places - 1))
        columns = np.concatenate([steps, controls] + ([] if more is None else [more[:, :, None]]), axis=2)
        count = np.maximum(cells.sum(1), 1)
        centred = (columns - ((columns * cells[:, :, None]).sum(1) / count[:, None])[:, None, :]) * cells[:, :, None]
        y = (scores - ((scores * cells).sum(1) / count)[:, None]) * cells
        keep = []
        for column in range(columns.shape[2]):
            tried = centred[:, :, [*keep, column]].reshape(-1, len(keep) + 1)
            if np.linalg.matrix_rank(tried, tol=1e-9 * np.sqrt(len(tried))) > len(keep):
                keep.append(column)
        self.columns, self.x, self.groups = columns.shape[2], centred[:, :, keep], clusters
        self.keep = keep
        moments = np.einsum("qki,qkj->qij", self.x, self.x)
        self.m_g = np.array([moments[clusters == g].sum(0) for g in range(clusters.max() + 1)])
        self.inverse = np.linalg.inv(self.m_g.sum(0))
        self.b = self.inverse @ np.einsum("qki,qk->i", self.x, y)
        errors = np.einsum("qki,qk->qi", self.x, y - self.x @ self.b)
        self.s_g = np.array([errors[clusters == g].sum(0) for g in range(clusters.max() + 1)])

    def sum(self, c):
        """Value, contributions of the clusters (CR2 of the contrast), their variances, weights of the cells."""
        c = c[self.keep]
        a = self.inverse @ c
        v = np.einsum("i,gij,j->g", a, self.m_g, a)
        h = np.einsum("i,gij,jk,gkl,l->g", a, self.m_g, self.inverse, self.m_g, a) / np.where(v == 0, 1, v)
        z = np.where(1 - h < 1e-9, 0, self.s_g @ a / np.sqrt(np.maximum(1 - h, 1e-9)))
        return c @ self.b, z, v, self.x @ a


def estimate(value, z, v, confidence):
    error, effective = np.sqrt((z**2).sum()), v.sum() ** 2 / (v**2).sum()
    half = stats.t.ppf((1 + confidence) / 2, max(1, effective - 1)) * error
    return np.array([value, value - half, value + half, effective])


def minus(one, other, clusters):
    apart = ((one[3] - other[3]) ** 2).sum(1)
    return one[0] - other[0], one[1] - other[1], np.bincount(clusters, apart)


def parts(scores, controls, flags, clusters, confidence=0.95):
    """Front, loss, and part by position, by not reading and guarded: value, interval and G*. None where a part is not known."""
    whole = flags == "whole"
    known = (flags != "unknown").all(1) & whole.any(1)
    scores, controls, whole = scores[known], controls[known], whole[known]
    clusters = np.unique(clusters[known], return_inverse=True)[1]
    n, places = scores.shape
    ends = min(3, (places - 1) // 2)
    comparable = np.zeros(places, bool)
    for place in range(places):
        sizes = np.bincount(clusters[whole[:, place]])
        sizes = sizes[sizes > 0]
        comparable[place] = len(sizes) >= CLUSTERS and sizes.sum() ** 2 / (sizes**2).sum() >= EFFECTIVE
    back = [place for place in range(places - ends, places) if comparable[place]]
    every = Fit(scores, controls, np.ones((n, places), bool), clusters)

    def weights(fit, behind, slope=0.0):
        share = len(behind) / ends
        full = np.zeros(places)
        full[:ends] += share / ends
        for place in behind:
            full[place] -= 1 / ends
        c = np.zeros(fit.columns)
        c[: places - 1] = full[1:]
        if fit.columns > places + 1:
            c[-1] = slope * (full * np.arange(places) / (places - 1)).sum()
        return c

    loss = every.sum(weights(every, list(range(places - ends, places))))
    steps = np.zeros(places)
    steps[[column + 1 for column in every.keep if column < places - 1]] = every.b[: places - 1]
    means = scores.mean() - steps.mean() + steps
    found = {"front": means[:ends].mean(), "loss": estimate(*loss[:3], confidence)}
    if whole.all() or not comparable[:ends].all() or not back:
        return found
    both = every.sum(weights(every, back))
    cells = whole & comparable
    fit = Fit(scores, controls, cells, clusters)
    position = fit.sum(weights(fit, back))
    cut = ~whole.all(1)
    slope = cut[:, None] * np.arange(places)[None, :] / (places - 1)
    guard = Fit(scores, controls, cells, clusters, slope)
    guarded = guard.sum(weights(guard, back, cut.mean()))
    found["position"] = estimate(*position[:3], confidence)
    found["not_reading"] = estimate(*minus(both, position, clusters), confidence)
    found["guarded"] = estimate(*minus(both, guarded, clusters), confidence)
    return found


def main(folder, starts=False):
    scores, controls, flags, clusters = read(folder)
    if starts:
        flags = np.where(flags == "part", "whole", flags)
    result = json.load(open(pathlib.Path(folder) / "result.json", encoding="utf-8"))["results"][0]
    own = parts(scores, controls, flags, clusters, result["settings"]["confidence"])
    for name, value in own.items():
        print(name, np.round(value, 6), "" if name == "front" else np.round(value[:3] / own["front"], 4))
    if starts:
        return
    theirs = result["profiles"][0]["content_fixed"]["parts"]
    worst = abs(own["front"] - theirs["front"])
    for name in own.keys() - {"front"}:
        points = theirs[name].get("points", theirs[name])
        worst = max(worst, np.abs(own[name][:3] - [points["value"], *points["interval"]]).max())
    print("largest difference", worst)
    if worst > 1e-9:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], len(sys.argv) > 2)
