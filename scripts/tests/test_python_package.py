"""Tests of src/packaging/python without a wheel: a stand-in for posbias's launcher answers its command lines.

Run: python3 -m unittest discover -s scripts/tests
"""

import contextlib
import decimal
import gc
import importlib.util
import io
import json
import multiprocessing
import os
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src" / "packaging" / "python"))

import posbias
from posbias import _bridge, _command

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_PANDAS = importlib.util.find_spec("pandas") is not None

# Answers as posbias does; with a model in memory it starts the recipe's worker and sends it frames.
LAUNCHER = '''#!{python}
import hashlib, json, os, pathlib, struct, subprocess, sys
arguments = sys.argv[1:]
pathlib.Path({seen!r}).write_text(json.dumps(arguments))
option = lambda name: next((word.split("=", 1)[1] for word in arguments if word.startswith(f"--{{name}}=")), None)
if option("measures") == "wrong":
    print("note: of no importance", file=sys.stderr)
    print("posbias eval: unknown measure wrong", file=sys.stderr)
    print("Try 'posbias eval --help'.", file=sys.stderr)
    sys.exit(2)
if option("measures") == "plan":
    print("No calls")
    sys.exit()
means = [0.5, 0.25]
if arguments[0] == "report":
    sys.exit()
model, data = arguments[1:3] if arguments[0] == "check" else (option("model") or "", option("dataset") or "")
if pathlib.Path(data).is_absolute() and pathlib.Path(data).exists():
    files = [pathlib.Path(data)] if data.endswith(".jsonl") else sorted(path for path in pathlib.Path(data).rglob("*") if path.is_file())
    pathlib.Path({seen!r}).with_name("data.json").write_text(json.dumps({{file.name: file.read_text() for file in files}}))
    if "broken" in files[0].read_text():
        print(f"posbias check: {{data}}:1: field broken is not read, as {{model}}", file=sys.stderr)
        sys.exit(1)
for number in range(int(option("seed") or 0)):
    print(f"\\r      \\rindex {{data}}: {{number}} of 30 (3%), 4 s, 5 s left\\r    \\rnote {{number}}", file=sys.stderr)
if model.endswith("recipe.yaml"):
    recipe = json.loads(pathlib.Path(model).read_text())
    worker = subprocess.Popen([sys.executable, *recipe["command"][1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    def ask(request):
        content = json.dumps(request).encode()
        worker.stdin.write(b"PBW1" + struct.pack("<i", len(content)) + content)
        worker.stdin.flush()
        header = json.loads(worker.stdout.read(struct.unpack("<4si", worker.stdout.read(8))[1]))
        count = header.get("numbers", 0)
        if "error" in header:
            print("posbias: model: worker python3: " + header["error"], file=sys.stderr)
            sys.exit(1)
        return header, struct.unpack(f"<{{count}}f", worker.stdout.read(4 * count))
    hello, _ = ask({{"do": "start", "protocol": 1, "gives": recipe["gives"], "device": "cpu", "threads": 1}})
    assert hello["protocol"] == 1 and hello["revision"] in recipe["command"], hello
    _, means = ask({{"do": "encode", "role": "query", "texts": ["one", "three"]}})
    worker.stdin.close()
    assert worker.wait(10) == 0
result = {{"schema": "posbias/result/5", "results": [{{"model": "m", "dataset": "d", "files_sha256": {{}}, "settings": {{"confidence": 0.975}},
    "truncation": [{{"known": True, "buckets": [{{"bucket": "front", "starts_past_cut": 0}}, {{"bucket": "back", "starts_past_cut": 1}}]}}], "profiles": [
    {{"measure": "nDCG@10", "stratum": "all", "queries": 2, "verdicts": ["unread", "position"],
     "buckets": [{{"bucket": "front", "queries": 1, "mean": 0.5}}, {{"bucket": "<back>", "queries": 1, "mean": None}}],
     "content_fixed": {{"queries": 2, "places": [{{"place": 1, "mean": 0.5, "unread": 0.0}}, {{"place": 2, "mean": 0.25, "unread": 0.5}}], "parts": {{"front": 0.5,
         "remainder": {{"value": -0.05, "interval": [-0.1, 0.01], "p_value": 0.2}}, "not_reading":
         {{"points": {{"value": 0.2, "interval": [0.1, 0.3], "p_value": 0.02}}, "effective_clusters": 9.5}}}}, "loss": {{"score": {{"front": 0.5, "back": 0.25,
         "loss": {{"value": 0.5, "interval": [0.1, 0.7], "p_value": 0.01}}}},
         "worst": {{"place": 10, "loss": 0.2, "interval": [0.1, 0.3]}}}}}}}}]}}]}}
folder = pathlib.Path(option("out") or option("results") + "/d/m")
folder.mkdir(parents=True, exist_ok=True)
# R@5 is of an earlier call.
rows = "model,dataset,measure,bucket,mean,thin\\nm,d,nDCG@10,front,%r,false\\nm,d,nDCG@10,back,%r,true\\nm,d,R@5,front,1,false\\n"
(folder / "buckets.csv").write_text(rows % tuple(means[:2]))
(folder / "queries.csv").write_text("query_id,passage,start,article,nDCG@10,R@5\\n007,NA,3,,0.5,1\\n008,'=p,,'-,0.25,0\\n")
for name in ("buckets.csv", "queries.csv"):
    result["results"][0]["files_sha256"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
(folder / "result.json").write_text(json.dumps(result))
if arguments[0] == "check":
    result = {{"schema": "posbias/check/2", "model": "m", "dataset": "d", "verdicts": ["position"], "answer": "It loses < all.",
        "next": f"posbias mitigate --model {{model}} --dataset {{data}}", "places": [{{"bucket": "front", "questions": 1, "found": 0.5, "mean": 0.25}}]}}
print(json.dumps(result))
'''


class PackageTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        self.seen = self.folder / "arguments.json"
        launcher = self.folder / "bin" / "posbias"
        launcher.write_text(LAUNCHER.format(python=sys.executable, seen=str(self.seen)))
        launcher.chmod(0o755)
        workers = self.folder / "scripts" / "workers"
        shutil.copytree(ROOT / "scripts" / "workers", workers)
        for module in (_command, _bridge):
            self.addCleanup(setattr, module, "DISTRIBUTION", module.DISTRIBUTION)
            module.DISTRIBUTION = self.folder
        self.said = io.StringIO()
        quiet = contextlib.redirect_stderr(self.said)
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)

    def arguments(self):
        return [word for word in json.loads(self.seen.read_text()) if not word.startswith("--results=/")]

    def test_a_run_is_a_dict_or_an_object_with_columns_or_one_that_gives_a_dict(self):
        class Run:
            def to_dict(self):
                return {"q": {"p": 1}}

        class Frame(dict):
            columns = ["rank", "score", "docno", "qid"]

        self.assertEqual(posbias._rankings(Run()), {"q": {"p": 1.0}})
        self.assertEqual(posbias._rankings({"q": {"b": 0.1, "a": 0.1}}), {"q": {"b": 0.1, "a": 0.1}})
        frame = Frame(qid=[1, 1], docno=["a", "b"], score=[2, 0.5], rank=[0, 1])
        self.assertEqual(posbias._rankings(frame), {"1": {"a": 2.0, "b": 0.5}})
        with self.assertRaisesRegex(ValueError, "twice"):
            posbias._rankings(Frame(qid=[1, "1"], docno=["a", "a"], score=[2, 1]))
        with self.assertRaisesRegex(ValueError, "nan"):
            posbias._rankings({"q": {"p": float("nan")}})
        with self.assertRaisesRegex(ValueError, "two queries"):
            posbias._rankings({1: {"p": 1.0}, "1": {"o": 1.0}})
        for wrong in (3, [("q", "p", 1.0)], {"q": ["p"]}):
            with self.assertRaises(TypeError):
                posbias._rankings(wrong)

    def test_what_is_no_score_and_no_identifier_is_refused(self):
        class Twice(dict):
            columns = ["qid", "docno", "score", "docno"]

        # A missing passage was one named None, which moved those behind it.
        for wrong in (None, "", float("nan"), 1.0, True, b"p", ("p",)):
            for run in ({wrong: {"p": 1.0}}, {"q": {wrong: 1.0}}):
                with self.assertRaises(ValueError, msg=repr(run)):
                    posbias._rankings(run)
        for wrong in ("0.5", "1_000", b"1", True, 10**400, 2**53 + 1, decimal.Decimal("0.1")):
            with self.assertRaises(ValueError, msg=repr(wrong)):
                posbias._rankings({"q": {"p": wrong}})
        with self.assertRaisesRegex(ValueError, "docno"):
            posbias._rankings(Twice(qid=["q"], docno=["p"], score=[1]))
        self.assertEqual(posbias._rankings({7: {8: 1}}), {"7": {"8": 1.0}})

    def test_options_are_the_commands(self):
        options = {"content_fixed": True, "k": 10, "overwrite": False, "seed": None, "measures": ["nDCG@10", "R@5"]}
        self.assertEqual(posbias._words(options), ["--content-fixed", "--k=10", "--measures=nDCG@10,R@5"])
        for name, value in (("format", "json"), ("dry_run", True), ("help", True), ("help_all", True), ("version", True)):
            with self.assertRaises(TypeError):
                posbias.evaluate("m", "d", **{name: value})

    def test_the_commands_line_is_the_error(self):
        with self.assertRaises(posbias.Error) as raised:
            posbias.evaluate("m", "d", measures="wrong")
        self.assertEqual((str(raised.exception), raised.exception.exit_code), ("unknown measure wrong", 2))
        self.assertEqual(self.said.getvalue(), "note: of no importance\n")
        with self.assertRaises(posbias.Error):
            posbias.evaluate("m", "d", measures="plan")

    def test_the_error_passes_from_process_to_process(self):
        for error in (posbias.Error("one line", 2), pickle.loads(pickle.dumps(posbias.Error("one line", 2)))):
            self.assertEqual((str(error), error.exit_code, type(error)), ("one line", 2, posbias.Error))
        with multiprocessing.get_context("fork").Pool(1) as pool, self.assertRaises(posbias.Error) as raised:
            pool.apply_async(posbias.evaluate, ["m", "d"], {"measures": "wrong"}).get(20)
        self.assertEqual(raised.exception.exit_code, 2)

    def test_standard_error_that_takes_no_more_lines_stops_nothing(self):
        for narrow in (io.TextIOWrapper(io.BytesIO(), encoding="ascii"), io.StringIO()):
            if isinstance(narrow, io.StringIO):
                narrow.close()
            said = _command.Said(str, narrow)
            said.read(io.BytesIO("a\nä\n\r   \rindex: 1 of 2 (50%), 3 s\rb\n".encode()))
            self.assertEqual(said.lines, ["a", "ä", "b"])

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_ten_lines_are_printed_and_all_are_in_the_notes(self):
        result = posbias.evaluate("m", "d", seed=30)
        self.assertEqual(result.notes, [f"note {number}" for number in range(30)])
        said = [line.split("\r")[-1] for line in self.said.getvalue().split("\n")]
        self.assertEqual(len([line for line in said if line.strip()]), 10, said)
        self.assertNotIn("None", self.said.getvalue())

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_results_are_frames(self):
        result = posbias.evaluate(["m"], Path("d"), content_fixed=60, out=str(self.folder / "kept"))
        self.assertEqual(
            self.arguments(),
            ["eval", "--model=m", "--dataset=d", "--format=json", "--content-fixed=60", f"--out={self.folder / 'kept'}"],
        )
        self.assertEqual(list(result.profiles["mean"]), [0.5, 0.25])
        self.assertEqual(list(result.profiles["thin"]), [False, True])
        self.assertEqual(list(result.queries["query_id"]), ["007", "008"])
        self.assertEqual(list(result.queries.columns)[-2:], ["article", "nDCG@10"])
        # Without the apostrophe that keeps a spreadsheet from running it.
        self.assertEqual(list(result.queries["passage"]), ["NA", "=p"])
        self.assertEqual(list(result.queries["start"].isna()), [False, True])
        row = result.losses.iloc[0]
        self.assertEqual((row["loss"], row["loss_low"], row["loss_high"], row["loss_p_value"]), (0.5, 0.1, 0.7, 0.01))
        self.assertEqual((row["worst_place"], row["worst_loss"], row["worst_loss_high"]), (10, 0.2, 0.3))
        part = (row["not_reading_loss"], row["not_reading_loss_low"], row["not_reading_loss_high"], row["not_reading_loss_p_value"])
        self.assertEqual(part, (0.4, 0.2, 0.6, 0.02))
        self.assertTrue(result.losses[["unread", "position_loss"]].isna().all(axis=None))
        self.assertEqual(repr(result), "Result(m on d: unread, position)")

    def written(self):
        return {name: text.splitlines() for name, text in json.loads((self.folder / "data.json").read_text()).items()}

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_rows_in_memory_are_a_file_for_the_command(self):
        import numpy
        import pandas

        rows = [{"question": "Who?", "answer": "Änn", "context": 'By "Änn"\n.'}, {"question": "What?", "answer": None, "context": "c"}]
        frame = pandas.DataFrame(rows, index=[7, 7])
        for data in (rows, frame, iter(rows)):
            posbias.check("m", data)
            self.assertEqual([json.loads(line) for line in self.written()["data.jsonl"]], rows, type(data))
        cells = {"a": numpy.int64(3), "b": numpy.array(["x"]), "c": float("nan"), "d": pandas.NaT, "e": pandas.Timestamp("2026-01-02"), "f": {1: True}}
        posbias.evaluate("m", [cells])
        plain = {"a": 3, "b": ["x"], "c": None, "d": None, "e": "2026-01-02 00:00:00", "f": {"1": True}}
        self.assertEqual(json.loads(self.written()["data.jsonl"][0]), plain)
        for wrong in (3, {"train": rows}, [["question"]], frame[["answer", "answer"]], None):
            with self.assertRaises(TypeError, msg=repr(wrong)):
                posbias.check("m", wrong)

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_corpus_queries_and_judgements_are_a_folder_for_the_command(self):
        import pandas

        frames = pandas.DataFrame({"text": ["One.", "Two."]}, index=["p1", "p2"]), pandas.DataFrame({"_id": [1], "text": ["Which?"]})
        dicts = {"p1": {"text": "One."}, "p2": {"text": "Two."}}, {1: "Which?"}
        for corpus, queries in (frames, dicts):
            for qrels in ({1: {"p2": 1}}, pandas.DataFrame({"query-id": [1], "corpus-id": ["p2"], "score": [1]})):
                posbias.check("m", (corpus, queries, qrels))
                files = self.written()
                self.assertEqual([json.loads(line)["_id"] for line in files["corpus.jsonl"]], ["p1", "p2"])
                self.assertEqual(json.loads(files["queries.jsonl"][0]), {"_id": 1, "text": "Which?"})
                self.assertEqual(files["test.tsv"], ["query-id\tcorpus-id\tscore", "1\tp2\t1"])
        with self.assertRaisesRegex(TypeError, "query 1"):
            posbias.check("m", (*dicts, {1: ["p2"]}))

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_nothing_names_a_file_that_is_gone(self):
        result = posbias.check(lambda texts: [[1.0]] * len(texts), [{"question": "Who?"}], seed=1)
        self.assertEqual(result.document["next"], "posbias mitigate --model MODEL --dataset DATA")
        with self.assertRaises(posbias.Error) as raised:
            posbias.check(lambda texts: [[1.0]] * len(texts), [{"broken": 1}])
        self.assertEqual(str(raised.exception), "DATA, row 1: field broken is not read, as MODEL")
        self.assertNotIn(tempfile.gettempdir() + "/posbias-", self.said.getvalue())
        folders = [folder for folder, _ in result._cells]
        self.assertTrue(folders[0].is_dir())
        del result
        gc.collect()
        self.assertFalse(folders[0].exists())

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_a_result_is_looked_at(self):
        result = posbias.check("m", "d")
        self.assertEqual((str(result), repr(result), result.verdict), ("It loses < all.", "Result(m on d: position)", "position"))
        self.assertEqual(result.losses["verdict"][0], "position")
        self.assertEqual(result.loss, posbias.Estimate(50.0, 10.0, 70.0, 97.5, 0.01))
        self.assertEqual(list(result.parts), ["not_reading", "remainder"])
        self.assertEqual((result.parts["not_reading"].percent, result.parts["remainder"].percent), (40.0, -10.0))
        html = result._repr_html_()
        for part in ("It loses &lt; all.", "nDCG@10 (points)", ">25.0<", "2: 25.0 points, 50% not read"):
            self.assertIn(part, html)
        self.assertEqual(pickle.loads(pickle.dumps(result)).loss, result.loss)
        self.assertIn("&lt;back&gt;", posbias.evaluate("m", "d")._repr_html_())
        result.to_html(self.folder / "page.html")
        words = json.loads(self.seen.read_text())
        self.assertEqual((words[:2], words[-1]), (["report", "page"], f"--output={self.folder / 'page.html'}"))
        shutil.rmtree(result._cells[0][0])
        with self.assertRaises(posbias.Error):
            result.to_html(self.folder / "page.html")
        with self.assertRaises(TypeError):
            posbias.check(["m", "n"], "d")

    @unittest.skipUnless(HAS_PANDAS and importlib.util.find_spec("matplotlib"), "needs matplotlib")
    def test_a_result_is_drawn(self):
        import matplotlib

        matplotlib.use("agg")
        axes = posbias.check("m", "d").plot()
        self.assertEqual([bar.get_height() for bar in axes.patches], [50, 25, 0, 12.5])
        self.assertIn("points", axes.get_ylabel())

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_only_the_printed_result_is_read(self):
        kept = self.folder / "kept"
        posbias.evaluate(["m"], "d", results=kept)
        copy = kept / "zz-before"
        shutil.copytree(kept / "d" / "m", copy)
        (copy / "buckets.csv").write_text((copy / "buckets.csv").read_text().replace("0.5", "0.9"))
        for name, foreign in (("a", "{"), ("b", "[]"), ("c", '{"results": [{"model": "m"}]}')):
            (kept / name).mkdir()
            (kept / name / "result.json").write_text(foreign)
        # A folder that another disk holds.
        shutil.move(kept / "d", self.folder / "elsewhere")
        (kept / "d").symlink_to(self.folder / "elsewhere")
        result = posbias.evaluate(["m"], "d", results=kept)
        self.assertEqual(list(result.profiles["mean"]), [0.5, 0.25])
        printed = json.dumps(result.document)
        (kept / "d" / "m" / "buckets.csv").write_text((copy / "buckets.csv").read_text())
        with self.assertRaises(posbias.Error) as raised:
            posbias._read(printed, [], kept, alone=False)
        self.assertIn("buckets.csv", str(raised.exception))

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_paths_are_those_of_the_call_for_posbias_and_for_the_reader(self):
        home, work = self.folder / "home", self.folder / "work"
        home.mkdir()
        work.mkdir()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(work)
        with unittest.mock.patch.dict(os.environ, HOME=str(home)):
            for given, folder in (("~/r", home / "r"), (Path("~/p"), home / "p"), ("r", work / "r"), ("../work/r", work / "r")):
                result = posbias.evaluate("~/m", ["~/d"], results=given, run_file="~/x", measures=["~/y", "a~/z"])
                self.assertEqual(list(result.profiles["mean"]), [0.5, 0.25])
                self.assertTrue((folder / "d" / "m" / "result.json").exists(), folder)
            words = json.loads(self.seen.read_text())
            for word in ("--model=" + str(home / "m"), "--dataset=" + str(home / "d"), f"--run-file={home}/x", f"--measures={home}/y,a~/z"):
                self.assertIn(word, words)

            def moves(texts):
                os.chdir("/")
                return [[1.0, 2.0]] * len(texts)

            os.chdir(work)
            posbias.evaluate_encoder(moves, "d", out="moved")
        self.assertEqual(sorted(path.name for path in work.iterdir()), ["moved", "r"])
        for wrong in (True, 3, ["a"]):
            with self.assertRaises(TypeError):
                posbias.evaluate("m", "d", results=wrong)

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_vectors_that_lose_something_as_real_numbers_are_refused(self):
        import numpy
        import pandas

        masked = numpy.ma.masked_array([1.0, 2.0], mask=[True, False])
        refused = [
            [[1 + 2j]],
            [["1.0"]],
            numpy.ma.masked_array([masked]),
            [masked],
            (masked,),
            [[numpy.datetime64("2026-01-01")]],
            numpy.array([["1.5"]], dtype=object),
            [[None, 1.0]],
            numpy.longdouble([[1.0]]),
            numpy.array([(1.0,)], dtype=[("a", "f4")]),
            pandas.DataFrame({"a": pandas.array([1.0], dtype="Float64"), "b": pandas.array([None], dtype="Float64")}),
            [pandas.array([1.0, None], dtype="Float64")],
            [[1e60, 1.0]],
            [[1e-60, 0.0]],
        ]
        for wrong in refused:
            with self.assertRaises(posbias.Error, msg=repr(wrong)) as raised:
                posbias.evaluate_encoder(lambda texts, wrong=wrong: wrong, "d")
            self.assertIsInstance(raised.exception.__cause__, ValueError)
        kept = numpy.float16([[0.1, 3.0]]), [[1, True]], pandas.DataFrame({"a": [0.1], "b": [3]}), [numpy.float64([0.1, 0.0])]
        for right in kept:
            exact = numpy.asarray(right, dtype="float32")
            self.assertTrue((_bridge._Function(lambda texts, right=right: right).encode({"texts": ["a"], "role": "query"})[0] == exact).all())

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs torch")
    def test_tensors_that_lose_something_as_real_numbers_are_refused(self):
        import torch

        def encoded(vectors):
            return _bridge._Function(lambda texts: vectors).encode({"texts": ["a"], "role": "query"})[0].tolist()

        for wrong in (torch.tensor([[1 + 2j]]), [torch.tensor([1 + 2j])], torch.tensor([[1e-60]], dtype=torch.float64)):
            with self.assertRaises(ValueError):
                encoded(wrong)
        half = torch.tensor([[0.1, 3.0]], dtype=torch.bfloat16, requires_grad=True)
        self.assertEqual(encoded(half), half.float().tolist())
        self.assertEqual(encoded([half[0]]), half.float().tolist())

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_a_model_in_memory_answers_in_this_thread(self):
        asked = []

        def lengths(texts):
            asked.append((threading.current_thread(), texts))
            return [[len(text), 1] for text in texts]

        result = posbias.evaluate_encoder(lengths, "d")
        self.assertEqual(list(result.profiles["mean"]), [3, 1])
        self.assertEqual(asked[-1], (threading.current_thread(), ["one", "three"]))
        self.assertIn("--no-cache", self.arguments())

        class Model:
            def encode_query(self, texts):
                return [[7, 8]] * len(texts)

            def encode_document(self, texts):
                return [[1, 2]] * len(texts)

        result = posbias.evaluate_encoder(Model(), "d", revision="r1")
        self.assertEqual(list(result.profiles["mean"]), [7, 8])
        self.assertNotIn("--no-cache", self.arguments())

    @unittest.skipUnless(HAS_PANDAS, "needs pandas")
    def test_an_exception_of_the_model_is_the_cause(self):
        def broken(texts):
            if texts != ["a"]:
                raise ZeroDivisionError("of mine")
            return [[1.0]]

        with self.assertRaises(posbias.Error) as raised:
            posbias.evaluate_encoder(broken, "d")
        self.assertIsInstance(raised.exception.__cause__, ZeroDivisionError)
        self.assertEqual(raised.exception.exit_code, 1)
        with self.assertRaises(posbias.Error) as raised:
            posbias.evaluate_encoder(lambda texts: [1.0] * len(texts), "d")
        self.assertIn("shape", str(raised.exception.__cause__))
        with self.assertRaises(TypeError):
            posbias.evaluate_encoder(3, "d")
        with self.assertRaisesRegex(TypeError, "revision"):
            posbias.evaluate("m", "d", revision="r1")

    @unittest.skipUnless(HAS_NUMPY, "needs numpy")
    def test_others_are_refused_and_the_worker_is_still_served(self):
        with _bridge.Bridge(lambda texts: [[1.0]] * len(texts), "m", "r", None) as bridge:
            variables = {**os.environ, **bridge.variables}
            port, _, token = variables["POSBIAS_BRIDGE"].partition(":")
            over = threading.Event()
            serving = threading.Thread(target=bridge.serve, args=[lambda: not over.is_set()])
            serving.start()
            try:
                silent = socket.create_connection(("127.0.0.1", int(port)))
                with socket.create_connection(("127.0.0.1", int(port))) as stranger:
                    stranger.settimeout(10)
                    stranger.sendall(b"0" * len(token) + b"PBW1")
                    # Closed without an answer.
                    with contextlib.suppress(ConnectionResetError):
                        self.assertEqual(stranger.recv(1), b"")
                relay = subprocess.run(
                    [sys.executable, _bridge._relay.__file__],
                    env=variables,
                    input=b'PBW1\x0e\x00\x00\x00{"do":"start"}',
                    capture_output=True,
                    timeout=20,
                )
                self.assertEqual(relay.returncode, 0, relay.stderr)
                self.assertEqual(json.loads(relay.stdout[8:])["revision"], "r")
                silent.close()
            finally:
                over.set()
                serving.join()

    def test_java_is_named_where_the_launcher_has_none(self):
        shutil.copy(ROOT / "scripts" / "posbias", self.folder / "bin" / "posbias")
        (self.folder / "posbias.jar").touch()
        java = self.folder / "java.exe"
        java.write_text("#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n")
        java.chmod(0o755)
        with self.assertRaisesRegex(posbias.Error, "needs Java 21"):
            _command.program({"POSBIAS_JAVA": str(java)}, windows=True)
        java.write_text("#!/bin/sh\necho 'openjdk version \"21.0.1\"' >&2\n")
        words = _command.program({"POSBIAS_JAVA": str(java), "POSBIAS_JAVA_OPTS": "-Xmx1g -ea"}, windows=True)
        self.assertEqual(words[:3], [str(java), "-Xmx1g", "-ea"])
        self.assertEqual(words[-2:], ["-jar", str(self.folder / "posbias.jar")])
        self.assertIn("posbias[java]", _command.environment()["POSBIAS_INSTALL_JAVA"])


if __name__ == "__main__":
    unittest.main()
