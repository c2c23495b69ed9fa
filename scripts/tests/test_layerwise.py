"""Tests of the layerwise reranker of scripts/workers/sentence_transformers.py that need only Python: python3 scripts/tests/test_layerwise.py"""
import importlib.util
import pathlib
import types
import unittest

FILE = pathlib.Path(__file__).resolve().parents[1] / "workers" / "sentence_transformers.py"
SPEC = importlib.util.spec_from_file_location("worker", FILE)
worker = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(worker)


def text(first, count):
    return {"ids": list(range(first, first + count)), "ends": None}


def model(limit, side="right"):
    """A model whose beginning is 1, separator 2, question 8 and 9."""
    made = worker.Layerwise.__new__(worker.Layerwise)
    made.tokenizer = types.SimpleNamespace(bos_token_id=1, truncation_side=side)
    made.limit, made.separator, made.prompt = limit, [2], [8, 9]
    return made


class LayerwiseTest(unittest.TestCase):
    """Expected rows by hand, from the source of FlagEmbedding 1.4.2: inference/reranker/decoder_only/layerwise.py."""

    def row(self, limit, query, passage, side="right"):
        return model(limit, side).inputs([text(100, query)], [text(200, passage)])[0]

    def test_whole_texts(self):
        self.assertEqual(([1, 100, 101, 2, 200, 201, 202, 2, 8, 9], 3, False), self.row(8, 2, 3))

    def test_query_has_three_quarters(self):
        ids, read, query_cut = self.row(8, 7, 2)
        self.assertEqual([1, 100, 101, 102, 103, 104, 105, 2, 200, 201, 2, 8, 9], ids)
        self.assertEqual((2, True), (read, query_cut))

    def test_passage_ends_where_limit_separator_and_question_do(self):
        # 8 + 1 + 2 tokens for the beginning, 6 of the query, the separator and the passage.
        ids, read, _ = self.row(8, 6, 8)
        self.assertEqual([1, 100, 101, 102, 103, 104, 105, 2, 200, 201, 202, 2, 8, 9], ids)
        self.assertEqual(3, read)
        # Alone it has at most the limit.
        self.assertEqual(8, self.row(8, 1, 9)[1])

    def test_left_side(self):
        ids, _, _ = self.row(8, 6, 8, "left")
        self.assertEqual([1, 100, 101, 102, 103, 104, 105, 204, 205, 206, 207, 2, 8, 9], ids)


if __name__ == "__main__":
    unittest.main()
