"""Computes a report of 'posbias diagnose second-evidence' again, from the benchmark and the list of the same run:
second_evidence.py BENCHMARK_FOLDER LIST.jsonl REPORT.json [RESULT_FOLDER_WITHOUT_THEM ..]

Borders of sentences and scores are taken from the list. Other places of an answer are found here as runs of equal tokens, not by
a regular expression around the answer. The result folders are of 'eval --single-evidence LIST': their queries, bucket means and
PSI are computed again from the list and from queries.csv. A difference ends the script with an error.
"""

import csv
import json
import math
import pathlib
import re
import statistics
import sys

TOKEN = re.compile(r"\d+(?:[.,]\d+)+\w*|\w+|[^\w\s]")


def tokens(text):
    return [(found.group().casefold(), found.start(), found.end()) for found in TOKEN.finditer(text)]


def places(text, answer):
    """Runs of tokens of the text that are those of the answer."""
    wanted = [token for token, _, _ in tokens(answer)]
    own = tokens(text)
    return [
        [own[i][1], own[i + len(wanted) - 1][2]]
        for i in range(len(own) - len(wanted) + 1)
        if [token for token, _, _ in own[i : i + len(wanted)]] == wanted
    ]


def buckets(spec, start, end, length):
    """Buckets of a span, as docs/measures.md defines them."""
    kind, _, argument = spec.partition(":")
    if kind == "characters-closed":
        edges = [int(edge) for edge in argument.split(",")]
        return [f"{low}-{high}" for low, high in zip(edges, edges[1:]) if low <= start <= high]
    if kind == "relative":
        bins = int(argument)
        bin = min(max(-(-(start + end) * bins // (2 * length)) - 1, 0), bins - 1)
        return [f"{100 * bin // bins}-{100 * (bin + 1) // bins}%"]
    raise SystemExit(f"buckets {spec} are not computed here")


def wilson(hits, n, confidence):
    z = statistics.NormalDist().inv_cdf(0.5 + confidence / 2)
    centre = (hits / n + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(hits / n * (1 - hits / n) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return [max(0.0, centre - half), min(1.0, centre + half)]


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def same(what, theirs, ours):
    close = math.isclose(theirs, ours, abs_tol=1e-9) if isinstance(ours, float) else theirs == ours
    if not close:
        raise SystemExit(f"{what}: posbias has {theirs}, this script {ours}")


def look(row, text, span, margin):
    """The other spans of a query."""
    sentences = row["sentences"]
    own = [i for i, (start, end) in enumerate(sentences) if start < span[1] and span[0] < end]
    same(row["query_id"] + " own", row["own"], [own[0], own[-1] + 1])
    if "scores" in row:
        best = max(row["scores"][i] for i in own)
        return [s for i, s in enumerate(sentences) if i not in own and row["scores"][i] >= best - margin], sentences[own[0]]
    inside = [sentences[own[0]][0], sentences[own[-1]][1]]
    found = places(text, text[span[0] : span[1]])
    return [[s, e] for s, e in found if e <= inside[0] or s >= inside[1]], inside


def main(benchmark, list_file, report_file, *results):
    folder = pathlib.Path(benchmark)
    texts = {row["_id"]: row["text"] for row in rows(folder / "corpus.jsonl")}
    spans = {row["_id"]: row["pos_char_span"] for row in rows(folder / "queries.jsonl") if row.get("pos_char_span")}
    with open(folder / "qrels/test.tsv", encoding="utf-8") as file:
        relevant = {row["query-id"]: row["corpus-id"] for row in csv.DictReader(file, delimiter="\t")}
    report = json.load(open(report_file, encoding="utf-8"))
    margin = report.get("found_by", {}).get("margin", 0)
    counts = {share["bucket"]: [0, 0, 0, 0, 0] for share in report["shares"]}
    sides, bucketed = {}, {}
    for row in rows(list_file):
        query = row["query_id"]
        text = texts[relevant[query]]
        span = spans[query]
        others, inside = look(row, text, span, margin)
        same(query, row["others"], others)
        before = any(start < inside[0] for start, _ in others)
        after = any(start > inside[0] for start, _ in others)
        sides[query] = {(0, 0): "none", (1, 0): "before", (0, 1): "after", (1, 1): "both"}[before, after]
        same(query + " second", row["second"], sides[query])
        bucketed[query] = buckets(report["buckets"], *span, len(text))
        for bucket in ["all", *bucketed[query]]:
            if bucket in counts:
                for i, hit in enumerate([True, bool(others), before, after]):
                    counts[bucket][i] += hit
        here = {bucket for start, end in others for bucket in buckets(report["buckets"], start, end, len(text))}
        for bucket in here | ({"all"} if others else set()):
            counts[bucket][4] += 1
    for share in report["shares"]:
        own = counts[share["bucket"]]
        same(share["bucket"], [share[name] for name in ("queries", "second", "before", "after", "other_here")], own)
        same(share["bucket"] + " share", share["share"], own[1] / own[0])
        for theirs, ours in zip(share["share_interval"], wilson(own[1], own[0], report["confidence"])):
            same(share["bucket"] + " interval", theirs, ours)
    print(f"{len(sides)} queries, {counts['all'][1]} with a second evidence: as reported")
    for result in map(pathlib.Path, results):
        check(result, sides, bucketed)


def check(result, sides, bucketed):
    single = {query for query, side in sides.items() if side == "none"}
    with open(result / "queries.csv", encoding="utf-8") as file:
        scored = list(csv.DictReader(file))
    measure = list(scored[0])[-1]
    same(f"{result} queries", {row["query_id"] for row in scored} & sides.keys(), single)
    scores = {}
    for row in scored:
        for bucket in bucketed.get(row["query_id"], []):
            scores.setdefault(bucket, []).append(float(row[measure]))
    means = {bucket: statistics.fmean(values) for bucket, values in scores.items()}
    found = json.load(open(result / "result.json", encoding="utf-8"))["results"][0]
    same(f"{result} left out", found["queries"]["judgements"]["second_evidence"], len(sides) - len(single))
    profile = found["profiles"][0]
    for bucket in profile["buckets"]:
        same(f"{result} {bucket['bucket']}", bucket["mean"], means[bucket["bucket"]])
    psi = 1 - min(means.values()) / max(means.values())
    same(f"{result} PSI", profile["psi"]["value"], psi)
    print(f"{result}: {len(scored)} queries, PSI {psi:.4f}: as in result.json")


main(*sys.argv[1:])
