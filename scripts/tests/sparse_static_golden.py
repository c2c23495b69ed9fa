"""Makes the models of src/test/resources/io/posbias/model/retrieve/kinds, saved by their own libraries, and what they give.

python3 scripts/tests/sparse_static_golden.py   # needs sentence-transformers 6.2, model2vec 0.10, transformers, torch,
                                                # onnxscript, onnxruntime

splade     SparseEncoder of a masked language model of 8 numbers a token, with its graph: max, relu
router     the same for passages (sum, log1p_relu), a weight a token for queries; the test copies the graph of splade
static     StaticEmbedding and Normalize, whose tokenizer.json truncates to 6 tokens
model2vec  StaticModel with weights and a mapping, 8 tokens at most, unknown tokens left out
expected.json  texts, the vectors of each model and its scores of queries and passages, computed here with numpy in double
               precision from the files and ONNX Runtime's logits; the script ends if the library's own encode differs by
               1e-6, or by 1e-5 where PyTorch computes logits
"""
import json
import os
import shutil
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
import torch
from model2vec import StaticModel
from safetensors.numpy import load_file
from sentence_transformers import SentenceTransformer, SparseEncoder
from sentence_transformers.base.modules import Router, Transformer
from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
from sentence_transformers.sparse_encoder.modules import SparseStaticEmbedding, SpladePooling
from tokenizers import Tokenizer
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

OUT = "src/test/resources/io/posbias/model/retrieve/kinds"
WORDS = ("[PAD] [UNK] [CLS] [SEP] [MASK] the a of in red blue green fox dog cat run sleep jump over lazy house hill river"
         " ##s ##ed ##ing tree stone . ,").split()
QUERIES = ["red fox", "the dog sleeps in the house", "zebra", ""]
PASSAGES = ["The red fox jumps over the lazy dog.", "A green tree, a blue river.", "zebra of the hill", "cat",
            "the cat sleeps in a house of stone over the river, the dog runs in the green hill"]


def tokenizer():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "vocab.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(WORDS))
        return BertTokenizerFast(path, model_max_length=16)


class Logits(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask).logits


