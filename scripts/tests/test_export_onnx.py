"""Tests of the parts of export_onnx.py that need no other package: python3 -m unittest discover -s scripts/tests"""

import contextlib
import io
import json
import math
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import export_onnx as export  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

NEEDS_YAML = unittest.skipIf(yaml is None, "PyYAML is not installed")


def run(*arguments):
    """Exit code and what was printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = export.main(arguments)
        except SystemExit as stop:
            code = stop.code
    return code, out.getvalue(), err.getvalue()


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path


class Families(unittest.TestCase):
    def test_every_model_that_needs_an_export_has_its_family(self):
        expected = {
            ("facebook/dragon-plus-context-encoder", "bert"): "bert",
            ("facebook/dragon-roberta-query-encoder", "roberta"): "roberta",
            ("facebook/contriever-msmarco", "bert"): "bert",
            ("OpenMatch/cocodr-base-msmarco", "bert"): "bert",
            ("Shitao/RetroMAE_MSMARCO_finetune", "bert"): "bert",
            ("colbert-ir/colbertv2.0", "bert"): "bert",
            ("BAAI/bge-m3", "xlm-roberta"): "roberta",
            ("BAAI/bge-reranker-v2-m3", "xlm-roberta"): "roberta",
            ("BAAI/bge-reranker-v2-gemma", "gemma"): "decoder",
            ("Qwen/Qwen3-Embedding-8B", "qwen3"): "decoder",
            ("Qwen/Qwen3-Reranker-4B", "qwen3"): "decoder",
            ("tencent/KaLM-Embedding-Gemma3-12B-2511", "gemma3_text"): "decoder",
            ("NovaSearch/stella_en_400M_v5", "new"): "stella",
            ("Alibaba-NLP/gte-multilingual-base", "new"): "new",
            ("Alibaba-NLP/gte-Qwen2-7B-instruct", "qwen2"): "bidirectional",
            ("infly/inf-retriever-v1-1.5b", "qwen2"): "bidirectional",
            ("nvidia/llama-embed-nemotron-8b", "llama_bidirec"): "bidirectional",
            ("reasonir/ReasonIR-8B", "llama"): "bidirectional",
            ("Kingsoft-LLM/QZhou-Embedding", "qwen2"): "bidirectional",
            ("nvidia/NV-Embed-v2", "nvembed"): "nv-embed",
            ("jinaai/jina-embeddings-v4", "jina_embeddings_v4"): "jina-v4",
            ("AntNLP/TinyLlama-NoPE-1.1B", "llama"): "no-positions",
            ("openai-community/gpt2-medium", "gpt2"): "gpt2",
            ("bigscience/bloom-560m", "bloom"): "bloom",
            ("allenai/longformer-base-4096", "longformer"): "longformer",
            ("answerdotai/ModernBERT-large", "modernbert"): "modernbert",
        }
        for (model, model_type), name in expected.items():
            with self.subTest(model):
                self.assertEqual(name, export.choose_family(model, model_type).name)

    def test_a_named_family_wins(self):
        self.assertEqual("bert", export.choose_family("nvidia/NV-Embed-v2", "nvembed", name="bert").name)

    def test_an_unknown_type_says_what_to_do(self):
        with self.assertRaisesRegex(export.UsageError, "no family for model type 't5'.*--list"):
            export.choose_family("a/b", "t5")

    def test_a_family_without_the_kind_is_refused(self):
        with self.assertRaisesRegex(export.UsageError, "family bloom has no cross-encoder"):
            export.choose_family("bigscience/bloom-560m", "bloom", "cross-encoder")

    def test_names_are_unique_and_listed(self):
        names = [family.name for family in export.FAMILIES]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertIn(f"{name}: ", export.list_families())

    def test_the_kind_is_guessed_only_where_there_is_no_doubt(self):
        bert, decoder = export.choose_family("a/b", "bert"), export.choose_family("a/b", "qwen3")
        self.assertEqual("cross-encoder", export.guess_kind(bert, ["BertForSequenceClassification"]))
        self.assertEqual("dense", export.guess_kind(bert, ["BertForMaskedLM"]))
        self.assertEqual("dense", export.guess_kind(decoder, ["Qwen3Model"]))
        with self.assertRaisesRegex(export.UsageError, "--kind"):
            export.guess_kind(decoder, ["Qwen3ForCausalLM"])

    def test_stock_types(self):
        self.assertEqual("llama", export.stock_type("llama_bidirec"))
        self.assertEqual("qwen2", export.stock_type("qwen2"))
        with self.assertRaises(export.UsageError):
            export.stock_type("bert")


class Arguments(Folder):
    def test_defaults(self):
        options = export.parse_arguments(["a/b", "--out", str(self.folder / "new")])
        self.assertEqual(("float32", 18, "cpu", True, None),
                         (options.precision, options.opset, options.device, options.check, options.pooled))

    def test_wrong_ones_are_named_with_exit_code_2(self):
        self.write("full/file", "x")
        new, full = str(self.folder / "new"), str(self.folder / "full")
        for arguments, message in (
                (["--out", new], "RECIPE_OR_HUB_ID is missing"),
                (["a/b"], "--out is missing"),
                (["a/b", "--out", full], "exists"),
                (["a/b", "--out", new, "--opset", "9"], "--opset 9: give 18 to 20"),
                (["a/b", "--out", new, "--max-tokens", "1"], "--max-tokens 1"),
                (["a/b", "--out", new, "--kind", "cross-encoder", "--pooling", "cls"], "are for dense models"),
                (["a/b", "--out", new, "--kind", "sparse"], "invalid choice"),
                (["a/b", "--out", new, "--precision", "int8"], "invalid choice")):
            with self.subTest(arguments):
                code, _, err = run(*arguments)
                self.assertEqual(2, code)
                self.assertIn(message, err)

    def test_an_empty_folder_may_be_there(self):
        export.parse_arguments(["a/b", "--out", str(self.folder)])

    def test_help_and_list_need_no_package(self):
        self.assertEqual(0, run("--help")[0])
        code, out, _ = run("--list")
        self.assertEqual(0, code)
        self.assertIn("nvidia/NV-Embed-v2", out)
        self.assertEqual(4, out.count("by the tracer, not tried"))

    def test_a_missing_package_is_one_line_and_exit_code_2(self):
        def missing(name):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

        with mock.patch("importlib.import_module", side_effect=missing):
            code, out, err = run("a/b", "--out", str(self.folder / "new"))
        self.assertEqual((2, ""), (code, out))
        self.assertEqual(1, err.count("\n"))
        self.assertIn("python3 -m pip install torch", err)
        self.assertFalse((self.folder / "new").exists())


class Recipes(unittest.TestCase):
    recipe = {
        "name": "stella", "kind": "dense", "family": "dense", "description": "d", "citation": "c", "licence": "mit",
        "unknown": ["one"], "source": {"export": "a/b", "revision": "main"}, "onnx": {"float32": "model.onnx"},
        "external-data": ["old"], "max-tokens": 8192, "append": ["</s>"], "pooling": "mean", "similarity": "cosine",
        "query-prompt": "Query: ", "head": {"file": "2_Dense/model.safetensors"},
    }

    def test_hidden_states_keep_every_rule(self):
        written = export.Written("float32", "model.onnx", (), "last_hidden_state", 1024)
        result = export.build_recipe(self.recipe, written)
        self.assertEqual({"folder": "."}, result["source"])
        self.assertEqual({"float32": "model.onnx"}, result["onnx"])
        self.assertEqual(("mean", ["</s>"], "Query: ", 1024, "last_hidden_state", "tokenizer.json"),
                         tuple(result[key] for key in ("pooling", "append", "query-prompt", "dimension", "output",
                                                       "tokenizer")))
        self.assertIn("head", result)
        self.assertNotIn("external-data", result)

    def test_a_graph_that_pools_leaves_no_pooling_and_no_head_to_posbias(self):
        written = export.Written("float16", "model.onnx", ("model.onnx_data",), "sentence_embedding", 1024, pooled=True,
                                 pool_mask=True, head_inside=True)
        result = export.build_recipe(self.recipe, written)
        self.assertEqual(("none", "pool_mask", "float16", ["model.onnx_data"]),
                         tuple(result[key] for key in ("pooling", "pool-mask-input", "precision", "external-data")))
        self.assertNotIn("head", result)

    def test_separate_encoders(self):
        written = export.Written("float32", "model.onnx", (), "last_hidden_state", query_graph="query/model.onnx",
                                 query_external=("query/model.onnx_data",))
        result = export.build_recipe({**self.recipe, "query-encoder": {"source": {"export": "a/q"}}}, written)
        self.assertEqual({"source": {"folder": "."}, "onnx": {"float32": "query/model.onnx"},
                          "external-data": ["query/model.onnx_data"]}, result["query-encoder"])

    def test_rerankers_say_what_their_logits_are(self):
        recipe = {"name": "r", "kind": "causal-reranker", "yes": "yes", "no": "no", "logits": "all"}
        written = export.Written("float32", "model.onnx", (), "logits", logits="yes-no", max_tokens=8192)
        result = export.build_recipe(recipe, written)
        self.assertEqual(("yes-no", 8192), (result["logits"], result["max-tokens"]))
        self.assertNotIn("dimension", result)

    def test_the_given_recipe_is_not_changed(self):
        before = json.dumps(self.recipe)
        export.build_recipe(self.recipe, export.Written("float32", "m.onnx", (), "x", pooled=True, head_inside=True))
        self.assertEqual(before, json.dumps(self.recipe))

    def test_the_recipe_decides_where_the_graph_goes(self):
        self.assertEqual("model.onnx", export.graph_path({}, "float32"))
        self.assertEqual("model.onnx", export.graph_path({"onnx": {"float16": "half.onnx"}}, "float32"))
        self.assertEqual("onnx/m.onnx", export.graph_path({"onnx": {"float32": "onnx/m.onnx"}}, "float32"))
        for path in ("/model.onnx", "../model.onnx", "a/../b.onnx", "model.bin", "", 5):
            with self.subTest(path), self.assertRaises(export.UsageError):
                export.graph_path({"onnx": {"float32": path}}, "float32")

    def test_a_repository_without_a_recipe(self):
        recipe = export.minimal_recipe("some one/model v1", "dense")
        self.assertEqual("model-v1", recipe["name"])
        self.assertTrue(recipe["unknown"])
        for kind in ("late-interaction", "causal-reranker"):
            with self.subTest(kind), self.assertRaisesRegex(export.UsageError, "only a recipe tells"):
                export.minimal_recipe("a/b", kind)

    def test_what_a_recipe_must_have(self):
        with self.assertRaisesRegex(export.UsageError, "source.export is missing"):
            export.exported_from({"source": {"hub": "a/b"}}, "m.yaml")
        with self.assertRaisesRegex(export.UsageError, "kind 'bm25' runs no graph"):
            export.check_recipe({"kind": "bm25"}, "m.yaml")
        with self.assertRaisesRegex(export.UsageError, "`yes` is missing"):
            export.check_recipe({"kind": "causal-reranker", "yes": True}, "m.yaml")
        source = {"export": "a/b", "revision": 1234}
        self.assertEqual(("a/b", "1234"), export.exported_from({"source": source}, "m.yaml"))


class Yaml(Folder):
    tricky = {
        "plain": "model.onnx", "words": ["yes", "no", "on", "null", "~", "1.0", "0x1F", "2026-11-20", ""],
        "prompt": "Instruct: x\nQuery: ", "quotes": "it's \"so\" \\ # no comment", "colon": "a: b", "stars": "*[CLS]",
        "yes": "yes", "no": "no", "unicode": "Straße 東京 😀 \u2028 \x85 \x7f \ufeff", "tab": "\t",
        "numbers": [1, -2, 1.5],
        "flag": True, "nothing": None, "empty": {}, "list": [], "deep": {"source": {"folder": "."}, "x-y": [1]},
        "segments": [{"text": "a: {b}"}, {"query": True, "prefix": "\n"}],
    }

    def test_words_that_yaml_would_read_as_something_else_are_quoted(self):
        self.assertEqual('"yes"', export.scalar("yes"))
        self.assertEqual('"No"', export.scalar("No"))
        self.assertEqual("cls", export.scalar("cls"))
        self.assertEqual("true", export.scalar(True))
        self.assertEqual('"."', export.scalar("."))

    def test_blocks(self):
        self.assertEqual('name: x\nsource:\n  folder: "."\nonnx:\n  float32: model.onnx\nappend: ["</s>"]\n',
                         export.emit_yaml({"name": "x", "source": {"folder": "."}, "onnx": {"float32": "model.onnx"},
                                           "append": ["</s>"]}))

    @NEEDS_YAML
    def test_what_is_written_is_read_back_the_same(self):
        self.assertEqual(self.tricky, yaml.safe_load(export.emit_yaml(self.tricky)))

    @NEEDS_YAML
    def test_a_recipe_is_read(self):
        path = self.write("m.yaml", "name: m\nkind: dense\nsource: {export: a/b}\n")
        self.assertEqual("m", export.read_recipe(path)["name"])
        for content in ("- 1\n", "a: [\n", ""):
            with self.subTest(content), self.assertRaises(export.UsageError):
                export.read_recipe(self.write("bad.yaml", content))
        with self.assertRaises(export.UsageError):
            export.read_recipe(self.folder / "absent.yaml")

    def test_a_recipe_is_found_by_its_name(self):
        self.assertTrue(export.find_recipe("qwen3-embedding-4b").endswith("/configs/models/qwen3-embedding-4b.yaml"))
        for given in ("a/b", "mine.yaml", str(self.folder)):
            self.assertEqual(given, export.find_recipe(given))
        with self.assertRaisesRegex(export.UsageError, "none: .*/configs/models has no such recipe"):
            export.find_recipe("none")

    @NEEDS_YAML
    def test_every_shipped_recipe_with_an_export_can_be_used(self):
        for path in sorted((Path(__file__).parents[2] / "configs" / "models").glob("*.yaml")):
            recipe = export.read_recipe(path)
            if "export" in (recipe.get("source") or {}):
                with self.subTest(path.name):
                    export.check_recipe(recipe, path.name)
                    export.exported_from(recipe, path.name)
                    export.graph_path(recipe, "float32")


class RepositoryFiles(Folder):
    def test_safetensors_come_before_pickles(self):
        names = ["config.json", "model.safetensors", "pytorch_model.bin", "vocab.txt", "modeling.py", "onnx/model.onnx",
                 "onnx/config.json", "tf_model.h5", "2_Dense_1024/model.safetensors", "1_Pooling/config.json"]
        self.assertEqual(["1_Pooling/config.json", "config.json", "model.safetensors", "modeling.py", "vocab.txt"],
                         export.choose_files(names))
        self.assertIn("2_Dense_1024/model.safetensors", export.choose_files(names, ["2_Dense_1024/model.safetensors"]))

    def test_pickles_only_when_there_is_nothing_else(self):
        kept = ["pytorch_model-00001-of-00002.bin", "pytorch_model.bin.index.json"]
        self.assertEqual(kept, export.choose_files([*kept, "colbert_linear.pt", "optimizer.bin"]))

    def test_which_weights_a_folder_has(self):
        with self.assertRaisesRegex(export.ExportError, "neither safetensors"):
            export.weight_files(self.folder)
        self.write("pytorch_model.bin", "x")
        self.assertTrue(export.weight_files(self.folder)[1])
        self.write("model.safetensors", "x")
        self.assertEqual(([self.folder / "model.safetensors"], False), export.weight_files(self.folder))

    def test_pooling_of_sentence_transformers(self):
        self.assertIsNone(export.repository_pooling(self.folder))
        for expected, settings in (
                ("mean", {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}),
                ("last", {"pooling_mode_mean_tokens": False, "pooling_mode_lasttoken": True}),
                (None, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}),
                (None, {"pooling_mode_mean_sqrt_len_tokens": True, "pooling_mode_mean_tokens": False}),
                # Since version 6.
                ("mean", {"embedding_dimension": 8, "pooling_mode": "mean", "include_prompt": True}),
                ("cls", {"pooling_mode": ["cls"]}),
                ("last", {"pooling_mode": "lasttoken"}),
                (None, {"pooling_mode": ["mean", "cls"]}),
                (None, {"pooling_mode": "weightedmean"})):
            with self.subTest(settings=settings):
                self.write("1_Pooling/config.json", settings)
                self.assertEqual(expected, export.repository_pooling(self.folder))

    def test_length_limits(self):
        for expected, config, stated in (
                (512, {"model_type": "bert", "max_position_embeddings": 512}, {}),
                (512, {"model_type": "roberta", "max_position_embeddings": 514}, {}),
                (1024, {"model_type": "gpt2", "n_positions": 1024}, {"model_max_length": 1e30}),
                (256, {"max_position_embeddings": 512}, {"model_max_length": 256}),
                (None, {"model_type": "bloom"}, {})):
            with self.subTest(config):
                self.assertEqual(expected, export.repository_max_tokens(config, stated))

    def test_external_data_begins_below_protobufs_limit(self):
        self.assertFalse(export.needs_external_data(435_000_000 * 4))  # stella, 1.7 GB
        self.assertTrue(export.needs_external_data(568_000_000 * 4))  # bge-m3, 2.27 GB
        self.assertTrue(export.needs_external_data(2 ** 31 - 1))
        self.assertFalse(export.needs_external_data(2 ** 31 - export.HEADROOM))

    def test_missing_weights_are_refused_but_for_the_pooler(self):
        export.refuse_missing(["pooler.dense.weight", "bert.pooler.dense.bias", "embeddings.position_ids"], "a/b")
        with self.assertRaisesRegex(export.ExportError, "no weights for layer.0.w"):
            export.refuse_missing(["layer.0.w", "pooler.dense.bias"], "a/b")

    def test_a_name_that_is_nothing(self):
        with self.assertRaisesRegex(export.UsageError, "neither a recipe"):
            export.fetch("nothing", None, ())
        self.assertEqual(self.folder, export.fetch(str(self.folder), None, ())[0])

    def test_a_folder_takes_its_name_only_when_complete(self):
        target = self.folder / "out"
        with self.assertRaises(RuntimeError):
            with export.temporary_folder(target) as folder:
                (folder / "model.onnx").write_text("half")
                raise RuntimeError
        self.assertEqual([], list(self.folder.iterdir()))
        with export.temporary_folder(target) as folder:
            (folder / "model.onnx").write_text("whole")
            export.publish(folder, target)
        self.assertEqual([target], list(self.folder.iterdir()))
        with export.temporary_folder(target) as folder, self.assertRaises(export.ExportError):
            export.publish(folder, target)
        self.assertEqual("whole", (target / "model.onnx").read_text())


class Tokenizers(Folder):
    words = "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nriver\n##s\n"

    def test_vocabulary(self):
        self.assertEqual({"a": 0, " b": 1, "\u2028": 2}, export.vocabulary("a\n b\n\u2028\n"))
        self.assertEqual({"a": 0, "b": 1}, export.vocabulary("a\r\nb"))

    def test_a_bert_tokenizer(self):
        built = export.wordpiece_tokenizer(export.vocabulary(self.words))
        self.assertEqual([0, 2, 3, 4, 5], [token["id"] for token in built["added_tokens"]])
        self.assertEqual({"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                          "strip_accents": None, "lowercase": True}, built["normalizer"])
        self.assertEqual([3], built["post_processor"]["special_tokens"]["[CLS]"]["ids"])
        pair = [next(iter(step.values()))["type_id"] for step in built["post_processor"]["pair"]]
        self.assertEqual([0, 0, 0, 1, 1], pair)
        self.assertEqual((7, "[UNK]"), (built["model"]["vocab"]["##s"], built["model"]["unk_token"]))
        self.assertIsNone(built["truncation"])
        self.assertFalse(export.wordpiece_tokenizer(built["model"]["vocab"], False)["normalizer"]["lowercase"])

    def test_another_vocabulary_is_refused(self):
        with self.assertRaisesRegex(export.ExportError, "this is no BERT vocabulary"):
            export.wordpiece_tokenizer({"<s>": 0})

    def test_the_repositorys_own_is_taken_without_truncation_and_padding(self):
        own = {"truncation": {"max_length": 128}, "padding": {"length": 128}, "model": {"ü": 1}}
        self.write("tokenizer.json", own)
        self.assertEqual({"truncation": None, "padding": None, "model": {"ü": 1}},
                         export.tokenizer_json(self.folder, {"model_type": "bert"}, False))

    def test_it_is_built_when_there_is_none(self):
        self.write("vocab.txt", self.words)
        self.write("tokenizer_config.json", {"do_lower_case": False})
        with contextlib.redirect_stderr(io.StringIO()) as err:
            built = export.tokenizer_json(self.folder, {"model_type": "bert"}, False)
        self.assertFalse(built["normalizer"]["lowercase"])
        self.assertIn("vocab.txt", err.getvalue())


def job(kind="dense", pooling="cls", family="bert", pooled=None, config=None, **recipe):
    options = SimpleNamespace(pooled=pooled, pooling=None, precision="float32", max_tokens=None, check=True,
                              trust_remote_code=False, device="cpu", opset=18)
    found = next(one for one in export.FAMILIES if one.name == family)
    recipe = {"kind": kind, "pooling": pooling, "max-tokens": 512, **recipe}
    return export.Job("a/b", Path("/nonexistent"), recipe, found, options, config or {})


class Jobs(unittest.TestCase):
    def test_names_of_outputs(self):
        self.assertEqual("last_hidden_state", job().output)
        self.assertEqual("sentence_embedding", job(pooled=True).output)
        self.assertEqual("sentence_embedding", job(family="nv-embed").output)
        self.assertEqual("token_embeddings", job("late-interaction").output)
        self.assertEqual("logits", job("cross-encoder").output)

    def test_the_head_is_inside_only_where_the_graph_pools(self):
        head = {"file": "h.safetensors", "weight": "w"}
        self.assertIsNone(job(head=head).head)
        self.assertEqual(head, job(head=head, pooled=True).head)
        self.assertEqual("2_Dense_1024/model.safetensors", job(family="stella").head["file"])
        self.assertEqual("linear.weight", job("late-interaction").head["weight"])

    def test_a_pool_mask_is_an_input_where_the_prompt_is_left_out(self):
        self.assertTrue(job(family="nv-embed").pool_mask)
        self.assertTrue(job(pooling="mean", pooled=True, **{"pool-prompt": False}).pool_mask)
        self.assertFalse(job(pooling="mean", **{"pool-prompt": False}).pool_mask)
        self.assertFalse(job(pooling="mean", pooled=True).pool_mask)

    def test_token_types_only_for_pairs_of_models_that_have_them(self):
        self.assertTrue(job("cross-encoder", config={"type_vocab_size": 2}).token_types)
        self.assertFalse(job("cross-encoder", config={"type_vocab_size": 1}).token_types)
        self.assertFalse(job(config={"type_vocab_size": 2}).token_types)

    def test_what_stays_open_is_refused(self):
        with self.assertRaisesRegex(export.UsageError, "give --pooling"):
            export.complete(job(pooling=None))
        with self.assertRaisesRegex(export.UsageError, "pools inside the graph"):
            export.complete(job(family="nv-embed", pooled=False))
        with self.assertRaisesRegex(export.UsageError, "give --trust-remote-code"):
            export.complete(job(family="nv-embed"))
        with self.assertRaisesRegex(export.UsageError, "give --max-tokens"):
            export.complete(job(**{"max-tokens": None}))

    def test_windows_that_the_mask_does_not_have_are_refused(self):
        qwen = {"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": True}
        full = job(family="bidirectional").family
        with self.assertRaisesRegex(export.UsageError, "--max-tokens 4096 or less"):
            export.refuse_window(full, qwen, 8192)
        export.refuse_window(full, qwen, 4096)
        export.refuse_window(full, {**qwen, "use_sliding_window": False}, 8192)
        export.refuse_window(job(family="decoder").family, qwen, 8192)

    def test_a_recipe_without_pooling_gets_a_graph_that_pools(self):
        one = job(pooling="none")
        one.options.pooling = "mean"
        export.complete(one)
        self.assertEqual(("mean", True), (one.pooling, one.pooled))


class Numbers(unittest.TestCase):
    def test_the_last_valid_position_on_both_sides(self):
        self.assertEqual(2, export.last_valid_position([1, 1, 1, 0, 0]))
        self.assertEqual(4, export.last_valid_position([0, 0, 1, 1, 1]))
        self.assertEqual(3, export.last_valid_position([1, 0, 0, 1]))
        with self.assertRaises(ValueError):
            export.last_valid_position([0, 0])

    def test_padding(self):
        self.assertEqual([[5, 6], [7, 0]], export.pad_rows([[5, 6], [7]], "right", 0))
        self.assertEqual([[5, 6], [1, 7]], export.pad_rows([[5, 6], [7]], "left", 1))

    def test_pooling(self):
        vectors = [[9.0, 9.0], [1.0, 2.0], [3.0, 6.0], [9.0, 9.0]]
        mask = [0, 1, 1, 0]
        self.assertEqual([1.0, 2.0], export.pool_rows(vectors, mask, "cls"))
        self.assertEqual([3.0, 6.0], export.pool_rows(vectors, mask, "last"))
        self.assertEqual([2.0, 4.0], export.pool_rows(vectors, mask, "mean"))
        self.assertEqual([3.0, 6.0], export.pool_rows([[9.0, 9.0], [3.0, 2.0], [1.0, 6.0]], [0, 1, 1], "max"))

    def test_cosine(self):
        self.assertAlmostEqual(1.0, export.cosine([1, 2], [2, 4]))
        self.assertAlmostEqual(0.0, export.cosine([1, 0], [0, 3]))
        for one, other in (([0, 0], [1, 1]), ([math.nan, 1], [1, 1]), ([1], [1, 1]), ([math.inf, 1], [1, 1])):
            with self.subTest(one):
                self.assertTrue(math.isnan(export.cosine(one, other)))

    def test_agreement(self):
        self.assertAlmostEqual(0.0, export.agreement("dense", [[1, 0], [1, 0]], [[1, 0], [0, 1]]))
        self.assertTrue(math.isnan(export.agreement("dense", [[1, 0], [0, 0]], [[1, 0], [0, 1]])))
        self.assertTrue(math.isnan(export.agreement("late-interaction", [[1, 0]], [[1, 0], [0, 1]])))
        self.assertAlmostEqual(0.1, export.agreement("cross-encoder", [[11.0]], [[10.0]]))
        self.assertAlmostEqual(0.1, export.agreement("causal-reranker", [[0.2, 0.1]], [[0.1, 0.1]]))

    def test_another_token_is_ordinary_and_new(self):
        row = [101, 7, 8, 102]
        self.assertEqual((1, 2), export.content_ends(row, [101, 102]))
        for size in (104, 2000, 30522):
            changed = export.change_token(row, 1, [101, 102], size)
            self.assertEqual([101, 8, 102], [changed[0], changed[2], changed[3]])
            self.assertNotIn(changed[1], (7, 101, 102))
            self.assertLess(changed[1], size)
        with self.assertRaises(ValueError):
            export.change_token([1], 0, [0], 2)


def toy(kind="mean"):
    """A graph made of arithmetic: two numbers per token, pooled in the way named."""
    def call(rows, side):
        found = []
        for row in rows:
            ids = row["input_ids"]
            vectors = [[math.sin(token), math.cos(token) + place / 7] for place, token in enumerate(ids)]
            found.append([export.pool_rows(vectors, [1] * len(ids), kind)])
        return found

    return call


class Check(unittest.TestCase):
    encoded = export.Encoded([{"input_ids": [101, *range(5, 5 + count), 102], "attention_mask": [1] * (count + 2)}
                              for count in (1, 2, 3, 5, 8, 13, 21, 34)], [101, 102], 0, 500)

    def check(self, runner, reference=None):
        expected = [(reference or runner)([row], "right")[0] for row in self.encoded.rows]
        return export.check(job(), self.encoded, runner, expected, "float32")

    def test_a_good_graph_passes(self):
        report = self.check(toy())
        self.assertTrue(report.good, report.lines)
        self.assertEqual(5, len(report.lines))

    def test_padding_that_matters_fails(self):
        def sided(rows, side):
            return [[[a + (side == "left" and len(rows) > 1), b] for a, b in row] for row in toy()(rows, side)]

        report = self.check(sided)
        self.assertFalse(report.good)
        self.assertEqual(["  batch, padded left, cosine"],
                         [line[:28] for line in report.lines if line.endswith("FAILED")])

    def test_a_vector_that_does_not_see_the_last_token_fails(self):
        report = self.check(toy("cls"))
        self.assertFalse(report.good)
        self.assertTrue(any("last token" in line and "FAILED" in line for line in report.lines))

    def test_another_model_fails(self):
        self.assertFalse(self.check(toy(), toy("cls")).good)

    def test_nan_fails(self):
        self.assertFalse(self.check(lambda rows, side: [[[math.nan, 1.0]] for _ in rows], toy()).good)

    def test_direction_of_attention(self):
        def tokens(full):
            return lambda rows, side: [[[row["input_ids"][0] + full * row["input_ids"][-2], 1.0]] for row in rows]

        for family, full, good in (("bert", 1, True), ("bert", 0, False), ("decoder", 0, True), ("decoder", 1, False),
                                   ("bidirectional", 0, False)):
            with self.subTest(family=family, full=full):
                report = export.Report()
                export.check_direction(report, job(family=family), self.encoded, tokens(full))
                self.assertEqual(good, report.good)


@NEEDS_YAML
class WholeExports(Folder):
    """export() with the parts that need packages replaced."""

    def setUp(self):
        super().setUp()
        for name in ("context", "query"):
            self.write(f"{name}/config.json", {"model_type": "bert", "max_position_embeddings": 512})
            self.write(f"{name}/vocab.txt", Tokenizers.words)
        self.recipe = self.write("dragon.yaml", "\n".join([
            "name: dragon", "kind: dense", "family: dense", "description: d", "pooling: cls", "normalise: false",
            "similarity: dot", f"source: {{export: {self.folder / 'context'}}}",
            f"query-encoder: {{source: {{export: {self.folder / 'query'}}}}}", ""]))
        self.good = True
        for name, replacement in (("need", self.need), ("write_one", self.write_one)):
            patch = mock.patch.object(export, name, replacement)
            patch.start()
            self.addCleanup(patch.stop)

    def need(self, module):
        return yaml if module == "yaml" else SimpleNamespace(__version__="9")

    def write_one(self, one, folder, graph, report):
        self.assertTrue((folder / "tokenizer.json").is_file())
        (folder / graph).parent.mkdir(exist_ok=True)
        (folder / graph).write_text(one.model)
        report.add("cosine", "1", self.good)
        return export.Written("float32", graph, (), one.output, 768, max_tokens=one.recipe["max-tokens"])

    def test_separate_encoders(self):
        code, out, err = run(str(self.recipe), "--out", str(self.folder / "new" / "dragon"))
        self.assertEqual(0, code, err)
        self.assertIn("ok", out)
        self.assertIn("building it from vocab.txt", err)
        folder = self.folder / "new" / "dragon"
        self.assertEqual(["dragon"], [path.name for path in folder.parent.iterdir()])
        self.assertEqual(str(self.folder / "context"), (folder / "model.onnx").read_text())
        self.assertEqual(str(self.folder / "query"), (folder / "query" / "model.onnx").read_text())
        text = (folder / "recipe.yaml").read_text()
        self.assertTrue(text.startswith("# Written by scripts/export_onnx.py from "))
        self.assertEqual({
            "name": "dragon", "kind": "dense", "family": "dense", "description": "d", "source": {"folder": "."},
            "onnx": {"float32": "model.onnx"}, "precision": "float32", "tokenizer": "tokenizer.json",
            "output": "last_hidden_state", "pooling": "cls", "normalise": False, "similarity": "dot", "max-tokens": 512,
            "dimension": 768, "query-encoder": {"source": {"folder": "."}, "onnx": {"float32": "query/model.onnx"}},
        }, yaml.safe_load(text))

    def test_a_failed_check_writes_nothing(self):
        self.good = False
        code, out, err = run(str(self.recipe), "--out", str(self.folder / "new" / "dragon"))
        self.assertEqual(1, code)
        self.assertIn("FAILED", out)
        self.assertIn("nothing was written", err)
        self.assertEqual([], list((self.folder / "new").iterdir()))

    def test_a_folder_without_a_recipe(self):
        code, _, err = run(str(self.folder / "context"), "--pooling", "mean", "--no-check", "--out",
                           str(self.folder / "new"))
        self.assertEqual(0, code, err)
        self.assertIn("NOT checked", err)
        written = yaml.safe_load((self.folder / "new" / "recipe.yaml").read_text())
        self.assertEqual(("context", "dense", "mean", 512),
                         tuple(written[key] for key in ("name", "kind", "pooling", "max-tokens")))

    def test_another_kind_than_the_recipes_is_refused(self):
        code, _, err = run(str(self.recipe), "--kind", "cross-encoder", "--out", str(self.folder / "new"))
        self.assertEqual(2, code)
        self.assertIn("the recipe's kind is dense", err)


if __name__ == "__main__":
    unittest.main()
