# environment: measures
"""Compares posbias's measures and BM25, query by query, with the field's libraries: scripts/peers/run [--quick] measures

50 fuzzed runs with their own judgements (ties, grades, grade 0 and below, missing queries, empty and short rankings, negative
scores, judged passages that were not retrieved, ids beyond ASCII), and XQuAD-en's run of BM25. `posbias score` scores all runs
in one process; its values are read in full precision from queries.csv. Each library gets the same run:

  pytrec_eval   trec_eval's C code: scores are 32-bit floats, ties by passage id, descending in bytes of UTF-8: posbias's rule.
                Queries without a ranking are left out of its answer; they count as 0 here, as posbias counts them.
                RR@10, which trec_eval lacks, is recip_rank of the first ten passages in that order. A grade below 0 ends its
                process (0.5.11), so that it is given as 0.
  ir_measures   nDCG, R, RR, AP and P are pytrec_eval's. RR@10 is MS MARCO's script, which takes ties by passage id
                *ascending*, in 64-bit floats: it is asked about the ranks, and its own value is counted as a difference of libraries.
  ranx          64-bit floats and an unstable sort: tied passages come in any order. It is asked about the ranks, too.
  scikit-learn  ndcg_score averages ties, as nDCG_tieavg does. Its ideal ranking has the given passages only, so relevant passages
                that were not retrieved are appended behind ten others.

BM25 against bm25s (method lucene, 64-bit floats): all scores and rankings of whole corpora. bm25s splits words itself, by its own
tokenizer with PyStemmer; and, for other k1 and b, on texts of plain tokens (posbias: analyzer whitespace). Lucene 10.6 has
Snowball's English between 2.2 and 3.0, which no PyStemmer has: "added" is "add" in Lucene and "ad" in PyStemmer 2.2, and
"university" is "univers" in both but "universiti" in PyStemmer 3. Words of this one rule are stemmed here as by Lucene. Of German
it has rules of 3.0 ("ae" as "ä", "-system"), so that German words are not stemmed here; Spanish is equal.

--quick: 10 runs, and BM25 in English only. Exit code 1 if a difference is above its tolerance.
"""
import argparse
import collections
import csv
import gzip
import importlib.metadata
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import time
import warnings

import bm25s
import ir_measures
import numpy
import pytrec_eval
import ranx
import Stemmer
from sklearn.metrics import ndcg_score

from common import benchmark, posbias

MEASURES = ["nDCG@10", "nDCG", "R@1", "R@10", "R@100", "RR@10", "RR", "AP@10", "AP", "P@10"]
TIE_AVERAGED = "nDCG_tieavg@10"
EXACT = 1e-6
TREC = {"nDCG@10": "ndcg_cut_10", "nDCG": "ndcg", "R@1": "recall_1", "R@10": "recall_10", "R@100": "recall_100",
        "RR": "recip_rank", "AP@10": "map_cut_10", "AP": "map", "P@10": "P_10"}
RANX = {"nDCG@10": "ndcg@10", "nDCG": "ndcg", "R@1": "recall@1", "R@10": "recall@10", "R@100": "recall@100", "RR@10": "mrr@10",
        "RR": "mrr", "AP@10": "map@10", "AP": "map", "P@10": "precision@10"}


class Table:
    """Lines of a comparison: what, with which library, how many values, the largest difference."""

    def __init__(self):
        self.lines = {}

    def add(self, what, library, values, difference, tolerance, note=""):
        key = what, library
        before = self.lines.get(key, (0, 0.0, tolerance, note))
        self.lines[key] = before[0] + values, max(before[1], difference), tolerance, note

    def print(self):
        rows = [("measure", "library", "compared", "largest difference", "tolerance", "")]
        for (what, library), (values, difference, tolerance, note) in self.lines.items():
            rows.append((what, library, f"{values:,}", f"{difference:.1e}", f"{tolerance:.0e}",
                         "DIFFERS" if self.wrong(difference, tolerance) else note))
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())

    @staticmethod
    def wrong(difference, tolerance):
        return not difference <= tolerance

    def failed(self):
        return any(self.wrong(difference, tolerance) for _, difference, tolerance, _ in self.lines.values())


def library(name):
    return f"{name} {importlib.metadata.version(name)}"


# The cases.

def ids(count):
    """Ids whose order differs by numbers, cases, UTF-8 bytes and UTF-16 units."""
    odd = ["d10", "d9", "D1", "d", "d-1", "\u00e9t\u00e9", "\uff5a", "\U0001d4b3", "\u4e2d", "a b".replace(" ", "_")]
    return (odd + [f"p{i:02d}" for i in range(count - len(odd))])[:count]


