"""Tests of pairs of MS MARCO, on files of its formats that were written by hand."""

import contextlib
import gzip
import io
import json
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

import msmarco_pairs  # noqa: E402

DOCS = (
    "D1\thttp://a\tFoxes\t🦊 says:  Foxes  hide in\u00a0dens. They run.\n"
    "D2\thttp://b\tTwice\tCats purr. Cats purr.\n"
    "D3\thttp://c\tOther\tNothing of it.\n"
)
FILES = {
    "docs.tsv": DOCS,
    "doc-qrels.tsv": "1 0 D1 1\n2 0 D2 1\n3 0 D3 1\n4 0 D1 1\n",
    "queries.tsv": "1\twhere do foxes hide\n2\twhat do cats do\n3\twhat is it\n4\twho runs\n",
    "collection.tsv": "7\tFoxes hide in dens.\n8\tCats purr.\n9\tIt is.\n",
    "passage-qrels.tsv": "1\t0\t7\t1\n2\t0\t8\t1\n3\t0\t9\t1\n",
}


class Pairs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in FILES.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def run_with(self, **other):
        given = {
            "docs": "docs.tsv",
            "doc-qrels": "doc-qrels.tsv",
            "queries": "queries.tsv",
            "passages": "collection.tsv",
            "passage-qrels": "passage-qrels.tsv",
            "out": "out",
        } | other
        arguments = [part for name, file in given.items() for part in (f"--{name}", str(self.folder / file))]
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            code = msmarco_pairs.main(arguments)
        return code, told.getvalue()

    def test_the_place_of_the_passage_is_in_code_points_of_the_document(self):
        code, told = self.run_with()
        self.assertEqual(0, code)
        self.assertIn("1 pairs; 2 of 3", told)
        (row,) = map(json.loads, (self.folder / "out/queries.jsonl").read_text(encoding="utf-8").splitlines())
        (document,) = map(json.loads, (self.folder / "out/corpus.jsonl").read_text(encoding="utf-8").splitlines())
        start, end = row["pos_char_span"]
        self.assertEqual("Foxes  hide in\u00a0dens.", document["text"][start:end])
        self.assertEqual("query-id\tcorpus-id\tscore\n1\tD1\t1\n", (self.folder / "out/qrels/test.tsv").read_text())

    def test_files_are_read_as_they_come(self):
        with gzip.open(self.folder / "docs.tsv.gz", "wt", encoding="utf-8") as file:
            file.write(DOCS)
        with tarfile.open(self.folder / "collection.tar.gz", "w:gz") as archive:
            archive.add(self.folder / "collection.tsv", "collection.tsv")
        self.assertEqual(0, self.run_with(docs="docs.tsv.gz", passages="collection.tar.gz")[0])

    def test_no_pair_writes_nothing(self):
        (self.folder / "collection.tsv").write_text("7\tDogs.\n", encoding="utf-8")
        self.assertEqual(1, self.run_with()[0])
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