def export(model, path):
    os.makedirs(os.path.dirname(path))
    ids = torch.tensor([[2, 9, 12, 3], [2, 5, 13, 3]])
    torch.onnx.export(Logits(model), (ids, torch.ones_like(ids)), path, input_names=["input_ids", "attention_mask"],
                      output_names=["logits"], dynamo=True, external_data=False, verbose=False,
                      dynamic_shapes=({0: "batch", 1: "tokens"}, {0: "batch", 1: "tokens"}))
    graph = onnx.load(path)
    for node in graph.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    del graph.graph.value_info[:]
    del graph.graph.metadata_props[:]
    del graph.functions[:]
    with open(path, "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))


def logits(session, tokens, text):
    row = tokens(text, truncation=True, return_tensors="np", return_token_type_ids=False)
    return session.run(["logits"], {name: ids.astype(np.int64) for name, ids in row.items()})[0][0].astype(np.float64)


def sparse(pairs):
    """Pairs of token id and weight; one of zeros for none, as posbias keeps them."""
    return [[int(i), float(np.float32(pairs[i]))] for i in np.nonzero(np.float32(pairs))[0]] or [[0, 0.0]]


def close(own, library, what, most=1e-6):
    difference = np.abs(np.asarray(own) - np.asarray(library, dtype=np.float64)).max()
    if difference > most:
        sys.exit(f"{what}: differs by {difference}")


def result(queries, passages, is_sparse):
    shown = sparse if is_sparse else (lambda vector: [float(np.float32(number)) for number in vector])
    return {"queries": [shown(vector) for vector in queries], "passages": [shown(vector) for vector in passages],
            "scores": (np.array(queries) @ np.array(passages).T).tolist()}


def main():
    torch.manual_seed(46)
    random = np.random.default_rng(46)
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    tokens = tokenizer()
    model = BertForMaskedLM(BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        max_position_embeddings=16, type_vocab_size=1, initializer_range=0.2)).eval()
    work = tempfile.mkdtemp()
    model.save_pretrained(work)
    tokens.save_pretrained(work)
    expected = {"texts": {"queries": QUERIES, "passages": PASSAGES}}

    transformer = Transformer(work, transformer_task="fill-mask")
    splade = SparseEncoder(modules=[transformer, SpladePooling("max")])
    splade.save_pretrained(f"{OUT}/splade")
    export(model, f"{OUT}/splade/onnx/model.onnx")
    session = onnxruntime.InferenceSession(f"{OUT}/splade/onnx/model.onnx")
    own = {role: [np.log1p(np.maximum(0, logits(session, tokens, text))).max(axis=0) for text in texts]
           for role, texts in expected["texts"].items()}
    close(own["passages"], splade.encode_document(PASSAGES, batch_size=1).to_dense(), "splade", 1e-5)
    expected["splade"] = result(own["queries"], own["passages"], True)

    weights = random.uniform(0.1, 3, len(WORDS)).astype(np.float32)
    router = SparseEncoder(modules=[Router.for_query_document(
        query_modules=[SparseStaticEmbedding(tokenizer=tokens, weight=torch.from_numpy(weights))],
        document_modules=[transformer, SpladePooling("sum", activation_function="log1p_relu")])])
    router.save_pretrained(f"{OUT}/router")
    queries = []
    for text in QUERIES:
        vector = np.zeros(len(WORDS))
        for token in tokens(text, add_special_tokens=False)["input_ids"]:
            vector[token] = weights[token]
        queries.append(vector)
    passages = [np.log1p(np.log1p(np.maximum(0, logits(session, tokens, text)))).sum(axis=0) for text in PASSAGES]
    close(queries[:3], router.encode_query(QUERIES[:3]).to_dense(), "router, queries")
    close(passages, router.encode_document(PASSAGES, batch_size=1).to_dense(), "router, passages", 1e-5)
    expected["router"] = result(queries, passages, True)

    cutting = Tokenizer.from_str(tokens._tokenizer.to_str())
    cutting.enable_truncation(6)
    table = random.normal(size=(len(WORDS), 4)).astype(np.float32)
    static = SentenceTransformer(modules=[StaticEmbedding(cutting, embedding_weights=table), Normalize()])
    static.save_pretrained(f"{OUT}/static")
    table = load_file(f"{OUT}/static/model.safetensors")["embedding.weight"].astype(np.float64)
    vectors = {}
    for role, texts in expected["texts"].items():
        vectors[role] = []
        for text in texts:
            ids = cutting.encode(text, add_special_tokens=False).ids
            mean = table[ids].mean(axis=0) if ids else np.zeros(4)
            vectors[role].append(mean / max(np.linalg.norm(mean), 1e-12))
        close(vectors[role], static.encode(texts), "static")
    expected["static"] = result(vectors["queries"], vectors["passages"], False)

    plain = Tokenizer.from_str(tokens._tokenizer.to_str())
    mapping = random.integers(0, 12, len(WORDS))
    folded = StaticModel(random.normal(size=(12, 4)).astype(np.float32), plain, normalize=True,
                         weights=random.uniform(0.5, 2, len(WORDS)).astype(np.float32), token_mapping=mapping,
                         max_length=8)
    folded.save_pretrained(f"{OUT}/model2vec")
    saved = {name: tensor.astype(np.float64) for name, tensor in load_file(f"{OUT}/model2vec/model.safetensors").items()}
    median = int(np.median([len(token) for token in plain.get_vocab()]))
    plain.no_truncation()
    for role, texts in expected["texts"].items():
        vectors[role] = []
        for text in texts:
            ids = [i for i in plain.encode(text[:8 * median], add_special_tokens=False).ids[:8] if i != 1]
            own = saved["embeddings"][mapping[ids]] * saved["weights"][ids][:, None] if ids else np.zeros((1, 4))
            vectors[role].append(own.mean(axis=0) / (np.linalg.norm(own.mean(axis=0)) + 1e-32))
        close(vectors[role], folded.encode(texts), "model2vec")
    expected["model2vec"] = result(vectors["queries"], vectors["passages"], False)

    for path in ("splade", "router/document_0_Transformer"):
        os.remove(f"{OUT}/{path}/model.safetensors")
    for name in ("splade", "router", "static", "model2vec"):
        if os.path.exists(f"{OUT}/{name}/README.md"):
            os.remove(f"{OUT}/{name}/README.md")
    with open(f"{OUT}/expected.json", "w", encoding="utf-8") as file:
        json.dump(expected, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
