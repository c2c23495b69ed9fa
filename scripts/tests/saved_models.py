#!/usr/bin/env python3
"""Scores of models as sentence-transformers saves them, by numpy from their graphs, beside posbias's.

Usage: python3 scripts/tests/saved_models.py MODEL_FOLDER DATA_FOLDER RUN.trec.gz

Needs numpy, onnxruntime and tokenizers. MODEL_FOLDER is a MultiVectorEncoder (MaxSim of sentence-transformers 6, with query
expansion and its skiplist) or a CrossEncoder (5.4 and later); RUN.trec.gz is what 'posbias eval' wrote of it. Prints the number of
scores and the largest difference, relative to the score.
"""

import gzip
import json
import pathlib
import sys

import numpy
import onnxruntime
import tokenizers


def main():
    folder, data, run = map(pathlib.Path, sys.argv[1:])
    # As BEIR joins them.
    rows = map(json.loads, open(data / "corpus.jsonl"))
    texts = {row["_id"]: (row.get("title", "") + " " + row["text"]).strip() for row in rows}
    queries = {row["_id"]: row["text"] for row in map(json.loads, open(data / "queries.jsonl"))}
    model = Model(folder)
    most = count = 0
    for line in gzip.open(run, "rt"):
        query, _, passage, _, score, _ = line.split()
        own = model.score(queries[query], texts[passage])
        most = max(most, abs(own - float(score)) / max(1, abs(own)))
        count += 1
    print(f"{count} scores, largest difference {most:.1e}")


class Model:
    def __init__(self, folder):
        read = lambda name: json.loads((folder / name).read_text()) if (folder / name).exists() else {}
        self.settings, self.lengths = read("config_sentence_transformers.json"), read("sentence_bert_config.json")
        self.limit = min(read("tokenizer_config.json")["model_max_length"], read("config.json")["max_position_embeddings"])
        self.tokens = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.graph = onnxruntime.InferenceSession(str(next(folder.rglob("model.onnx"))))
        mask = next(folder.glob("*_MultiVectorMask/config.json"), None)
        words = json.loads(mask.read_text()).get("skiplist_words", []) if mask else []
        self.skipped = {self.tokens.token_to_id(word) for word in words}
        self.mask = self.tokens.token_to_id("[MASK]")
        self.normalises = any(module["type"].endswith("Normalize") for module in json.loads((folder / "modules.json").read_text()))

    def run(self, ids, mask, types):
        named = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        wanted = {put.name: numpy.array([named[put.name]], dtype="int64") for put in self.graph.get_inputs()}
        return self.graph.run(None, wanted)[0][0]

    def score(self, query, passage):
        if self.settings["model_type"] == "CrossEncoder":
            self.tokens.enable_truncation(self.limit, strategy="longest_first")
            pair = self.tokens.encode(query, passage)
            return float(self.run(pair.ids, pair.attention_mask, pair.type_ids).reshape(-1)[0])
        asked, read = self.vectors(query, "query"), self.vectors(passage, "document")
        return float((asked.astype("float64") @ read.T.astype("float64")).max(1).sum())

    def vectors(self, text, role):
        length = self.lengths.get(f"{role}_length") or self.limit
        self.tokens.enable_truncation(length)
        row = self.tokens.encode((self.settings.get("prompts") or {}).get(role, "") + text)
        ids, mask, types = list(row.ids), list(row.attention_mask), list(row.type_ids)
        if role == "query" and self.lengths.get("query_expansion"):
            more = length - len(ids)
            ids, mask, types = ids + [self.mask] * more, mask + [0] * more, types + [0] * more
        vectors = self.run(ids, mask, types)
        if self.normalises:
            vectors = vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors if role == "query" else vectors[[i for i, token in enumerate(ids) if token not in self.skipped]]


main()
