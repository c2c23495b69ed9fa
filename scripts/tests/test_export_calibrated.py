"""Tests of attention calibration by graphs of one attention; skipped without onnx and onnxruntime. The numbers are calculated by hand."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError:
    raise unittest.SkipTest("numpy, onnx or onnxruntime is not installed")

from calibrated_golden import WEIGHTS, stand_in  # noqa: E402
import export_calibrated as export  # noqa: E402
import export_onnx  # noqa: E402

onnxruntime.set_default_logger_severity(3)
TEXT = [2, 5, 6, 7, 8, 9, 3]  # [CLS] a b c d e [SEP]


def attention(model, *texts, left=False):
    """What each text's tokens attend to, [tokens, tokens], of a padded batch."""
    longest = max(map(len, texts))
    ids, mask = numpy.zeros((len(texts), longest), numpy.int64), numpy.zeros((len(texts), longest), numpy.int64)
    places = [slice(longest - len(text), None) if left else slice(0, len(text)) for text in texts]
    for row, text in enumerate(texts):
        ids[row, places[row]], mask[row, places[row]] = text, 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    given = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
    return [given[row, places[row]][:, text] for row, text in enumerate(texts)]


def calibrated(pooling, basket=2, strength=1.0, layers=1.0, weights=WEIGHTS, **form):
    model = stand_in(weights, **form)
    export.calibrate(model, export.Calibration(pooling, basket, strength, layers))
    onnx.checker.check_model(model)
    return model


class Attention(unittest.TestCase):
    def near(self, found, expected, within=1e-6):
        self.assertLess(numpy.abs(found - numpy.array(expected)).max(), within)

    def test_the_stand_in_attends_as_it_says(self):
        self.near(attention(stand_in(WEIGHTS), TEXT)[0], [numpy.array([4, 6, 2, 1, 1, 1, 1]) / 16] * 7)

    def test_baskets_of_the_first_token(self):
        self.near(attention(calibrated("cls"), TEXT)[0][0], [.25, .1875, .0625, .125, .125, .125, .125])
        # [CLS] | a b c d | e [SEP]
        self.near(attention(calibrated("cls", 4), TEXT)[0][0], numpy.array([1, .6, .2, .1, .1, .5, .5]) / 3)

    def test_strength_mixes(self):
        new, old = numpy.array([.25, .1875, .0625, .125, .125, .125, .125]), numpy.array([4, 6, 2, 1, 1, 1, 1]) / 16
        self.near(attention(calibrated("cls", 2, 0.25), TEXT)[0][0], .25 * new + .75 * old)

    def test_the_last_token_is_a_basket_by_itself_where_it_is_pooled(self):
        self.near(attention(calibrated("last"), TEXT)[0][-1], [.2, .15, .05, .1, .1, .2, .2])

    def test_a_mean_has_all_tokens_as_sources_and_none_apart(self):
        # [CLS] a | b c | d e | [SEP]
        self.near(attention(calibrated("mean"), TEXT)[0], [[.1, .15, 1 / 6, 1 / 12, .125, .125, .25]] * 7)

    def test_other_tokens_attend_as_before(self):
        plain = attention(stand_in(WEIGHTS), TEXT)[0]
        self.assertTrue((attention(calibrated("cls"), TEXT)[0][1:] == plain[1:]).all())
        self.assertTrue((attention(calibrated("last"), TEXT)[0][:-1] == plain[:-1]).all())

    def test_a_text_of_one_basket_is_left_as_it_is(self):
        plain = attention(stand_in(WEIGHTS), TEXT)[0]
        for pooling, content in (("cls", 6), ("last", 5), ("mean", 7)):
            self.assertTrue((attention(calibrated(pooling, content), TEXT)[0] == plain).all(), pooling)
            self.assertFalse((attention(calibrated(pooling, content - 1), TEXT)[0] == plain).all(), pooling)

    def test_padding_is_in_no_basket_even_where_it_has_attention(self):
        texts = ([2, *range(5, 13), *range(5, 13), 3], TEXT, [2, 5, 3])
        for pooling, source in (("cls", 0), ("last", -1), ("mean", 2)):
            for left in (False, True):
                together = attention(calibrated(pooling, 2, 0.5), *texts, left=left)
                for one, text in zip(together, texts):
                    self.near(one[source], attention(calibrated(pooling, 2, 0.5), text)[0][source])
                found = attention(calibrated(pooling, masked=False), *texts, left=left)[1][source]
                self.near(found, attention(calibrated(pooling), TEXT)[0][source])

    def test_a_basket_without_attention_stays_without(self):
        weights = {2: 4, 3: 1, 5: 6, 6: 2, 7: 0, 8: 0}
        self.near(attention(calibrated("cls", weights=weights), TEXT)[0][0], [1 / 3, .25, .25 / 3, 0, 0, .5 / 3, .5 / 3])

    def test_sixteen_bits_are_calibrated_in_32(self):
        self.near(attention(calibrated("cls", narrow=True), TEXT)[0][0], [.25, .1875, .0625, .125, .125, .125, .125], 1e-3)

    def test_the_last_layers_are_calibrated(self):
        for share, number, first in ((0.5, 6, 3), (0.5, 5, 2), (0.1, 30, 27), (1, 4, 0), (0.01, 4, 3)):
            self.assertEqual(export.Calibration("cls", layers=share).first_layer(number), first)

    def test_the_metadata_say_how(self):
        metadata = {one.key: one.value for one in calibrated("last", 3, 0.5).metadata_props}
        self.assertEqual(metadata[export.METADATA], '{"pooling": "last", "basket": 3, "strength": 0.5, "layers": 1.0}')

    def test_graphs_of_another_form_are_refused(self):
        for form, why in (({"softmax": "LogSoftmax"}, "no attention of the form"), ({"mask": "mask"}, "no input attention_mask"),
                          ({"softmax": "GroupQueryAttention"}, "GroupQueryAttention"), ({"headless": True}, "another form"),
                          ({"opset": 10}, "ONNX 10")):
            with self.assertRaisesRegex(ValueError, why):
                calibrated("cls", **form)


