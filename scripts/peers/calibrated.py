"""Attention calibration: scripts/export_onnx.py --calibrated against the former edit in Java, NumPy, PyTorch and the authors' rules.
# environment: today

scripts/peers/run [--quick] calibrated

java     all-minilm-l6-v2 against vectors of the graphs that posbias's Java wrote (calibrated-java.json), pooled by its first and last token,
         to 1e-5 of a vector of length 1
numpy    its attention before and after, of texts padded on either side, for each pooling, by the formula in doubles, to 1e-6
torch    small random models of several architectures, exported by export_onnx.py, against their own classes whose softmax is calibrated by
         the formula, to 1e-5 of a vector of length 1
posbias  scores of `posbias eval --model DIR/recipe.yaml+calibrated` (mean) against the graph's vectors, to 1e-5, and the plain model's next
         to them
time     passages per second and memory of the plain and the calibrated graph; nothing is checked

MiniLM's jar is the one of posbias's build. The exit code is 1 if a difference is over its limit.
"""
import contextlib
import gzip
import io
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRANSFORMERS_VERBOSITY="error")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts")]

import common
import export
import numpy
import onnx
import onnxruntime
import tokenizers
import torch
import transformers
from export_calibrated import Calibration, attention_softmaxes, calibrate

onnxruntime.set_default_logger_severity(3)
MOST = 1e-5
NAME = "all-minilm-l6-v2"
MODELS = ["bert", "roberta", "modernbert", "gpt2", "qwen3", "mistral-window", "gemma3-window", "qwen2-full"]
QUICK = ["bert", "qwen3"]
failed = []


def report(part, what, found, most=MOST):
    print(f"{part:<8} {what:<62} {found:.1e} {'ok' if found <= most else 'DIFFERS'}", flush=True)
    if not found <= most:
        failed.append(what)


# The formula, in plain loops


def calibrated_row(row, calibration):
    """What a token attends to, over a text's n tokens, in doubles."""
    first, last, basket = calibration.first, calibration.last, calibration.basket
    content = list(range(first, len(row) - last))
    if len(content) <= basket:
        return row
    baskets = [[i] for i in range(first)] + [content[i:i + basket] for i in range(0, len(content), basket)]
    baskets += [[len(row) - 1 - i] for i in range(last)]
    masses = [sum(row[i] for i in tokens) for tokens in baskets]
    filled = sum(mass > 0 for mass in masses)
    new = numpy.zeros(len(row))
    for tokens, mass in zip(baskets, masses):
        for i in tokens:
            new[i] = row[i] / mass / filled if mass > 0 else 0
    return calibration.strength * new + (1 - calibration.strength) * numpy.asarray(row)


def calibrated(attention, tokens, calibration):
    """[rows, heads, columns, columns]; tokens are the columns of each row's text."""
    attention = numpy.array(attention, numpy.float64)
    for row, own in enumerate(tokens):
        sources = {"cls": own[:1], "last": own[-1:], "mean": own}[calibration.pooling]
        for head in range(attention.shape[1]):
            for source in sources:
                attention[row, head, source, own] = calibrated_row(attention[row, head, source, own], calibration)
    return attention


# Graphs


def session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    given = model if isinstance(model, (str, bytes)) else model.SerializeToString()
    return onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])


def run(graph, rows, side="right", outputs=None):
    """Outputs for rows of token ids in one padded batch, and the columns of each row's tokens."""
    longest = max(map(len, rows))
    ids, mask, columns = numpy.zeros((len(rows), longest), numpy.int64), numpy.zeros((len(rows), longest), numpy.int64), []
    for number, row in enumerate(rows):
        start = longest - len(row) if side == "left" else 0
        columns.append(list(range(start, start + len(row))))
        ids[number, columns[-1]], mask[number, columns[-1]] = row, 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
    return graph.run(outputs, {one.name: feed[one.name] for one in graph.get_inputs()}), columns


def pooled(hidden, columns, pooling):
    """A text's vector of length 1."""
    own = hidden[columns].astype(numpy.float64)
    vector = {"cls": own[0], "last": own[-1], "mean": own.mean(0)}[pooling]
    return vector / numpy.linalg.norm(vector)


