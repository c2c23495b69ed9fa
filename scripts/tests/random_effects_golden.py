"""Prints src/test/resources/random-effects.json: random effects by Paule and Mandel with the interval of Hartung, Knapp, Sidik
and Jonkman, and the t test of Ibragimov and Müller ("equal"), computed with numpy and scipy from the formulas of the papers, independently of the Java code. The trials of
the BCG vaccine (Colditz et al. 1994; metafor's dat.bcg) and the eight schools (Rubin 1981) have published answers, which
this script checks: metafor gives tau^2 .3132 (REML), .3088 (DL) and .3181 (PM) for the former."""

import json

import numpy as np
from scipy import optimize, stats

BCG = np.array([
    [4, 119, 11, 128], [6, 300, 29, 274], [3, 228, 11, 209], [62, 13536, 248, 12619], [33, 5036, 47, 5761],
    [180, 1361, 372, 1079], [8, 2537, 10, 619], [505, 87886, 499, 87892], [29, 7470, 45, 7232], [17, 1699, 65, 1600],
    [186, 50448, 141, 27197], [5, 2493, 3, 2338], [27, 16886, 29, 17825]], float)


def log_ratios():
    a, b, c, d = BCG.T
    return np.log(a / (a + b)) - np.log(c / (c + d)), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d)


def weighted(y, v, tau2):
    w = 1 / (v + tau2)
    mean = np.average(y, weights=w)
    return w, mean, (w * (y - mean) ** 2).sum()


def paule_mandel(y, v):
    def excess(tau2):
        return weighted(y, v, tau2)[2] - (len(y) - 1)
    return 0. if excess(0) <= 0 else optimize.brentq(excess, 0, 100 * (np.ptp(y) ** 2 + v.max()), xtol=1e-16, rtol=1e-14)


def reml(y, v):
    def deviance(tau2):
        w, _, q = weighted(y, v, tau2)
        return np.log(v + tau2).sum() + np.log(w.sum()) + q
    return optimize.minimize_scalar(deviance, bounds=(0, 5), method="bounded", options={"xatol": 1e-10}).x


def dersimonian_laird(y, v):
    w, _, q = weighted(y, v, 0)
    return max(0, (q - len(y) + 1) / (w.sum() - (w ** 2).sum() / w.sum()))


def answer(name, y, v):
    y, v = np.asarray(y, float), np.asarray(v, float)
    k, tau2 = len(y), paule_mandel(y, v)
    w, mean, q = weighted(y, v, tau2)
    error = np.sqrt(q / (k - 1) / w.sum())
    half = stats.t.ppf(.975, k - 1) * error
    fixed = 1 / v
    typical = (k - 1) * fixed.sum() / (fixed.sum() ** 2 - (fixed ** 2).sum())
    out = dict(name=name, effects=list(y), errors=list(np.sqrt(v)), mean=mean, standardError=error, tau=np.sqrt(tau2),
               share=tau2 / (tau2 + typical), interval=[mean - half, mean + half],
               pValue=2 * stats.t.sf(abs(mean / error), k - 1))
    test = stats.ttest_1samp(y, 0)
    equal = out["equal"] = dict(mean=np.mean(y), standardError=np.std(y, ddof=1) / np.sqrt(k), tau=out["tau"],
                                share=out["share"], interval=list(test.confidence_interval(.95)), pValue=test.pvalue)
    for each in (out, equal) if k > 2 else ():
        half = stats.t.ppf(.975, k - 2) * np.hypot(np.sqrt(tau2), each["standardError"])
        each["prediction"] = [each["mean"] - half, each["mean"] + half]
    return out


def near(found, printed):
    assert round(found, 4) == printed, (found, printed)


y, v = log_ratios()
near(reml(y, v), .3132)
near(dersimonian_laird(y, v), .3088)
near(paule_mandel(y, v), .3181)
near(weighted(y, v, reml(y, v))[1], -.7145)
schools = answer("eight schools", [28, 8, -3, 7, -1, 1, 18, 12], np.array([15, 10, 16, 11, 9, 11, 10, 18]) ** 2)
assert schools["tau"] == 0 and round(schools["mean"], 2) == 7.69
random = np.random.default_rng(5)
cases = [answer("BCG", y, v), schools, answer("two", [.1, .4], [.01, .0025]), answer("far", [.1, .4, 3], [1e-4, 1e-6, .01])]
cases += [answer(f"drawn {k}", random.normal(.1, .2, k), random.uniform(.01, .2, k) ** 2) for k in (3, 5, 10)]
print(json.dumps(cases, indent=1))
