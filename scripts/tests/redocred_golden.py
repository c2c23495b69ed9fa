"""Writes src/test/resources/small/redocred.json, made-up articles in Re-DocRED's form, and redocred-expected.json, what the
rules of the pools leave of them: how many queries at each step.
A reading of the rules of its own, for lists and sets of Python, not a translation of posbias.

python3 scripts/tests/redocred_golden.py
"""
import json, random
from collections import defaultdict

OUT = "src/test/resources/small/"
RELATIONS = ["P17", "P19", "P20", "P27", "P57", "P131", "P150", "P170", "P571", "P577", "P710", "P99999"]
NO_QUESTION = {"P99999"}
rng = random.Random(5)
SYLLABLES = ["Bo", "ra", "Ki", "len", "Su", "ta", "Mo", "dor", "An", "vi"]


def name():
    """Short ones, so that names stand inside other names and in several articles."""
    words = ["".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 3))) for _ in range(rng.choice([1, 1, 2]))]
    return " ".join(words)


def article(number):
    entities = []
    for _ in range(rng.randint(4, 7)):
        names = [name()]
        if rng.random() < 0.3:
            names.append(name())
        entities.append({"names": names, "type": rng.choice(["PER", "LOC", "ORG", "TIME"]), "mentions": []})
    sents = []
    for s in range(rng.randint(3, 12)):
        tokens = ["The"]
        for entity in rng.sample(entities, rng.choice([0, 1, 1, 2, 2, 3])):
            for _ in range(2 if rng.random() < 0.15 else 1):
                said = rng.choice(entity["names"]) if rng.random() < 0.5 else entity["names"][0]
                words = said.split()
                entity["mentions"].append(
                    {"name": said, "type": entity["type"], "sent_id": s, "pos": [len(tokens), len(tokens) + len(words)]})
                tokens += words + [rng.choice(["of", "and", "saw", "near"])]
        sents.append(tokens + ["."])
    entities = [entity["mentions"] for entity in entities if entity["mentions"]]
    for mentions in entities:
        rng.shuffle(mentions)
    labels = []
    if len(entities) > 1:
        for _ in range(rng.randint(4, 9)):
            h, t = rng.sample(range(len(entities)), 2)
            r = rng.choice(RELATIONS)
            # Most labels have one evidence sentence, in which both are.
            both = sorted({m["sent_id"] for m in entities[h]} & {m["sent_id"] for m in entities[t]})
            evidence = [rng.choice(both)] if both and rng.random() < 0.8 else rng.sample(
                range(len(sents)), rng.choice([0, 1, 2]))
            if all((r, h, t) != (label["r"], label["h"], label["t"]) for label in labels):
                labels.append({"r": r, "h": h, "t": t, "evidence": evidence})
    return {"title": "Article %d" % number, "sents": sents, "vertexSet": entities, "labels": labels}


def names(mentions):
    return {m["name"] for m in mentions}


def walk(articles):
    queries = []
    for article in articles:
        for label in article["labels"]:
            if label["r"] not in ("P150", "P710"):
                head, tail = article["vertexSet"][label["h"]], article["vertexSet"][label["t"]]
                queries.append({"id": "test%d" % len(queries), "article": article, "label": label, "head": head, "tail": tail})
    return queries


def without_duplicates(queries):
    titles = defaultdict(set)
    for q in queries:
        title = q["article"]["title"]
        for h in names(q["head"]):
            titles[h, q["label"]["r"]].add(title)
            for t in names(q["tail"]):
                titles["both", h, t].add(title)
                titles["both", t, h].add(title)
    def elsewhere(q):
        own = {q["article"]["title"]}
        return any(titles[h, q["label"]["r"]] - own or any(titles["both", h, t] - own for t in names(q["tail"]))
                   for h in names(q["head"]))
    return [q for q in queries if not elsewhere(q)]


articles = [article(number) for number in range(120)]
with open(OUT + "redocred.json", "w", encoding="utf-8") as file:
    json.dump(articles, file, separators=(",", ":"))
    file.write("\n")
everything = walk(articles)
expected = {}
for pool, queries in (("A", everything), ("B", without_duplicates(everything))):
    evident = [q for q in queries if q["label"]["evidence"]]
    asked = [q for q in evident if q["label"]["r"] not in NO_QUESTION]
    steps = [len(everything)] + ([len(queries)] if pool == "B" else []) + [len(evident), len(asked)]
    expected[pool] = {"steps": steps, "titles": len({q["article"]["title"] for q in asked})}
with open(OUT + "redocred-expected.json", "w", encoding="utf-8") as file:
    json.dump(expected, file, separators=(",", ":"))
    file.write("\n")
for pool in expected.values():
    print(pool["steps"], pool["titles"])
