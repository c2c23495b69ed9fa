"""Prints what ClustersTest and ContentFixedFitTest expect, computed with numpy and scipy from the textbook formulas:
CR2 sandwiches of a mean, a slope and a contrast with G* - 1, Wald's test by Hotelling's F, least squares within queries, and
the net loss at the back."""

import numpy as np
from scipy import stats

CLUSTERS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 5, 5])
Y = np.array([1, .5, .63, 0, .43, 1, 1, .39, .5, .36, 0, .33, 1, .63, .5])
X = np.array([.1, .5, .9, .2, .8, .05, .3, .6, .95, .4, .15, .85, .25, .55, .75])
PLACES = [
    [0.086, 0.237, 0.801, 0.582, 0.094, 0.433, 0.479], [0.16, 0.735, 0.114, 0.391, 0.517, 0.431, 0.587],
    [0.738, 0.956, 0.284, 0.649, 0.696, 0.293, 0.001], [0.973, 0.298, 0.314, 0.892, 0.585, 0.471, 0.773],
    [0.03, 0.707, 0.374, 0.091, 0.661, 0.931, 0.207], [0.63, 0.298, 0.742, 0.722, 0.219, 0.83, 0.658],
    [0.683, 0.82, 0.429, 0.759, 0.878, 0.102, 0.85], [0.394, 0.48, 0.146, 0.698, 0.292, 0.871, 0.275]]
NATURAL = [2, 5, 0, 6, 3, 1, 4, 2]
PASSAGES = [0, 0, 1, 1, 2, 3, 4, 4]


def t_test(value, error, weights):
    """weights: what each cluster adds to the variance of an estimate of independent rows; G* of these."""
    weights = np.asarray(weights, float)
    effective = weights.sum() ** 2 / (weights ** 2).sum()
    return value, error, 2 * stats.t.sf(abs(value / error), max(1, effective - 1)), "G*", effective


def clustered():
    count, n = 6, len(Y)
    sizes = np.bincount(CLUSTERS)
    sums = np.array([(Y[CLUSTERS == g] - Y.mean()).sum() for g in range(count)])
    print("mean", t_test(Y.mean(), np.sqrt((sums ** 2 / (1 - sizes / n)).sum()) / n, sizes))
    design = np.c_[np.ones(n), X]
    beta = np.linalg.lstsq(design, Y, rcond=None)[0]
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    x, variance, weights = X - X.mean(), 0, []
    for g in range(count):
        own = CLUSTERS == g
        left = x[own] @ (np.eye(own.sum()) - hat[np.ix_(own, own)]) @ x[own] / (x[own] @ x[own])
        variance += (x[own] @ (Y - design @ beta)[own]) ** 2 / left
        weights.append(x[own] @ x[own])
    print("slope", t_test(beta[1], np.sqrt(variance) / (x @ x), weights))
    groups = [X < 1 / 3, (X >= 1 / 3) & (X < 2 / 3), X >= 2 / 3]
    means = np.array([Y[g].mean() for g in groups])
    rows = np.array([[((CLUSTERS == c) & g).sum() for g in groups] for c in range(count)])
    parts = np.array([[(Y[(CLUSTERS == c) & g] - Y[g].mean()).sum() / g.sum() for g in groups] for c in range(count)])
    parts /= np.sqrt(1 - rows / rows.sum(0))
    contrast = np.array([1, 0, -1])
    print("contrast", t_test(contrast @ means, np.linalg.norm(parts @ contrast), (rows / rows.sum(0) ** 2) @ contrast ** 2))
    differences = np.array([[-1, 1, 0], [-1, 0, 1]])
    wald = differences @ means @ np.linalg.inv(differences @ parts.T @ parts @ differences.T) @ differences @ means
    weights = (rows / rows.sum(0) ** 2).sum(1)
    effective = weights.sum() ** 2 / (weights ** 2).sum()
    print("wald", stats.f.sf(wald * (effective - 2) / (2 * (effective - 1)), 2, effective - 2))


def corrected(design, residuals, clusters, sizes):
    bread = np.linalg.inv(design.T @ design)
    return np.array([bread @ design[clusters == g].T @ residuals[clusters == g] / np.sqrt(1 - size / sizes.sum())
                     for g, size in enumerate(sizes)])


def within():
    k = 7
    rows, scores, query = [], [], []
    for q, own in enumerate(PLACES):
        for place in range(k):
            j = NATURAL[q]
            broken = 0 if place == j else (0 < j < k - 1) + (place > 0) + (place < k - 1)
            rows.append([float(place == other) for other in range(1, k)] + [float(place == j), float(broken)])
            scores.append(own[place])
            query.append(q)
    design, y, query = np.array(rows), np.array(scores), np.array(query)
    mean = y.mean()
    for q in range(len(PLACES)):
        design[query == q] -= design[query == q].mean(0)
        y[query == q] -= y[query == q].mean()
    beta = np.linalg.lstsq(design, y, rcond=None)[0]
    sizes = np.bincount(PASSAGES)
    parts = corrected(design, y - design @ beta, np.array(PASSAGES)[query], sizes)
    theta = np.r_[0, beta[:k - 1]]
    weights = np.r_[np.ones(3), 0, -np.ones(3)] / 3
    print("front - back", t_test(weights @ theta, np.linalg.norm(parts[:, :k - 1] @ weights[1:]), sizes))
    means = mean - theta.mean() + theta
    print("places", means, "cPSI", 1 - means.min() / means.max())
    for name, column in (("natural", k - 1), ("broken", k)):
        print(name, t_test(beta[column], np.linalg.norm(parts[:, column]), sizes))
    broken = [[0 if p == j else (0 < j < k - 1) + (p > 0) + (p < k - 1) for p in range(k)] for j in NATURAL]
    content = [np.mean(own) + beta[k - 1] * (k - 1) / k - beta[k] * np.mean(joins) for own, joins in zip(PLACES, broken)]
    print("content of every other query", np.mean(content[::2]))
    losses(means, parts[:, :k - 1], sizes)


def losses(means, parts, sizes):
    """Net loss at the back, and the worst place before the choice of its bound."""
    full = np.c_[np.zeros(len(sizes)), parts]
    means_by_query = np.array([np.mean(own) for own in PLACES])
    of_mean = np.array([(means_by_query - means_by_query.mean())[np.array(PASSAGES) == g].sum()
                        for g in range(len(sizes))]) / len(PLACES) / np.sqrt(1 - sizes / sizes.sum())
    full = full - full.mean(1, keepdims=True) + of_mean[:, None]
    front, back = means[:3].mean(), means[-3:].mean()
    gradient = np.r_[np.ones(3) / front, 0, -np.ones(3) / back] / 3
    log, error = np.log(front / back), np.linalg.norm(full @ gradient)
    freedom = max(1, sizes.sum() ** 2 / (sizes ** 2).sum() - 1)
    ends = log + np.array([-1, 1]) * stats.t.ppf(.975, freedom) * error
    print("loss", 1 - back / front, 1 - np.exp(-ends), 2 * stats.t.sf(abs(log / error), freedom))
    print("worst", means.mean() - means.min(), np.linalg.norm((full.mean(1, keepdims=True) - full), axis=0)[means.argmin()])


if __name__ == "__main__":
    clustered()
    within()
