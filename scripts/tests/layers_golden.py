"""Recomputes 'posbias diagnose segments --layers' with Hugging Face's transformers (output_hidden_states) and NumPy.

python3 scripts/tests/layers_golden.py             # writes src/test/resources/io/posbias/model/inside/layers.json
python3 scripts/tests/layers_golden.py check MODEL.onnx TOKENIZER.json POOLING DATASET out/MODEL [MAX_TOKENS]

needs numpy, torch, transformers; check also onnx, tokenizers, scipy

layers.json       pooled vectors and means of fifths after every layer of the tiny models of transformer_golden.py, with their own and
                  with random weights
check             recomputes every cosine of scores.csv, and the means, intervals and p-values of result.json

Random weights are those of numpy.random.default_rng(seed): matrices by name, row by row, each value times the population standard
deviation of the model's matrix; weights of norms 1, biases 0. Nothing is taken from posbias. scripts/peers/run inside compares the
worker with layers.json.
"""
import csv
import json
import os
import sys

import numpy as np
import torch
from transformers import BertConfig, BertModel, RobertaConfig, RobertaModel

HERE = "src/test/resources/io/posbias/model/inside/"
FIFTHS = 5
CLS, SEP = 2, 3
TOLERANCE = 2e-5


def random_weights(weights, seed):
    random, drawn = np.random.default_rng(seed), {}
    for name in sorted(weights):
        value = weights[name]
        if value.ndim == 2:
            normal = random.standard_normal(value.size) * value.astype(np.float64).std()
            drawn[name] = normal.astype(np.float32).reshape(value.shape)
        else:
            drawn[name] = np.full_like(value, 1 if name.endswith(".weight") else 0)
    return drawn