def exported(*arguments):
    code, said = export.call_script(*arguments)
    if code:
        sys.exit(f"peers: export_onnx.py {' '.join(map(str, arguments))}\n{said}")


def ids_of(length):
    """As calibrated-java.json says."""
    return [(i * i * 7 + i * 3 + length) % 20000 + 1000 for i in range(length)]


def against_java(plain):
    for case in json.loads((pathlib.Path(__file__).parent / "calibrated-java.json").read_text())["cases"]:
        how = Calibration(case["pooling"], case["basket"], case["strength"], case["layers"])
        model = onnx.load(plain)
        calibrate(model, how)
        graph, worst = session(model), 0
        for length, expected in zip(case["lengths"], case["vectors"]):
            (hidden, *_), columns = run(graph, [ids_of(length)])
            worst = max(worst, numpy.abs(pooled(hidden[0], columns[0], how.pooling) - expected).max())
        report("java", f"{NAME} {how.pooling} {how.basket} {how.strength} {how.layers}", worst)


def against_numpy(plain):
    for how in (Calibration("cls", 16, 0.5, 0.5), Calibration("last", 7, 1, 1), Calibration("mean", 16, 0.7, 0.3), Calibration("mean", 10, 1, 1)):
        model = onnx.load(plain)
        names = [(f"posbias.calibration/{layer}.attention", node.output[0]) for layer, node in enumerate(attention_softmaxes(model))]
        names = names[how.first_layer(len(names)):]
        calibrate(model, how)
        for name in sum(names, ()):
            model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
        graph, worst = session(model), 0
        for side in ("right", "left"):
            given, columns = run(graph, [ids_of(length) for length in (5, 16, 17, 18, 40)], side, [name for pair in names for name in pair])
            for before, after in zip(given[::2], given[1::2]):
                apart = numpy.abs(calibrated(before, columns, how) - after)
                worst = max([worst, *(apart[row][:, own][:, :, own].max() for row, own in enumerate(columns))])
        report("numpy", f"{NAME} attention of {len(names)} layers, {how.pooling} {how.basket} {how.strength}", worst, 1e-6)


# PyTorch


@contextlib.contextmanager
def calibrated_softmax(how, layers):
    """Softmax over four axes, the attention of one layer after another, calibrated in the last ones."""
    plain, count = torch.nn.functional.softmax, [0]

    def softmax(scores, *arguments, **named):
        given = plain(scores, *arguments, **named)
        if given.dim() != 4:
            return given
        count[0] += 1
        if count[0] <= how.first_layer(layers):
            return given
        return torch.tensor(calibrated(given.numpy(), [list(range(given.shape[-1]))] * len(given), how), dtype=given.dtype)

    torch.nn.functional.softmax = softmax
    try:
        yield
    finally:
        torch.nn.functional.softmax = plain
    if count[0] != layers:
        sys.exit(f"peers: {count[0]} softmaxes in {layers} layers")


def against_torch(place, quick):
    rows, passages, _ = export.texts()
    for one in export.MODELS:
        if one.name not in (QUICK if quick else MODELS):
            continue
        words, saved, out = export.tokenizer(one.words, rows), place / "saved" / one.name, place / one.name
        export.save(one, saved, words)
        exported(saved, "--kind", "dense", "--pooling", one.pooling, "--out", out, *one.arguments)
        for pooling in ("cls", "last", "mean"):
            how, worst = Calibration(pooling, 16, 0.8, 0.5), 0
            model = onnx.load(out / "model.onnx")
            calibrate(model, how)
            graph, original = session(model), export.Original(one, saved, words)
            texts = [row["input_ids"] for row in map(original.row, passages.values()) if row["input_ids"]]
            expected = []
            for ids in texts:
                with torch.no_grad(), calibrated_softmax(how, 2):
                    row = original.row("a") | {"input_ids": ids, "attention_mask": [1] * len(ids)}
                    row = {key: torch.tensor([value if key in ("input_ids", "attention_mask") else [0] * len(ids)]) for key, value in row.items()}
                    hidden = original.model(**row).last_hidden_state[0].numpy()
                expected.append(pooled(hidden, range(len(ids)), pooling))
            for side in ("right", "left"):
                (hidden, *_), columns = run(graph, texts, side)
                found = [pooled(states, own, pooling) for states, own in zip(hidden, columns)]
                worst = max([worst, *(numpy.abs(a - b).max() for a, b in zip(found, expected))])
            report("torch", f"{one.name} {pooling}, {sum(len(ids) > 18 for ids in texts)} of {len(texts)} texts longer than a basket", worst)