def fuzzed(case, corpus):
    """Returns judgements and a run of twenty queries, in their order."""
    random_ = random.Random(f"posbias {case}")
    passages = list(corpus)
    digits = random_.choice([0, 0, 1, 2, 7])
    deepest = random_.choice([3, 9, 10, 12, len(passages)])
    shift = random_.choice([0, 0, -5, -1000])
    grades = random_.choice([[1], [1], [1, 2, 3], [1, 1, 1, 2, 4, 8], [0, 1, 2], [-2, 0, 1, 3]])
    share = random_.choice([0.03, 0.2, 0.6])
    qrels, run = {}, {}
    for i in range(20):
        query = f"c{case:02d}q{i:02d}"
        judged = [passage for passage in passages if random_.random() < share] or [random_.choice(passages)]
        qrels[query] = {passage: random_.choice(grades) for passage in judged}
        kind = random_.random()
        if kind < 0.1 and i:
            continue
        depth = 0 if kind < 0.2 and i else random_.randint(1, deepest)
        found = random_.sample(passages, depth)
        run[query] = {passage: float(numpy.float32(round(random_.uniform(0, 3), digits) + shift)) for passage in found}
    return qrels, run


def scores_of(cell):
    with open(cell / "queries.csv", encoding="utf-8", newline="") as lines:
        return {row["query_id"]: {measure: float(row[measure]) for measure in [*MEASURES, TIE_AVERAGED]}
                for row in csv.DictReader(lines)}


