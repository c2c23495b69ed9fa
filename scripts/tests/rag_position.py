"""Recomputes every number of the result.json of 'posbias probe answers' from its scores.csv and the benchmark's files, with numpy and
scipy, and prints how far apart they are. Exact match and F1 are SQuAD's rules; losses and intervals are the formulas of
docs/statistics.md.

    rag_position.py BENCHMARK RESULT_FOLDER..
"""

import collections
import csv
import json
import pathlib
import re
import string
import sys

import numpy as np
from scipy import stats

CONFIDENCE = 0.95


def words(text):
    bare = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def f1(reply, answer):
    same = sum((collections.Counter(reply) & collections.Counter(answer)).values())
    if not reply or not answer:
        return float(reply == answer)
    return 0 if same == 0 else 2 * same / (len(reply) + len(answer))


def holds(reply, answer):
    return bool(answer) and any(reply[i:i + len(answer)] == answer for i in range(len(reply)))


def answers_of(benchmark):
    """True answers by question: the text of the span, then those of the benchmark."""
    lines = lambda name: [json.loads(line) for line in (benchmark / name).read_text(encoding="utf-8").splitlines()]
    texts = {row["_id"]: row["text"] for row in lines("corpus.jsonl")}
    relevant = dict(line.split("\t")[:2] for line in (benchmark / "qrels/test.tsv").read_text(encoding="utf-8").splitlines()[1:])
    found = {}
    for row in lines("queries.jsonl"):
        start, end = row["pos_char_span"]
        own = [texts[relevant[row["_id"]]][start:end].strip()] + row.get("answers", [])
        # The span has the same text at every place.
        assert set(own) == set(found.setdefault(row["variant_of"], own)), row["_id"]
    return found


def t_interval(value, error, freedom):
    if error <= 1e-12 * abs(value):
        p = 1 if value == 0 else 2.0 ** -freedom
        low, high = (value, value) if p < 1 - CONFIDENCE else (min(0, value), max(0, value))
        return low, high, p
    half = stats.t.ppf(1 - (1 - CONFIDENCE) / 2, freedom) * error
    return value - half, value + half, 2 * stats.t.sf(abs(value) / error, freedom)


def g_star(sizes):
    return sizes.sum() ** 2 / (sizes ** 2).sum()