class Script(unittest.TestCase):
    RECIPE = ("name: tiny\nkind: dense\nfamily: dense\ndescription: tiny\ncitation: none\nlicence: none\nsource: {folder: .}\n"
              "onnx: {float32: onnx/model.onnx}\nmax-tokens: 64\nsimilarity: dot\nhead: {file: head.safetensors, weight: w}\n")

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        model = self.folder / "model"
        (model / "onnx").mkdir(parents=True)
        # The largest table lies beside the graph, as weights of large models do.
        onnx.save_model(stand_in(WEIGHTS), str(model / "onnx" / "model.onnx"), save_as_external_data=True, location="weights_data",
                        size_threshold=100)
        (model / "tokenizer.json").write_text("{}")
        (model / "head.safetensors").write_text("w")

    def run_script(self, recipe, *arguments):
        path = self.folder / "model" / "recipe.yaml"
        path.write_text(recipe)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = export_onnx.main([str(path), "--calibrated", "--out", str(self.folder / "out"), *map(str, arguments)])
        return code, said.getvalue()

    def test_the_folder_has_all_files_and_a_recipe_that_names_the_graph(self):
        code, said = self.run_script(self.RECIPE + "pooling: cls\n", "--basket", 2, "--strength", 1, "--layers", 1)
        self.assertEqual(code, 0, said)
        out = self.folder / "out"
        import yaml
        recipe = yaml.safe_load((out / "recipe.yaml").read_text())
        self.assertEqual(recipe["source"], {"folder": "."})
        self.assertEqual(recipe["external-data"], ["onnx/weights_data"])
        self.assertEqual(recipe["attention-calibration"], "onnx/model-calibrated-2-1-1.onnx")
        self.assertTrue((out / "head.safetensors").is_file() and (out / "tokenizer.json").is_file())
        ids = numpy.array([TEXT])
        session = onnxruntime.InferenceSession(str(out / recipe["attention-calibration"]))
        found = session.run(None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids)})[0][0, 0, TEXT]
        self.assertLess(numpy.abs(found - [.25, .1875, .0625, .125, .125, .125, .125]).max(), 1e-6)

    def test_both_encoders_are_calibrated(self):
        code, said = self.run_script(self.RECIPE + "query-encoder: {onnx: {float32: onnx/model.onnx}}\n", "--basket", 2)
        self.assertEqual(code, 0, said)
        self.assertIn("attention-calibration", (self.folder / "out" / "recipe.yaml").read_text().split("query-encoder:")[1])

    def test_what_cannot_be_is_refused_in_one_line_and_leaves_nothing(self):
        for recipe, arguments, code, why in (
                (self.RECIPE + "pooling: max\n", (), 2, "pooling: max"),
                (self.RECIPE, (), 2, "max-tokens: 64"),
                (self.RECIPE, ("--strength", 0), 2, "--strength"),
                (self.RECIPE, ("--layers", 1.5), 2, "--layers"),
                (self.RECIPE, ("--precision", "float16"), 2, "--precision"),
                (self.RECIPE.replace("dense\nfamily", "cross-encoder\nfamily"), (), 2, "cross-encoder"),
                (self.RECIPE.replace("head.safetensors", "gone"), ("--basket", 2), 2, "gone is missing"),
                (self.RECIPE.replace("onnx/model", "../model/onnx/model"), ("--basket", 2), 2, "no path inside")):
            found, said = self.run_script(recipe, *arguments)
            self.assertEqual((found, why in said, said.count("\n")), (code, True, 1), said)
            self.assertFalse((self.folder / "out").exists())

    def test_the_numbers_are_for_calibrated_alone(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(export_onnx.main(["x", "--basket", "3", "--out", "y"]), 2)
        self.assertIn("--basket is for --calibrated", said.getvalue())


if __name__ == "__main__":
    unittest.main()
