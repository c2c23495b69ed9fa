"""posbias train against its former trainer in Java: the losses of steps of AdamW, on batches that hold equal documents, texts and queries.
# environment: today

scripts/peers/run training

losses     of a tiny BERT and MiniLM with pairs, hard negatives and judgements (training-java.json, recorded with the former engine), to 5e-6
bins       batches of one length bin hold each pair once an epoch; their losses against CachedMultipleNegativesRankingLoss, to 5e-6
again      a training that is killed behind a checkpoint goes on to equal weights; the same training has equal files
models     small random models of other families are trained, with other poolings, and evaluated from their folder

The exit code is 1 if a difference is over its limit.
"""
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
HOME = pathlib.Path(tempfile.mkdtemp())
os.environ.update(POSBIAS_PYTHON=sys.executable, POSBIAS_HOME=str(HOME / "home"), HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import layouts
import torch
from common import posbias
from sentence_transformers import SentenceTransformer
from sentence_transformers.losses import CachedMultipleNegativesRankingLoss
from tiny import tiny

# Behind the library, whose name a file there has.
sys.path.append(str(ROOT / "scripts/workers"))
from posbias_worker.training import Pairs, PairTrainer

MOST = 5e-6
FAMILIES = {"roberta": "cls", "mpnet": "mean", "modernbert": "mean", "qwen3": "last", "gemma3": "mean"}
failed = []


def check(name, off, most):
    print(f"{name:56} {off:.1e}{'' if off <= most else '  over ' + str(most)}", flush=True)
    if not off <= most:
        failed.append(name)


def written(files):
    folder = pathlib.Path(tempfile.mkdtemp(dir=HOME))
    for name, lines in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(lines)
    return folder


def command(model, data, out, settings):
    changes = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    return ["train", "--model", model, "--data", data, "--out", out, "--threads", "2", *changes]


def record(folder):
    return json.loads((folder / "train.json").read_text())


def digests(folder):
    """Those of the model's files; the recipe has the folder's name."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.startswith(".posbias")]
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.name not in ("recipe.yaml", "train.json")
    }


def losses():
    cases = json.loads((HERE / "training-java.json").read_text())["cases"]
    tokenizer = json.loads((HERE / "inside-java.json").read_text())["tokenizer"]
    for number, case in enumerate(cases):
        model = f"st:{tiny(HOME, 'bert', tokenizer, 'mean')}" if case["model"] == "tiny" else case["model"]
        for kept in (4096, 0) if "hard negatives" in case["name"] else (4096,):
            out = HOME / f"case-{number}-{kept}"
            posbias(*command(model, written(case["files"]), out, {**case["settings"], "kept-tokens": kept, "micro-batch": 40}))
            found = record(out)
            name = f"{case['model']}, {case['name']}{'' if kept else ', encoded twice'}"
            pairs = zip(found["losses"], case["losses"], strict=True)
            check(name, max(abs(own - java) for own, java in pairs), MOST)
            counts = case["data"]
            if {key: found["data"].get(key) for key in counts} != counts:
                failed.append(f"{name}: counts {found['data']}, not {counts}")


def bins():
    """At this rate no weight changes, so that the losses are those of the model before training."""
    articles = json.loads((layouts.SHARED / "data/squad-format/xquad.en.json").read_text())["data"]
    parts = [part for article in articles for part in article["paragraphs"]]
    texts = {part["context"]: part["qas"][0]["question"] for part in parts[::4]}
    edges, size, epochs = [500, 700, 1000], 8, 2
    model = HOME / "bins"
    layouts.dense("mpnet", list(texts)).save(str(model))
    data = written({"train.jsonl": "".join(json.dumps({"anchor": query, "positive": text}) + "\n" for text, query in texts.items())})
    settings = {"batch": size, "epochs": epochs, "length-edges": edges, "learning-rate": 1e-30, "warm-up": 0}
    posbias(*command(f"st:{model}", data, HOME / "binned", settings))
    found = record(HOME / "binned")

    rows = [{"query": query, "passage": {"text": text}, "others": []} for text, query in texts.items()]
    file = written({"pairs.jsonl": "".join(json.dumps(row) + "\n" for row in rows)}) / "pairs.jsonl"
    batches = Pairs(file, 1, 42, edges).batches(size, 0, found["steps"])
    places = [[place % len(rows) for place in batch] for batch in batches]
    of = [[sum(edge <= len(rows[row]["passage"]["text"]) for edge in edges) for row in batch] for batch in places]
    check("batches of one bin", sum(len(set(batch)) > 1 for batch in of), 0)
    check("each pair once an epoch", sorted(sum(batches, [])) != list(range(epochs * len(rows))), 0)
    counts = [sum(batch.count(one) for batch in of) // epochs for one in range(len(edges) + 1)]
    check(f"pairs of bins {counts}", counts != found["data"]["length_bins"], 0)
    check("steps", len(batches) != epochs * sum(-(-count // size) for count in counts), 0)

    settings = {"batch": size, "epochs": epochs, "length_edges": edges, "negatives": 1, "seed": 42, "steps": 0}
    try:
        PairTrainer(None, {"settings": settings, "done": 0, "steps": len(batches) - 1, "warm_up_steps": 0, "pairs": file}, None, None, None)
        failed.append("a step too few is not refused")
    except SystemExit as refused:
        print(f"a step too few: {refused}", flush=True)

    library = SentenceTransformer(str(model), device="cpu").eval()
    loss = CachedMultipleNegativesRankingLoss(library, scale=20.0)
    off = 0
    for batch, own in zip(places, found["losses"], strict=True):
        columns = ([rows[row]["query"] for row in batch], [rows[row]["passage"]["text"] for row in batch])
        with torch.no_grad():
            off = max(off, abs(loss([library.preprocess(column) for column in columns], None).item() - own))
    check(f"losses of {len(places)} batches by bin, the library's own", off, MOST)


def again():
    cases = json.loads((HERE / "training-java.json").read_text())["cases"]
    case = next(case for case in cases if case["model"] != "tiny" and "two hard" in case["name"])
    settings = {**case["settings"], "epochs": 4, "checkpoint": 1}
    data = written(case["files"])
    for name in ("whole", "twice"):
        posbias(*command(case["model"], data, HOME / name, settings))
    check("the same training twice", digests(HOME / "whole") != digests(HOME / "twice"), 0)
    process = subprocess.Popen(
        [os.environ["POSBIAS"], *map(str, command(case["model"], data, HOME / "killed", settings))], stderr=subprocess.DEVNULL
    )
    kept = HOME / "killed/checkpoint/train.json"
    while process.poll() is None and not (kept.exists() and len(json.loads(kept.read_text())["losses"]) >= 3):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if not kept.exists() or (HOME / "killed/train.json").exists():
        failed.append("the training ended before it was killed")
    posbias(*command(case["model"], data, HOME / "killed", settings))
    check("killed and gone on", digests(HOME / "whole") != digests(HOME / "killed"), 0)
    check("killed and gone on, losses", record(HOME / "whole")["losses"] != record(HOME / "killed")["losses"], 0)


def models():
    queries, passages, corpus = layouts.texts()
    rows = zip(list(queries.values()), list(passages.values()))
    data = written({"train.jsonl": "".join(json.dumps({"anchor": query, "positive": text}) + "\n" for query, text in rows)})
    for family, pooling in FAMILIES.items():
        folder = HOME / family
        layouts.dense(family, corpus).save(str(folder))
        out = HOME / f"{family}-trained"
        settings = {"batch": 4, "epochs": 8, "length-edges": 0, "learning-rate": 1e-3, "pooling": pooling}
        posbias(*command(f"st:{folder}", data, out, settings))
        found = record(out)["losses"]
        print(f"{family}, pooling {pooling}: losses {found[0]:.3f} to {found[-1]:.3f}", flush=True)
        if not found[-1] < found[0]:
            failed.append(f"{family} does not learn")
        posbias("eval", "--model", f"{out}/recipe.yaml", "--dataset", "demo", "--out", HOME / f"results-{family}")


for part in (losses, bins, again, models):
    part()
if failed:
    sys.exit(f"peers: training: {len(failed)} differences: {', '.join(failed)}")
