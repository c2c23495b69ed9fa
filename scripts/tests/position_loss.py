"""Computes net loss at the back, worst place and flips again with numpy, from the content-fixed.csv of a benchmark of windows,
and prints how far posbias' result.json is from them. position_loss.py RESULT_FOLDER.."""

import csv
import json
import pathlib
import sys

import numpy as np
from scipy import stats

MASK = (1 << 64) - 1


class SplittableRandom:
    """Java's generator of random signs (Steele, Lea and Flood 2014)."""

    def __init__(self, seed, gamma=0x9E3779B97F4A7C15):
        self.seed, self.gamma = seed & MASK, gamma

    def next_seed(self):
        self.seed = (self.seed + self.gamma) & MASK
        return self.seed

    def next_long(self):
        z = self.next_seed()
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        return z ^ z >> 31

    def split(self):
        seed, z = self.next_long(), self.next_seed()
        z = ((z ^ z >> 33) * 0xFF51AFD7ED558CCD) & MASK
        z = ((z ^ z >> 33) * 0xC4CEB9FE1A85EC53) & MASK
        z = (z ^ z >> 33) | 1
        return SplittableRandom(seed, z ^ 0xAAAAAAAAAAAAAAAA if (z ^ z >> 1).bit_count() < 24 else z)


def signs(clusters, draws, seed):
    """A row of 1 and -1 for each draw; a hundred draws share a generator."""
    root = SplittableRandom(seed)
    rows = []
    while len(rows) < draws:
        stream = root.split()
        for _ in range(min(100, draws - len(rows))):
            words = [stream.next_long() for _ in range(-(-clusters // 64))]
            rows.append([1 - 2 * (words[i // 64] >> i % 64 & 1) for i in range(clusters)])
    return np.array(rows, float)


def read(folder):
    with open(folder / "content-fixed.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    queries = list(dict.fromkeys(row["query_id"] for row in rows))
    passage = {row["query_id"]: row["passage"] for row in rows}
    names = list(dict.fromkeys(passage[query] for query in queries))
    number = {query: i for i, query in enumerate(queries)}
    k = max(int(row["place"]) for row in rows)
    scores, found = np.zeros((len(queries), k)), np.zeros((len(queries), k))
    for row in rows:
        scores[number[row["query_id"]], int(row["place"]) - 1] = float(row["score"])
        found[number[row["query_id"]], int(row["place"]) - 1] = float(row["found"])
    return scores, found, np.array([names.index(passage[query]) for query in queries])


def loss(y, clusters, ends):
    n, sizes = len(y), np.bincount(clusters)
    means = y.mean(0)
    parts = np.array([(y[clusters == g] - means).sum(0) for g in range(len(sizes))]) / n / np.sqrt(1 - sizes / n)[:, None]
    front, back = means[:ends].mean(), means[-ends:].mean()
    log = np.log(front / back)
    error = np.linalg.norm(parts[:, :ends].mean(1) / front - parts[:, -ends:].mean(1) / back)
    half = stats.t.ppf(.975, sizes.sum() ** 2 / (sizes ** 2).sum() - 1) * error
    return [front, back, 1 - back / front, 1 - np.exp(half - log), 1 - np.exp(-half - log)], means, parts


def main(folder):
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))["results"][0]
    fixed = next(profile["content_fixed"] for profile in result["profiles"] if "content_fixed" in profile)
    y, found, clusters = read(folder)
    k = y.shape[1]
    ends = min(3, (k - 1) // 2)
    own, means, parts = loss(y, clusters, ends)
    recall, _, _ = loss(found, clusters, ends)
    deviations = means.mean() - means
    departures = parts.mean(1, keepdims=True) - parts
    errors = np.linalg.norm(departures, axis=0)
    drawn = np.abs(signs(len(parts), result["settings"]["draws"], result["settings"]["seed"]) @ departures / errors).max(1)
    # The standard errors are uncertain, too: chi-square with G* - 1 degrees of freedom, many for each draw of signs.
    sizes = np.bincount(clusters)
    freedom = sizes.sum() ** 2 / (sizes ** 2).sum() - 1
    roots = np.sqrt(np.random.default_rng(1).chisquare(freedom, (len(drawn), 100)) / freedom)
    c = np.quantile(drawn[:, None] / roots, .95)
    own += recall + [deviations.max()]
    simulated = [max(0, (deviations - c * errors).max()), (deviations + c * errors).max()]
    front, back = found[:, :ends].mean(1) > .5, found[:, -ends:].mean(1) > .5
    own += [(front & ~back).sum(), (back & ~front).sum()]
    theirs = []
    for part in (fixed["loss"]["score"], fixed["loss"]["recall"]):
        theirs += [part["front"], part["back"], part["loss"]["value"], *part["loss"]["interval"]]
    worst, flips = fixed["loss"]["worst"], fixed["loss"]["flips"]
    theirs += [worst["loss"], flips["front_only"], flips["back_only"]]
    apart = np.abs(np.array(own) - theirs).max()
    drawn_apart = np.abs(np.array(simulated) - worst["interval"]).max()
    print(f"{folder.name}: {len(theirs)} numbers, at most {apart:.1e} apart; the interval of the worst place, which is drawn, {drawn_apart:.1e}")
    return apart < 1e-9 and drawn_apart < 1e-3


if __name__ == "__main__":
    sys.exit(not all([main(pathlib.Path(folder)) for folder in sys.argv[1:]]))
