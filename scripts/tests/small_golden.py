"""Writes src/test/resources/small, made-up data and what independent formulas say of it, for tests that run everywhere.

python3 scripts/tests/small_golden.py

squad.json    30 passages of made-up words with 120 questions, in SQuAD's form
qrels         which passage answers which question
run.trec      a run over them, with many ties
expected.json what scikit-learn's ndcg_score (ties averaged), trec_eval and the formula of bm25s give, by bucket of 100
              characters; written out below from their sources, not taken from posbias
trec/         a run with graded judgements, and trec_eval's measures of it in trec_eval's form and order
"""
import json, math, os, random, re, struct

OUT = "src/test/resources/small"
BUCKETS = [(0, 100), (100, 200), (200, 300), (300, 400), (400, 500), (500, 3120)]
rng = random.Random(20261122)


def write(name, text):
    path = os.path.join(OUT, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


# Words with a digit: stemmers and lists of stop words leave them alone.
def word():
    return "w%d" % int(400 * rng.random() ** 2 + 10)


def squad():
    paragraphs = []
    for p in range(30):
        words = [word() for _ in range(rng.randint(120, 200))]
        context = " ".join(words)
        starts = [m.start() for m in re.finditer(r"\S+", context)]
        qas = []
        for q in range(4):
            at = rng.randint(1, len(words) - 4)
            asked = [words[at - 1], words[at + 1], word(), word(), word()]
            qas.append({
                "id": "q%d-%d" % (p, q),
                "question": " ".join(asked),
                "answers": [{"text": " ".join(words[at:at + 2]), "answer_start": starts[at]}],
            })
        paragraphs.append({"context": context, "qas": qas})
    return {"version": "1.1", "data": [{"title": "made up", "paragraphs": paragraphs}]}


def bm25(docs, query, k1=1.5, b=0.75):
    """Lucene's variant, which bm25s uses unasked: Kamphuis et al. 2020, without the factor k1 + 1."""
    n, mean = len(docs), sum(map(len, docs)) / len(docs)
    scores = [0.0] * n
    for term in query:
        df = sum(term in doc for doc in docs)
        if df:
            idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
            for i, doc in enumerate(docs):
                tf = doc.count(term)
                scores[i] += idf * tf / (tf + k1 * (1 - b + b * len(doc) / mean))
    return scores


def single(score):
    """As a C float, which trec_eval keeps scores in."""
    return struct.unpack("f", struct.pack("f", score))[0]


def trec_order(hits):
    """By score, equal ones by document number, both descending: trec_eval's form_res_rels.c."""
    return [doc for doc, _ in sorted(hits, key=lambda hit: (single(hit[1]), hit[0]), reverse=True)]


def ndcg(gains, ideal, k=None):
    dcg = sum(g / math.log2(rank + 2) for rank, g in enumerate(gains[:k]) if g > 0)
    best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted((i for i in ideal if i > 0), reverse=True)[:k]))
    return dcg / best if best else 0.0


def ndcg_of_ties(hits, relevant, k):
    """sklearn.metrics.ndcg_score: documents of one score share the mean of their gains (McSherry and Najork 2008)."""
    by_score = {}
    for doc, score in hits:
        by_score.setdefault(score, []).append(1.0 if doc == relevant else 0.0)
    discount = [1 / math.log2(i + 2) if i < k else 0.0 for i in range(len(hits))]
    at, dcg = 0, 0.0
    for score in sorted(by_score, reverse=True):
        gains = by_score[score]
        dcg += sum(gains) / len(gains) * sum(discount[at:at + len(gains)])
        at += len(gains)
    return dcg


def by_bucket(queries, scores):
    buckets = []
    for low, high in BUCKETS:
        own = [q for q in queries if low <= queries[q]["start"] <= high]
        buckets.append({"n": len(own), **{name: 100 * sum(of[q] for q in own) / len(own) for name, of in scores.items()}})
    found = {"buckets": buckets}
    for name in scores:
        means = [bucket[name] for bucket in buckets]
        found[name] = {"psi": 1 - min(means) / max(means), "mean_bucket": sum(means) / len(means)}
    return found