def run_of(cell):
    run = collections.defaultdict(dict)
    with gzip.open(cell / "run.trec.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            query, _, passage, _, score, _ = line.split()
            run[query][passage] = float(score)
    return dict(run)


def qrels_of(folder):
    qrels = collections.defaultdict(dict)
    with open(folder / "qrels" / "test.tsv", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            query, passage, grade = line.rstrip("\n").split("\t")
            qrels[query][passage] = int(grade)
    return dict(qrels)


# The libraries.

def ranked(run):
    """The passages of each query by posbias's rule."""
    return {query: sorted(scores, key=lambda passage: (numpy.float32(scores[passage]), passage.encode()), reverse=True)
            for query, scores in run.items()}


def ranks(run):
    """The same rankings with scores that no tie breaks."""
    return {query: {passage: float(-rank) for rank, passage in enumerate(order)} for query, order in ranked(run).items()}


def trec(qrels, run, measures=TREC):
    found = pytrec_eval.RelevanceEvaluator(qrels, set(measures.values())).evaluate(run)
    values = {query: {measure: found[query][name] for measure, name in measures.items()} for query in found}
    first = {query: {passage: run[query][passage] for passage in order[:10]} for query, order in ranked(run).items()}
    for query, value in pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(first).items():
        values[query]["RR@10"] = value["recip_rank"]
    return values


def irm(qrels, run, names=MEASURES):
    values = collections.defaultdict(dict)
    measures = [ir_measures.parse_measure(name) for name in names]
    for metric in ir_measures.iter_calc(measures, qrels, run):
        values[metric.query_id][str(metric.measure)] = metric.value
    return values


def ranx_(qrels, run):
    # ranx wants each query to have a passage; one that is not judged changes nothing.
    full = {query: run.get(query) or {"no passage": 0.0} for query in qrels}
    names = list(qrels)
    values = {query: {} for query in names}
    judged, answers = ranx.Qrels({query: qrels[query] for query in names}), ranx.Run(full)
    for measure, name in RANX.items():
        ranx.evaluate(judged, answers, name, return_mean=False)
        for query in names:
            values[query][measure] = answers.scores[name][query]
    return values


def tie_averaged(qrels, run):
    values = {}
    for query, scores in run.items():
        graded = qrels[query]
        if not scores or max(graded.values()) <= 0:
            continue
        lowest = min(scores.values())
        gains = [max(0, graded.get(passage, 0)) for passage in scores]
        behind = [max(0, grade) for passage, grade in graded.items() if passage not in scores]
        # Ten passages between them, each with its own score, so that what was not retrieved is beyond the cutoff.
        points = [*scores.values(), *(lowest - 1 - i for i in range(10)), *(lowest - 20 - i for i in range(len(behind)))]
        values[query] = {TIE_AVERAGED: ndcg_score([gains + [0] * 10 + behind], [points], k=10)}
    return values


def compare(table, what, ours, theirs, library_, queries, measures=MEASURES, tolerance=EXACT):
    for measure in measures:
        differences = [abs(ours[query][measure] - theirs.get(query, {}).get(measure, 0)) for query in queries]
        table.add(f"{measure}, {what}", library_, len(differences), max(differences), tolerance)


def all_libraries(table, what, qrels, run, ours):
    """Compares one run with all libraries, and counts the queries of which the libraries differ among themselves."""
    queries = list(qrels)
    positive = {query: {passage: max(0, grade) for passage, grade in graded.items()} for query, graded in qrels.items()}
    exact = trec(positive, run)
    compare(table, what, ours, exact, library("pytrec-eval-terrier"), queries)
    compare(table, what, ours, irm(positive, run), library("ir-measures"), queries, [name for name in MEASURES if name != "RR@10"])
    clean = ranks(run)
    compare(table, what, ours, irm(positive, clean, ["RR@10"]), library("ir-measures"), queries, ["RR@10"])
    by_rank = ranx_(qrels, clean)
    compare(table, what, ours, by_rank, library("ranx"), queries)
    averaged = tie_averaged(qrels, run)
    compare(table, what, ours, averaged, library("scikit-learn"), list(averaged), [TIE_AVERAGED])
    tied, found = irm(positive, run, ["RR@10"]), ranx_(qrels, run)
    return {
        "queries": len(queries),
        "ir_measures' RR@10 is not its own RR of ten passages": sum(
            abs(tied[query]["RR@10"] - exact.get(query, {}).get("RR@10", 0)) > EXACT for query in queries),
        "ranx on tied scores differs from trec_eval in some measure": sum(
            any(abs(found[query][name] - exact.get(query, {}).get(name, 0)) > EXACT for name in MEASURES) for query in queries),
        "pytrec_eval and ir_measures' RR@10 answer nothing": sum(query not in exact for query in queries),
    }


def measures(table, work, quick):
    cases = 10 if quick else 50
    corpus = {name: f"passage {i}" for i, name in enumerate(ids(60))}
    qrels, runs = {}, []
    judged = []
    for case in range(cases):
        own, run = fuzzed(case, corpus)
        qrels.update(own)
        judged.append(own)
        runs.append(run)
        if case % 2:
            (work / f"case{case}.json").write_text(json.dumps(run), encoding="utf-8")
        else:
            with open(work / f"case{case}.trec", "w", encoding="utf-8") as lines:
                lines.writelines(f"{query} Q0 {passage} 0 {score!r} fuzz\n"
                                 for query, scores in run.items() for passage, score in scores.items())
    folder = benchmark(work / "fuzz", corpus, {query: "a question" for query in qrels}, qrels)
    files = [work / f"case{case}.{'json' if case % 2 else 'trec'}" for case in range(cases)]
    posbias("score", "--partial", "--run", *files, "--dataset", folder, "--measures", ",".join([*MEASURES, TIE_AVERAGED]), "--draws", 0,
            "--blind", "none", "--results", work / "results")
    differing = collections.Counter()
    for case in range(cases):
        ours = scores_of(work / "results" / "fuzz" / f"case{case}")
        differing.update(all_libraries(table, f"{cases} fuzzed runs", judged[case], runs[case], ours))
    print("where libraries differ, of the fuzzed queries:", dict(differing))


# BM25.

class English:
    """PyStemmer 2.2, with the double consonant of add, egg and off kept, as in Lucene 10.6."""

    KEPT = re.compile("([aeo](bb|dd|ff|gg|mm|nn|pp|rr|tt))(ed|edly|ing|ingly)")

    def __init__(self):
        self.stemmer = Stemmer.Stemmer("english")

    def stemWords(self, words):
        kept = [self.KEPT.fullmatch(word) for word in words]
        return [match[1] if match else stem for match, stem in zip(kept, self.stemmer.stemWords(words))]


def stemmer_of(name):
    return {"english": English, "none": lambda: None}.get(name, lambda: Stemmer.Stemmer(name))()


def bm25(table, work, shared, quick):
    languages = {"en": ("english", "en")} if quick else {
        "en": ("english", "en"), "de": ("none", []), "es": ("spanish", [])}
    for language, (stemmer, stop) in languages.items():
        source = shared / "data" / "squad-format" / f"xquad.{language}.json"
        if not source.is_file():
            print(f"measures: {source} is not there: BM25 on XQuAD-{language} is not compared")
            continue
        folder = work / f"xquad-{language}"
        posbias("data", "build", "squad-posq", "--input", source, "--language", language, "--out", folder)
        model = "bm25"
        if language != "en":
            model = work / f"words-{stemmer}.yaml"
            model.write_text(f"name: words-{stemmer}\nkind: bm25\nfamily: sparse\nk1: 1.2\nb: 0.6\nlengths: exact\n"
                             f"analyzer: words\nstopwords: [none]\nstemmer: {stemmer}\n")
        cell = work / "results" / f"cell-{language}"
        posbias("eval", "--model", model, "--dataset", folder, "--measures", ",".join([*MEASURES, TIE_AVERAGED]), "--k", 1000,
                "--draws", 0, "--blind", "none", "--out", cell)
        k1, b = (1.5, 0.75) if language == "en" else (1.2, 0.6)
        corpus, queries = (texts_of(folder / f"{name}.jsonl") for name in ("corpus", "queries"))
        words = dict(stopwords=stop, stemmer=stemmer_of(stemmer), return_ids=False, show_progress=False)
        run = run_of(cell)
        bm25_scores(table, f"XQuAD-{language}, stemmer {stemmer}, k1 {k1}, b {b}", run, list(corpus), list(queries),
                    bm25s.tokenize(list(corpus.values()), **words), bm25s.tokenize(list(queries.values()), **words), k1, b)
        if language == "en":
            all_libraries(table, "BM25 on XQuAD-en", qrels_of(folder), run, scores_of(cell))
            if not quick:
                plain_tokens(table, work, corpus, queries, words)


def plain_tokens(table, work, corpus, queries, words):
    """Other k1 and b, on tokens that both programs only split at blanks."""
    tokens = [{key: " ".join(split) for key, split in zip(texts, bm25s.tokenize(list(texts.values()), **words))}
              for texts in (corpus, queries)]
    qrels = {query: {next(iter(corpus)): 1} for query in queries}
    folder = benchmark(work / "tokens", tokens[0], tokens[1], qrels)
    for k1, b in ((0.9, 0.4), (1.2, 1.0), (2.0, 0.0)):
        model = work / f"tokens-{k1}-{b}.yaml"
        model.write_text(f"name: tokens-{k1}-{b}\nkind: bm25\nfamily: sparse\nk1: {k1}\nb: {b}\nlengths: exact\n"
                         "analyzer: whitespace\n")
        cell = work / "results" / f"cell-{k1}-{b}"
        posbias("eval", "--model", model, "--dataset", folder, "--k", 1000, "--draws", 0, "--blind", "none", "--out", cell)
        split = [[text.split() for text in texts.values()] for texts in tokens]
        bm25_scores(table, f"XQuAD-en, tokens, k1 {k1}, b {b}", run_of(cell), list(corpus), list(queries), *split, k1, b)


def texts_of(file):
    with open(file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {row["_id"]: (row["title"] + " " if row.get("title") else "") + row["text"] for row in rows}


def bm25_scores(table, what, run, passages, queries, passage_words, query_words, k1, b):
    index = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    index.index(passage_words, show_progress=False)
    compared = largest = misplaced = 0
    for query, words in zip(queries, query_words):
        # A word that repeats counts each time.
        theirs = index.get_scores(words) if words else numpy.zeros(len(passages))
        ours = numpy.array([run.get(query, {}).get(passage, 0.0) for passage in passages])
        largest = max(largest, float(numpy.abs(ours - theirs).max()))
        compared += len(passages)
        order = ranked({query: run.get(query, {})})[query]
        at = {passage: i for i, passage in enumerate(passages)}
        values = [theirs[at[passage]] for passage in order]
        # Descending up to rounding: equal rankings, but for passages of one score.
        misplaced += sum(later - earlier > 1e-5 for earlier, later in zip(values, values[1:]))
    name = library("bm25s")
    table.add(f"BM25 scores, {what}", name, compared, largest, 1e-5)
    table.add(f"BM25 passages in another order, {what}", name, len(queries), misplaced, 0)


def main():
    # Of the compiler that ranx uses, on its hashes.
    warnings.filterwarnings("ignore", message="unsafe cast")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    start = time.monotonic()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="posbias-measures-") as folder:
        work = pathlib.Path(folder)
        measures(table, work, quick)
        bm25(table, work, pathlib.Path(os.environ["SHARED"]), quick)
    table.print()
    print(f"PyStemmer {importlib.metadata.version('PyStemmer')}; {time.monotonic() - start:.0f} s")
    sys.exit(table.failed())


if __name__ == "__main__":
    main()