# posbias


def against_posbias(place):
    recipe = place / "minilm" / "recipe.yaml"
    exported(NAME, "--calibrated", "--basket", "32", "--strength", "1", "--out", recipe.parent)
    demo = ROOT / "data" / "demo"
    corpus = [json.loads(line)["text"] for line in open(demo / "corpus.jsonl")]
    passages = {f"p{i}": " ".join(corpus[i:i + 3]) for i in range(12)}
    queries = {f"q{i}": json.loads(line)["text"] for i, line in zip(range(8), open(demo / "queries.jsonl"))}
    data = common.benchmark(place / "words", passages, queries, {name: {"p0": 1} for name in queries})
    common.posbias("eval", "--model", f"{recipe},{recipe}+calibrated", "--dataset", data, "--results", place / "results",
                   "--buckets", "relative:3", "--draws", 0)
    words = tokenizers.Tokenizer.from_file(str(recipe.parent / f"{NAME}-tokenizer.json"))
    words.no_padding()
    words.enable_truncation(256)
    for suffix, pattern in (("", f"{NAME}.onnx"), ("+calibrated", "*-calibrated-*.onnx")):
        graph = session(str(next(recipe.parent.glob(pattern))))

        def vector(text):
            (hidden, *_), columns = run(graph, [words.encode(text).ids])
            return pooled(hidden[0], columns[0], "mean")

        read = {name: vector(text) for name, text in (passages | queries).items()}
        with gzip.open(place / "results" / "words" / (NAME + suffix) / "run.trec.gz", "rt") as lines:
            scores = {tuple(line.split()[0:3:2]): float(line.split()[4]) for line in lines}
        report("posbias", f"{NAME}{suffix}, {len(scores)} scores",
               max(abs(score - read[query] @ read[passage]) for (query, passage), score in scores.items()))


MEASURE = """
import resource, sys, time
import numpy, onnxruntime
onnxruntime.set_default_logger_severity(3)
options = onnxruntime.SessionOptions(); options.intra_op_num_threads = 1
graph = onnxruntime.InferenceSession(sys.argv[1], options)
ids = numpy.arange(16 * int(sys.argv[2])).reshape(16, -1) % 20000 + 1000
feed = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
feed = {one.name: feed[one.name] for one in graph.get_inputs()}
times = []
for _ in range(6):
    begin = time.monotonic(); graph.run(None, feed); times.append(time.monotonic() - begin)
print(min(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def costs(plain, place):
    for pooling in ("cls", "mean"):
        model = onnx.load(plain)
        calibrate(model, Calibration(pooling))
        path = place / f"{pooling}.onnx"
        path.write_bytes(model.SerializeToString())
        for tokens in (256, 512):
            both = [subprocess.run([sys.executable, "-c", MEASURE, str(graph), str(tokens)], capture_output=True, text=True, check=True)
                    .stdout.split() for graph in (plain, path)]
            (before, small), (after, large) = (map(float, one) for one in both)
            print(f"time     {NAME} {pooling}, 16 texts of {tokens} tokens: {before:.2f} s and {small:.0f} MiB, "
                  f"calibrated {after:.2f} s ({after / before - 1:+.0%}) and {large:.0f} MiB", flush=True)


def main():
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    quick = "--quick" in sys.argv
    common.posbias("--version")  # builds posbias, whose jars have the model
    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, transformers {transformers.__version__}, torch {torch.__version__}")
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        exported(NAME, "--calibrated", "--out", place / "plain")
        plain = str(place / "plain" / f"{NAME}.onnx")
        against_java(plain)
        against_numpy(plain)
        against_torch(place, quick)
        against_posbias(place)
        if not quick:
            costs(plain, place)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