def small():
    data = squad()
    write("squad.json", json.dumps(data) + "\n")
    paragraphs = data["data"][0]["paragraphs"]
    docs = [p["context"].split() for p in paragraphs]
    queries = {q["id"]: {"start": q["answers"][0]["answer_start"], "text": q["question"], "doc": i}
               for i, p in enumerate(paragraphs) for q in p["qas"]}
    # Documents are numbered in the order of their texts, as the code of SQuAD-PosQ does.
    order = sorted(range(len(docs)), key=lambda i: paragraphs[i]["context"])
    ids = ["d%05d" % order.index(i) for i in range(len(docs))]
    lines, plain, ties, recall, own, qrels = [], {}, {}, {}, {}, []
    for q, query in queries.items():
        scores = bm25(docs, query["text"].split())
        ranked = sorted(((ids[i], s) for i, s in enumerate(scores) if s > 0), key=lambda hit: -hit[1])
        gains = [1 if doc == ids[query["doc"]] else 0 for doc, _ in ranked]
        own[q] = ndcg(gains, [1], 10)
        # Rounded scores tie; the file's ranks and lines are in no order that matters.
        hits = [(doc, round(s * 2) / 2) for doc, s in ranked[:15]]
        for rank, (doc, score) in enumerate(sorted(hits, key=lambda hit: hit[0])):
            lines.append("%s Q0 %s %d %.1f small" % (q, doc, rank + 1, score))
        gains = [1 if doc == ids[query["doc"]] else 0 for doc in trec_order(hits)]
        plain[q] = ndcg(gains, [1], 10)
        ties[q] = ndcg_of_ties(hits, ids[query["doc"]], 10)
        recall[q] = float(sum(gains[:10]))
        qrels.append("%s 0 %s 1" % (q, ids[query["doc"]]))
    write("qrels", "\n".join(qrels) + "\n")
    write("run.trec", "\n".join(lines) + "\n")
    write("expected.json", json.dumps({
        "bm25": by_bucket(queries, {"ndcg@10": own}),
        "run": by_bucket(queries, {"ndcg@10": plain, "ndcg_tieavg@10": ties, "recall@10": recall}),
    }, indent=1) + "\n")


def trec():
    qrels, run, out = [], [], []
    for topic in range(1, 9):
        docs = ["D%03d" % d for d in range(60)]
        grades = {doc: rng.choice([-1, 0, 0, 1, 1, 2, 3]) for doc in rng.sample(docs, 25)}
        if topic == 5:
            grades = {doc: min(grade, 0) for doc, grade in grades.items()}
        # Few scores, so many ties; some that differ only beyond a float's digits.
        hits = [(doc, rng.choice([3.0, 2.5, 1.00000001, 1.00000002, 0.5, -1.0]) if topic % 2 else rng.random())
                for doc in rng.sample(docs, 45)]
        qrels += ["%d 0 %s %d" % (topic, doc, grade) for doc, grade in sorted(grades.items())]
        run += ["%d Q0 %s %d %.8f small" % (topic, doc, i, score) for i, (doc, score) in enumerate(hits)]
        gains = [grades.get(doc, 0) for doc in trec_order(hits)]
        relevant = [g > 0 for g in gains]
        total = sum(g > 0 for g in grades.values())
        precisions = [sum(relevant[:i + 1]) / (i + 1) if r else 0.0 for i, r in enumerate(relevant)]
        values = {"map": sum(precisions) / total if total else 0.0, "recip_rank": max(
            [1 / (i + 1) for i, r in enumerate(relevant) if r], default=0.0), "ndcg": ndcg(gains, grades.values())}
        for k in (5, 10, 20, 30, 100):
            values["ndcg_cut_%d" % k] = ndcg(gains, grades.values(), k)
        for k in (5, 10, 20, 100):
            values["map_cut_%d" % k] = sum(precisions[:k]) / total if total else 0.0
            values["P_%d" % k] = sum(relevant[:k]) / k
            values["recall_%d" % k] = sum(relevant[:k]) / total if total else 0.0
        out += ["%-22s\t%d\t%.4f" % (name, topic, value) for name, value in values.items()]
    write("trec/qrels", "\n".join(qrels) + "\n")
    write("trec/run", "\n".join(run) + "\n")
    write("trec/out", "\n".join(out) + "\n")


small()
trec()
