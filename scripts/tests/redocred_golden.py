"""Writes src/test/resources/small/redocred.json, made-up articles in Re-DocRED's form, and redocred-expected.json, what the
rules of ColDeR's notebooks (profile COMPAT) make of them: how many queries each step leaves, and the sentences of both texts.
A reading of the rules of its own, for lists and sets of Python, not a translation of posbias.

python3 scripts/tests/redocred_golden.py
"""
import json, random
from collections import Counter, defaultdict

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


def in_sentence(mentions, s):
    return sum(m["sent_id"] == s for m in mentions)


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


def per_title(queries, most, last):
    kept = defaultdict(list)
    for q in queries:
        kept[q["article"]["title"]].append(q)
    ids = {q["id"] for own in kept.values() for q in (own[-most:] if last else own[:most])}
    return [q for q in queries if q["id"] in ids]


def single_relation(q):
    pairs = Counter((label["h"], label["t"]) for label in q["article"]["labels"])
    return pairs[q["label"]["h"], q["label"]["t"]] == 1


def evidence(q):
    return q["label"]["evidence"][0]


def others(q):
    return [s for s in range(len(q["article"]["sents"])) if s != evidence(q)]


def beginnings(single):
    """The steps that position, moving and brevity share."""
    once = [q for q in single if len(q["head"]) == 1 and in_sentence(q["head"], evidence(q)) == 1]
    return once, [q for q in once if single_relation(q)]


def similar(q, s):
    r, t = q["label"]["r"], q["label"]["t"]
    if q["tail"][0]["name"] in " ".join(q["article"]["sents"][s]):
        return True
    return any(s in label["evidence"] and (label["r"] == r or label["t"] == t or label["h"] == t)
               for label in q["article"]["labels"])


def head_only(q):
    for mention in q["head"]:
        s = mention["sent_id"]
        if s != evidence(q) and in_sentence(q["head"], s) == 1 and not similar(q, s):
            return s
    return None


def repetition(q):
    heads = sorted(m["sent_id"] for m in q["head"])
    tails = sorted(m["sent_id"] for m in q["tail"])
    only = [s for s in heads if s not in tails]
    neutral = [s for s in range(len(q["article"]["sents"])) if s not in heads and s not in tails]
    return min(tails), only, neutral


def pairs(queries, texts):
    return [{"id": q["id"], "title": q["article"]["title"], "d1": texts(q)[0], "d2": texts(q)[1]} for q in queries]


def probes(pool):
    single = [q for q in pool if len(q["label"]["evidence"]) == 1]
    once, related = beginnings(single)
    out = {}

    five = [q for q in related if len(q["article"]["sents"]) >= 5]
    chosen = per_title(five, 1, True)
    out["position"] = {"steps": [once, related, five, chosen], "pairs": pairs(
        chosen, lambda q: ([evidence(q)] + others(q), others(q) + [evidence(q)]))}

    nine = [q for q in related if len(q["article"]["sents"]) >= 9]
    out["moving"] = {"steps": [once, related, nine, per_title(nine, 2, True)]}

    out["brevity"] = {"steps": [once, related, related, per_title(related, 1, True)]}

    two = [q for q in single if len(names(q["head"])) >= 2]
    out["literal"] = {"steps": [single, two, per_title(two, 1, False)]}

    paired = [q for q in single if in_sentence(q["head"], evidence(q)) == 1 and single_relation(q)]
    enough = [q for q in paired if len(repetition(q)[1]) >= 2 and len(repetition(q)[2]) >= 2]
    chosen = per_title(enough, 1, False)
    out["repetition"] = {"steps": [paired, enough, chosen], "pairs": pairs(chosen, lambda q: (
        [repetition(q)[0]] + repetition(q)[1][:2], [repetition(q)[0]] + repetition(q)[2][:2]))}

    plain = [q for q in single if in_sentence(q["head"], evidence(q)) == 1 and len(q["head"]) >= 2
             and len(names(q["head"])) == 1 and len(names(q["tail"])) == 1]
    shown = [q for q in plain if head_only(q) is not None]
    def rest(q):
        return [s for s in others(q) if s != head_only(q) and not similar(q, s)]
    chosen = per_title(shown, 3, True)
    out["answer"] = {"steps": [single, plain, shown, chosen], "pairs": pairs(
        chosen, lambda q: ([evidence(q)] + rest(q), [head_only(q)] + rest(q)))}

    for probe in out.values():
        probe["steps"] = [len(step) for step in probe["steps"]]
    return out


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
    expected[pool] = {"steps": steps, "titles": len({q["article"]["title"] for q in asked}), "probes": probes(asked)}
with open(OUT + "redocred-expected.json", "w", encoding="utf-8") as file:
    json.dump(expected, file, separators=(",", ":"))
    file.write("\n")
for pool in expected.values():
    print(pool["steps"], pool["titles"], {name: probe["steps"] for name, probe in pool["probes"].items()})
