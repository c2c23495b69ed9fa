"""Prints what ClustersTest and ContentFixedFitTest expect, computed with numpy and scipy from the textbook formulas:
CR1 sandwiches of a mean, a slope and a contrast, Wald's test by Hotelling's F, and least squares within queries."""

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


def t_test(value, error, clusters):
    return value, error, 2 * stats.t.sf(abs(value / error), clusters - 1)


def clustered():
    count, n = 6, len(Y)
    sums = np.array([(Y[CLUSTERS == g] - Y.mean()).sum() for g in range(count)])
    print("mean", t_test(Y.mean(), np.sqrt((sums ** 2).sum() * count / (count - 1)) / n, count))
    design = np.c_[np.ones(n), X]
    beta = np.linalg.lstsq(design, Y, rcond=None)[0]
    print("slope", t_test(beta[1], np.sqrt(sandwich(design, Y - design @ beta, CLUSTERS, count)[1, 1]), count))
    groups = [X < 1 / 3, (X >= 1 / 3) & (X < 2 / 3), X >= 2 / 3]
    means = np.array([Y[g].mean() for g in groups])
    parts = np.array([[(Y[(CLUSTERS == c) & g] - Y[g].mean()).sum() / g.sum() for g in groups] for c in range(count)])
    covariance = parts.T @ parts * count / (count - 1)
    # Cluster 3 has no row in the first and last group: five clusters are left for their contrast.
    weights = np.array([1, 0, -1])
    error = np.sqrt(weights @ (parts.T @ parts) @ weights * 5 / 4)
    print("contrast", t_test(weights @ means, error, 5))
    differences = np.array([[-1, 1, 0], [-1, 0, 1]])
    wald = differences @ means @ np.linalg.inv(differences @ covariance @ differences.T) @ differences @ means
    print("wald", stats.f.sf(wald * (count - 2) / (2 * (count - 1)), 2, count - 2))


def sandwich(design, residuals, clusters, count):
    bread = np.linalg.inv(design.T @ design)
    scores = [design[clusters == g].T @ residuals[clusters == g] for g in range(count)]
    return bread @ sum(np.outer(s, s) for s in scores) @ bread * count / (count - 1)


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
    covariance = sandwich(design, y - design @ beta, np.array(PASSAGES)[query], 5)
    theta = np.r_[0, beta[:k - 1]]
    weights = np.r_[np.ones(3), 0, -np.ones(3)] / 3
    error = np.sqrt(np.r_[weights[1:], 0, 0] @ covariance @ np.r_[weights[1:], 0, 0])
    print("front - back", t_test(weights @ theta, error, 5))
    means = mean - theta.mean() + theta
    print("places", means, "cPSI", 1 - means.min() / means.max())
    for name, column in (("natural", k - 1), ("broken", k)):
        print(name, t_test(beta[column], np.sqrt(covariance[column, column]), 5))


if __name__ == "__main__":
    clustered()
    within()
