"""Prints src/test/resources/correlation-differences.json: differences of two dependent Spearman correlations with numpy and
scipy, independently of the Java code: PosIR's Table 2 (MMTEB against Q1 and Q4), lists with ties, and 12 units. The draws of the
interval are those of java.util.SplittableRandom, a generator for each hundred."""

import itertools
import json
import math

import numpy as np
from scipy import stats

DRAWS, SEED = 1000, 42
MASK = 2**64 - 1


class SplittableRandom:
    def __init__(self, seed, gamma=0x9E3779B97F4A7C15):
        self.seed, self.gamma = seed, gamma

    def next(self):
        self.seed = (self.seed + self.gamma) & MASK
        return self.seed

    def long(self):
        z = self.next()
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    def int(self):
        z = self.next()
        z = (z ^ z >> 33) * 0x62A9D9ED799705F5 & MASK
        return ((z ^ z >> 28) * 0xCB24D0A5C88C35B3 & MASK) >> 32

    def split(self):
        seed, z = self.long(), self.next()
        z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD & MASK
        z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        z = (z ^ z >> 33) | 1
        return SplittableRandom(seed, z ^ 0xAAAAAAAAAAAAAAAA if (z ^ z >> 1).bit_count() < 24 else z)

    def below(self, bound):
        product = self.int() * bound
        while product % 2**32 < 2**32 % bound:
            product = self.int() * bound
        return product >> 32


def rho(x, y):
    with np.errstate(invalid="ignore"):
        return np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1] if np.ptp(x) and np.ptp(y) else math.nan


def difference(x, first, second):
    return rho(x, first) - rho(x, second)


def answer(name, x, first, second):
    x, first, second = (np.asarray(values, float) for values in (x, first, second))
    n, own = len(x), difference(x, first, second)
    ranks = [stats.rankdata(first), stats.rankdata(second)]
    far = 0
    for swap in itertools.product([False, True], repeat=n):
        far += not abs(difference(x, np.where(swap, ranks[1], ranks[0]), np.where(swap, ranks[0], ranks[1]))) < abs(own) - 1e-12
    root, drawn = SplittableRandom(SEED), []
    for _ in range(DRAWS // 100):
        stream = root.split()
        for _ in range(100):
            units = [stream.below(n) for _ in range(n)]
            drawn.append(difference(x[units], first[units], second[units]))
    drawn = sorted(value for value in drawn if not math.isnan(value))
    ends = [drawn[min(max(math.ceil(p * len(drawn)) - 1, 0), len(drawn) - 1)] for p in ((1 - .95) / 2, 1 - (1 - .95) / 2)]
    left = [[np.delete(values, unit) for values in (x, first, second)] for unit in range(n)]
    unit = max(range(n), key=lambda unit: abs(difference(*left[unit]) - own))
    return dict(name=name, x=list(x), first=list(first), second=list(second), difference=own, interval=ends, pValue=far / 2**n,
                unit=unit, firstWithout=rho(*left[unit][:2]), secondWithout=rho(left[unit][0], left[unit][2]))


random = np.random.default_rng(67)
ability = random.normal(size=12)
cases = [
    answer("PosIR", [57.16, 54.60, 64.65, 62.96, 69.60, 66.48, 56.72, 68.69, 70.88, 75.66],
           [61.28, 57.16, 62.93, 67.82, 71.63, 74.71, 70.48, 75.76, 72.68, 74.01],
           [32.01, 29.72, 43.32, 51.20, 50.96, 54.68, 16.27, 52.28, 53.87, 27.65]),
    answer("ties", [1, 2, 2, 3, 4, 5, 5], [2, 2, 3, 3, 5, 5, 5], [5, 1, 2, 2, 3, 1, 4]),
    answer("twelve", ability, ability + random.normal(size=12) / 4, random.normal(size=12)),
]
assert [round(rho(cases[0]["x"], cases[0][key]), 2) for key in ("first", "second")] == [.73, .39]
print(json.dumps(cases, indent=1))