def model(weights, family, heads, double):
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    kind, config, eps = (BertModel, BertConfig, 1e-12) if family == "bert" else (RobertaModel, RobertaConfig, 1e-5)
    made = kind(config(
        vocab_size=len(weights["embeddings.word_embeddings.weight"]), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=heads, intermediate_size=len(weights["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(weights["embeddings.position_embeddings.weight"]),
        type_vocab_size=len(weights["embeddings.token_type_embeddings.weight"]), layer_norm_eps=eps,
        pad_token_id=0 if family == "bert" else 1), add_pooling_layer=False)
    wrong = made.load_state_dict({name: torch.tensor(value) for name, value in weights.items()}, strict=False)
    assert not wrong.unexpected_keys and all("position_ids" in name for name in wrong.missing_keys), wrong
    return (made.double() if double else made).eval()


def layers(network, ids, first, shown, pooling):
    """The pooled vector and the means of fifths, (6, width), after each layer."""
    with torch.no_grad():
        states = network(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                         output_hidden_states=True).hidden_states
    found = []
    for state in states:
        tokens = state[0].double().numpy()
        pooled = tokens[0] if pooling == "cls" else tokens.mean(0)
        own = tokens[first:first + shown]
        edges = [i * shown // FIFTHS for i in range(FIFTHS + 1)]
        found.append(np.array([pooled] + [own[a:b].mean(0) for a, b in zip(edges, edges[1:])]))
    return found


def write_golden():
    from safetensors.numpy import load_file
    letters = {letter: 5 + i for i, letter in enumerate("abcdefgh")}
    cases = []
    for family, pooling, prompt in (("bert", "mean", ""), ("roberta", "cls", "g h ")):
        own = {name.removeprefix("bert."): value for name, value in load_file(HERE + family + ".safetensors").items()}
        for seed in (None, 7):
            network = model(own if seed is None else random_weights(own, seed), family, 4, double=True)
            for text in ("a c b d e f", "h g f e d c b a h a b c e d"):
                before = [letters[word] for word in prompt.split()]
                words = [letters[word] for word in text.split()]
                shown = min(len(words), 12 - 2 - len(before))
                ids = [CLS] + before + words[:shown] + [SEP]
                found = layers(network, ids, 1 + len(before), shown, pooling)
                cases.append({"family": family, "pooling": pooling, "prompt": prompt, "seed": seed, "text": text,
                              "cut": shown < len(words), "layers": [np.round(one, 6).tolist() for one in found]})
    with open(HERE + "layers.json", "w", encoding="utf-8", newline="\n") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")


def onnx_weights(path):
    """Weights by Hugging Face's names. Matrices are named after the bias that is added to their product."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights = {name: value for name, value in constants.items()
               if name.startswith(("embeddings.", "encoder.")) and name.endswith((".weight", ".bias"))}
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            for add in users.get(node.output[0], []):
                for name in add.input:
                    if add.op_type == "Add" and name.endswith(".bias") and name.startswith("encoder."):
                        weights[name.removesuffix("bias") + "weight"] = constants[node.input[1]].T.copy()
    return weights


def close(what, found, expected, tolerance=TOLERANCE):
    if not abs(found - expected) <= tolerance:
        sys.exit("%s: %r here, %r in the file" % (what, expected, found))


def check(path, tokenizer_file, pooling, dataset, out, max_tokens):
    from scipy import stats
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with open(os.path.join(dataset, "corpus.jsonl"), encoding="utf-8") as file:
        texts = {row["_id"]: row["text"] for row in map(json.loads, file)}
    result = json.load(open(os.path.join(out, "result.json"), encoding="utf-8"))
    stored = {}
    for row in csv.DictReader(open(os.path.join(out, "scores.csv"), encoding="utf-8", newline="")):
        stored[row["passage"], int(row["control"]), int(row["layer"]), int(row["fifth"])] = float(row["cosine"])
    passages = list(dict.fromkeys(key[0] for key in stored))
    own = onnx_weights(path)
    cosines = []
    for control in range(1 + result["controls"]):
        network = model(own if control == 0 else random_weights(own, result["seed"] + control - 1), "bert",
                        12, double=False)
        of_texts = []
        for passage in passages:
            ids = tokenizer.encode(texts[passage], add_special_tokens=False).ids[:max_tokens - 2]
            ids = [tokenizer.token_to_id("[CLS]")] + ids + [tokenizer.token_to_id("[SEP]")]
            found = layers(network, ids, 1, len(ids) - 2, pooling)
            of_texts.append([[v[0] @ p / np.linalg.norm(v[0]) / np.linalg.norm(p) for p in v[1:]] for v in found])
        cosines.append(of_texts)
    cosines = np.array(cosines)  # (networks, texts, layers, fifths)
    assert cosines.size == len(stored), (cosines.shape, len(stored))
    worst = 0
    for index, value in np.ndenumerate(cosines):
        key = passages[index[1]], index[0], index[2], index[3] + 1
        close(key, stored[key], value)
        worst = max(worst, abs(stored[key] - value))

    def estimate(what, found, values):
        # Differences of up to a millionth are rounding: nothing is asked of their t.
        close(what, found["value"], values.mean())
        if values.std() > 1e-4:
            half = stats.t.ppf(1 - (1 - result["confidence"]) / 2, len(values) - 1) * stats.sem(values)
            close(what, found["interval"][0], values.mean() - half)
            close(what, found["interval"][1], values.mean() + half)
            close(what, found["p_value"], stats.ttest_1samp(values, 0).pvalue, 2e-3)

    networks = {"trained": cosines[0], "control": cosines[1:].mean(0)}
    gaps = {name: one[:, :, 0] - one[:, :, -1] for name, one in networks.items()}
    for layer in result["datasets"][0]["layers"]:
        i = layer["layer"]
        for name, one in networks.items():
            for fifth, word in enumerate(("front", "second", "middle", "fourth", "back")):
                mean, values = layer[name][word], one[:, i, fifth]
                half = stats.t.ppf(1 - (1 - result["confidence"]) / 2, len(values) - 1) * stats.sem(values)
                close((name, word, i), mean["mean"], values.mean())
                close((name, word, i), mean["interval"][1], values.mean() + half)
            estimate((name, i), layer[name]["front_back"], gaps[name][:, i])
        estimate(("difference", i), layer["difference"], gaps["trained"][:, i] - gaps["control"][:, i])
        for number, value in enumerate(layer["front_back_by_control"], 1):
            close(("network", number, i), value, (cosines[number, :, i, 0] - cosines[number, :, i, -1]).mean())
    print("%d cosines of %d texts, largest difference %.1e" % (cosines.size, len(passages), worst))


if len(sys.argv) == 1:
    write_golden()
elif sys.argv[1] == "check" and len(sys.argv) in (7, 8):
    check(*sys.argv[2:7], int(sys.argv[7]) if len(sys.argv) == 8 else 512)
else:
    sys.exit(__doc__)