def curve(scores, places, clusters, count, equivalence):
    """All numbers of a curve, in the order of its JSON."""
    scores, places = np.array(scores, float), np.array(places)
    number = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
    own = np.array([number[name] for name in clusters])
    groups = [np.flatnonzero(places == place) for place in range(1, count + 1)]
    numbers = []
    for place, group in enumerate(groups, 1):
        numbers += [place, len(group)]
        if len(group) == 0:
            continue
        mean = scores[group].mean()
        numbers.append(mean)
        sizes = np.unique(own[group], return_counts=True)
        g = len(sizes[0])
        if g < 2:
            continue
        sums = np.array([(scores[group][own[group] == c] - mean).sum() for c in sizes[0]])
        error = np.sqrt((sums ** 2 / (1 - sizes[1] / len(group))).sum()) / len(group)
        if np.all(scores[group] == 0) or np.all(scores[group] == 1):
            missed = 1 - ((1 - CONFIDENCE) / 2) ** (1 / g)
            numbers += [0, missed] if mean == 0 else [1 - missed, 1]
        else:
            low, high, _ = t_interval(mean, error, max(1, g_star(sizes[1].astype(float)) - 1))
            numbers += [max(0, low), min(1, high)]
    sizes = np.bincount(own).astype(float)
    numbers += [len(sizes), g_star(sizes)]
    few = len(sizes) < 20 or g_star(sizes) < 10
    if count < 3 or len(sizes) < 2 or any(len(group) == 0 for group in groups):
        return numbers, "too few"
    means = np.array([scores[group].mean() for group in groups])
    rows = np.array([[(own[group] == c).sum() for group in groups] for c in range(len(sizes))], float)
    parts = np.array([[(scores[group][own[group] == c] - mean).sum() / len(group) for group, mean in zip(groups, means)]
                      for c in range(len(sizes))])
    totals = rows.sum(0)
    ends = min(3, (count - 1) // 2)
    front, back = means[:ends].mean(), means[-ends:].mean()
    numbers += [front, back]
    outcome = None
    first = np.zeros(count)
    first[:ends], first[-ends:] = 1 / ends, -1 / ends
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = np.where(rows < totals, parts / np.sqrt(1 - rows / totals), 0)

    def contrast(weights):
        error = np.linalg.norm(corrected @ weights)
        freedom = max(1, g_star((weights ** 2 * rows / totals ** 2).sum(1)) - 1)
        low, high, p = t_interval(means @ weights, error, freedom)
        return [means @ weights, max(-1, low), min(1, high), p]

    tested = contrast(first)
    if front > 0 and back > 0:
        gradient = np.zeros(count)
        gradient[:ends], gradient[-ends:] = 1 / (ends * front), -1 / (ends * back)
        log = np.log(front / back)
        # As one estimate, whose rows are those of the first place.
        part = parts @ gradient
        part = np.where(rows[:, 0] < totals[0], part / np.sqrt(1 - rows[:, 0] / totals[0]), 0)
        low, high, p = t_interval(log, np.linalg.norm(part), max(1, g_star(rows[:, 0]) - 1))
        tested = [1 - back / front, -np.expm1(-low), -np.expm1(-high), p]
        numbers += tested
        if -equivalence <= tested[1] and tested[2] <= equivalence:
            outcome = "even"
    middle = np.full(count, 1 / (count - 2 * ends))
    middle[:ends] = middle[-ends:] = -0.5 / ends
    numbers += contrast(middle)
    if outcome is None:
        outcome = "open" if tested[3] >= 1 - CONFIDENCE else "primacy" if tested[0] > 0 else "recency"
    return numbers, "too few" if few else outcome


def flat(own):
    """The numbers of a curve in result.json."""
    numbers = []
    for place in own["places"]:
        numbers += [place["place"], place["n"]] + ([place["mean"]] if "mean" in place else []) + place.get("interval", [])
    numbers += [own["clusters"], own["effective_clusters"]]
    if "loss" in own:
        numbers += [own["loss"]["front"], own["loss"]["back"]]
    for found in (own.get("loss", {}).get("loss"), own.get("middle_minus_ends")):
        if found:
            numbers += [found["value"], *found["interval"], found["p_value"]]
    return numbers


def kappa(rows):
    first, second, clusters = (np.array(column) for column in zip(*rows))
    first, second = first.astype(float), second.astype(float)
    names = list(dict.fromkeys(clusters.tolist()))
    same, a, b = (first == second).astype(float), first, second
    missed = 1 - a.mean() * b.mean() - (1 - a.mean()) * (1 - b.mean())
    if missed < 1e-12:
        return []
    value = 1 - (1 - same.mean()) / missed
    slope = -(1 - same.mean()) / missed ** 2
    influence = ((same - same.mean()) / missed + slope * (2 * b.mean() - 1) * (a - a.mean())
                 + slope * (2 * a.mean() - 1) * (b - b.mean())) / len(first)
    sizes = np.array([(clusters == name).sum() for name in names], float)
    if len(sizes) < 2:
        return [value]
    sums = np.array([influence[clusters == name].sum() for name in names])
    low, high, _ = t_interval(value, np.linalg.norm(sums / np.sqrt(1 - sizes / len(first))), max(1, g_star(sizes) - 1))
    return [value, max(-1, low), min(1, high)]


def main(benchmark, folder):
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["confidence"] == CONFIDENCE
    with open(folder / "scores.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    answers = answers_of(benchmark)
    replies, apart = 0, 0.0
    for row in rows:
        for prefix in ("", "given_"):
            reply = words(row[prefix + "answer"])
            wanted = [words(answer) for answer in answers[row["question"]]]
            exact, contains = reply in wanted, any(holds(reply, answer) for answer in wanted)
            assert (row[prefix + "exact"] == "true") == exact, row
            assert (row[prefix + "holds"] == "true") == contains, row
            apart = max(apart, abs(float(row[prefix + "f1"]) - max(f1(reply, answer) for answer in wanted)))
            right = {"exact": exact, "contains": contains, "judge": row[prefix + "verdict"] == "correct"}[result["right"]]
            assert (row[prefix + "right"] == "true") == right, row
            replies += 1
        # Both prompts are one where the evidence was found.
        assert not row["rank"] or all(row[name] == row["given_" + name] for name in ("prompt_place", "answer"))
    true = lambda name: [row[name] == "true" for row in rows]
    place = [int(row["place"]) for row in rows]
    clusters = [row["cluster"] for row in rows]
    found = [i for i, row in enumerate(rows) if row["rank"]]
    quantities = {
        "retrieved": ([bool(row["rank"]) for row in rows], place, clusters),
        "right_if_retrieved": ([true("right")[i] for i in found], [place[i] for i in found], [clusters[i] for i in found]),
        "right": (true("right"), place, clusters),
        "read": (true("given_right"), place, clusters),
        "f1": ([float(row["f1"]) for row in rows], place, clusters),
        "read_f1": ([float(row["given_f1"]) for row in rows], place, clusters),
        "read_in_prompt": (true("given_right"), [int(row["given_prompt_place"]) for row in rows], clusters),
    }
    compared = 0
    for own in result["curves"]:
        scores, at, of = quantities[own["quantity"]]
        count = result["k"] if own["quantity"] == "read_in_prompt" else result["places"]
        mine, outcome = curve(scores, at, of, count, result["equivalence"])
        theirs = flat(own)
        assert len(mine) == len(theirs), (own["quantity"], mine, theirs)
        assert outcome == own["outcome"], (own["quantity"], outcome)
        apart = max(apart, (np.abs(np.array(mine) - theirs) / np.maximum(1, np.abs(theirs))).max())
        compared += len(mine) + 1
    if "judge_agreement" in result:
        judged = {}
        for row in rows:
            for prefix in ("", "given_"):
                if row[prefix + "verdict"] != "empty":
                    judged[row["question"], row[prefix + "answer"]] = (
                        row[prefix + "verdict"] == "correct", row[prefix + "second_verdict"] == "correct", row["cluster"])
        own = result["judge_agreement"]
        assert own["n"] == len(judged) and own["same"] == sum(a == b for a, b, _ in judged.values())
        mine = kappa(judged.values())
        theirs = ([own["kappa"]] if "kappa" in own else []) + own.get("interval", [])
        assert len(mine) == len(theirs)
        apart = max([apart, *np.abs(np.array(mine) - theirs)])
        compared += 2 + len(mine)
    print(f"{folder.name}: {replies} replies and {compared} numbers, at most {apart:.1e} apart (relative above 1)")
    return apart < 1e-9


if __name__ == "__main__":
    benchmark, *folders = map(pathlib.Path, sys.argv[1:])
    sys.exit(not all([main(benchmark, folder) for folder in folders]))
