# environment: today
"""scripts/export_onnx.py on tiny random models that transformers made and saved, and posbias on what it wrote.

Usage: scripts/peers/run [--quick] export

One line per model: its family, the exporter, the largest difference of the graph in ONNX Runtime from the model in PyTorch (vectors of
length 1, or logits; batches padded left and right), whether all weights have PyTorch's names, the largest difference of posbias's
scores from PyTorch's, and what `posbias models check` says. --quick: three models. POSBIAS is the launcher.
Exit code 1: a difference of 1e-5 or more, a missing name, or a command that failed.
"""

import contextlib
import dataclasses
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy
import onnx
import onnxruntime
import safetensors.torch
import tokenizers
import torch
import transformers
from torch.nn import functional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import export_onnx  # noqa: E402

POSBIAS = os.environ.get("POSBIAS", str(ROOT / "scripts" / "posbias"))
LIMIT = 1e-5
TINY = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48)
DECODER = dict(TINY, num_key_value_heads=2, head_dim=8, max_position_embeddings=512)
QWEN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QUICK = ("bert", "gpt2", "qwen3-reranker")

# In place of the code of a repository: a Qwen2 whose attention has no direction.
OWN_CODE = """
import torch
from transformers import Qwen2Model

class Full(Qwen2Model):
    def forward(self, input_ids=None, attention_mask=None, **more):
        seen = attention_mask[:, None, None, :].expand(-1, 1, attention_mask.shape[1], -1) > 0
        return super().forward(input_ids=input_ids, attention_mask=torch.where(seen, 0.0, -1e30), **more)
"""


@dataclasses.dataclass
class Model:
    """A model to make: class and settings of transformers, the tokenizer's kind and what the script is told."""

    name: str
    family: str
    make: str
    settings: dict
    words: str = "bpe"
    kind: str = "dense"
    pooling: str = "mean"
    recipe: dict = dataclasses.field(default_factory=dict)
    arguments: tuple = ()


RERANKER = {"name": "tiny", "kind": "causal-reranker", "family": "reranker", "description": "tiny", "citation": "none", "licence": "none",
            "first-stage": "bm25", "depth": 20, "prefix": "Judge. ", "query-template": "Query: {query} Document: {document}",
            "suffix": " Answer: ", "yes": "yes", "no": "no", "activation": "softmax", "max-tokens": 512}
COLBERT = {"name": "tiny", "kind": "late-interaction", "family": "late-interaction", "description": "tiny", "citation": "none",
           "licence": "none", "max-tokens": 256, "query-length": 16, "dimension": 16}
MODELS = (
    Model("bert", "bert", "BertModel", dict(TINY, max_position_embeddings=512), "wordpiece"),
    Model("bert-masked-lm", "bert", "BertForMaskedLM", dict(TINY, max_position_embeddings=512), "wordpiece", pooling="cls",
          arguments=("--pooled",)),
    Model("bert-cross-encoder", "bert", "BertForSequenceClassification", dict(TINY, max_position_embeddings=512, num_labels=1),
          "wordpiece", "cross-encoder"),
    Model("bert-colbert", "bert", "BertModel", dict(TINY, max_position_embeddings=512), "wordpiece", "late-interaction", recipe=COLBERT),
    Model("roberta", "roberta", "RobertaModel", dict(TINY, type_vocab_size=1, max_position_embeddings=514), pooling="cls"),
    Model("xlm-roberta", "roberta", "XLMRobertaModel", dict(TINY, type_vocab_size=1, max_position_embeddings=514), "unigram", pooling="cls"),
    Model("xlm-roberta-cross-encoder", "roberta", "XLMRobertaForSequenceClassification",
          dict(TINY, type_vocab_size=1, max_position_embeddings=514, num_labels=1), "unigram", "cross-encoder"),
    Model("modernbert", "modernbert", "ModernBertModel", dict(TINY, local_attention=16, max_position_embeddings=512), pooling="cls"),
    Model("modernbert-cross-encoder", "modernbert", "ModernBertForSequenceClassification",
          dict(TINY, local_attention=16, max_position_embeddings=512, num_labels=1), kind="cross-encoder"),
    Model("longformer", "longformer", "LongformerModel", dict(TINY, type_vocab_size=1, attention_window=8, max_position_embeddings=514), pooling="cls"),
    Model("gpt2", "gpt2", "GPT2Model", dict(n_embd=32, n_layer=2, n_head=4, n_positions=512), pooling="last"),
    Model("bloom", "bloom", "BloomModel", dict(hidden_size=32, n_layer=2, n_head=4), pooling="last", arguments=("--max-tokens", "256")),
    Model("qwen3", "decoder", "Qwen3Model", DECODER, "qwen", pooling="last"),
    Model("qwen2-window", "decoder", "Qwen2Model", dict(TINY, num_key_value_heads=2, max_position_embeddings=512, use_sliding_window=True,
                                                         sliding_window=160, max_window_layers=1), "qwen", pooling="last"),
    Model("llama", "decoder", "LlamaModel", DECODER, pooling="last"),
    Model("mistral-window", "decoder", "MistralModel", dict(DECODER, sliding_window=160), pooling="last"),
    Model("gemma", "decoder", "GemmaModel", DECODER, pooling="last"),
    Model("gemma3-window", "decoder", "Gemma3TextModel",
          dict(DECODER, sliding_window=160, layer_types=["sliding_attention", "full_attention"]), pooling="last"),
    Model("qwen3-reranker", "decoder", "Qwen3ForCausalLM", dict(DECODER, tie_word_embeddings=True), "qwen", kind="causal-reranker",
          recipe=RERANKER),
    Model("gemma-reranker", "decoder", "GemmaForCausalLM", DECODER, kind="causal-reranker",
          recipe={key: value for key, value in RERANKER.items() if key != "no"} | {"activation": "sigmoid"}),
    Model("no-positions", "no-positions", "LlamaModel", DECODER, pooling="last", arguments=("--family", "no-positions")),
    Model("qwen2-full", "bidirectional", "Qwen2Model", dict(TINY, num_key_value_heads=2, max_position_embeddings=512), "qwen",
          pooling="last", arguments=("--family", "bidirectional", "--trust-remote-code")),
)


def texts():
    """The demo's texts, and of them passages and queries: one over the limit, one empty, one not in Latin letters."""
    demo = ROOT / "data" / "demo"
    rows = [json.loads(line) for line in open(demo / "corpus.jsonl")]
    passages = {row["_id"]: row["text"] for row in rows[:8]}
    passages |= {"long": " ".join(row["text"] for row in rows[8:14]), "empty": "", "other": "東京は日本の首都です。 Токио — столица Японии."}
    answers = dict(line.split("\t")[:2] for line in open(demo / "qrels" / "test.tsv"))
    queries = [json.loads(line) for line in open(demo / "queries.jsonl")]
    found = {answers[row["_id"]]: row for row in queries if answers[row["_id"]] in passages}
    return [row["text"] for row in rows], passages, found


def write_dataset(folder, passages, queries):
    (folder / "qrels").mkdir(parents=True)
    lines = [json.dumps({"_id": key, "text": text}) for key, text in passages.items()]
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "dataset.yaml").write_text("name: data\nlanguage: en\n")
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in queries.values()) + "\n")
    judged = [f"{row['_id']}\t{passage}\t1" for passage, row in queries.items()]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged]) + "\n")


def tokenizer(words, rows):
    """A tokenizer trained on the demo, as transformers saves it."""
    made = tokenizers
    special = {"wordpiece": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]}.get(words, ["<pad>", "<unk>", "<s>", "</s>", "<mask>"])
    pad, unknown, first, last, mask = special
    if words == "wordpiece":
        one = made.Tokenizer(made.models.WordPiece(unk_token=unknown))
        one.normalizer, one.pre_tokenizer = made.normalizers.BertNormalizer(), made.pre_tokenizers.BertPreTokenizer()
        trainer = made.trainers.WordPieceTrainer(vocab_size=8000, special_tokens=special)
    elif words == "unigram":
        one = made.Tokenizer(made.models.Unigram())
        one.normalizer, one.pre_tokenizer = made.normalizers.NFKC(), made.pre_tokenizers.Metaspace()
        trainer = made.trainers.UnigramTrainer(vocab_size=4000, special_tokens=special, unk_token=unknown)
    else:
        one = made.Tokenizer(made.models.BPE())
        one.pre_tokenizer = made.pre_tokenizers.ByteLevel(add_prefix_space=False)
        if words == "qwen":  # transformers splits texts of Qwen's models in this way whatever is saved
            one.normalizer, one.pre_tokenizer = made.normalizers.NFC(), made.pre_tokenizers.Sequence([
                made.pre_tokenizers.Split(made.Regex(QWEN), "isolated"),
                made.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
        trainer = made.trainers.BpeTrainer(vocab_size=8000, special_tokens=special,
                                           initial_alphabet=made.pre_tokenizers.ByteLevel.alphabet())
    one.train_from_iterator(rows, trainer)
    single, pair = f"{first} $A {last}", f"{first} $A {last} $B:1 {last}:1"
    one.post_processor = made.processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[(token, one.token_to_id(token)) for token in (first, last)])
    return transformers.PreTrainedTokenizerFast(tokenizer_object=one, pad_token=pad, unk_token=unknown, cls_token=first, sep_token=last,
                                                mask_token=mask, model_max_length=256)


def save(one, folder, words):
    """A random model whose vectors differ from text to text; a ColBERT has its projection beside the weights."""
    torch.manual_seed(0)
    make = getattr(transformers, one.make)
    numbers = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3}
    model = make(make.config_class(vocab_size=len(words), **numbers, **one.settings))
    for weight in model.parameters():
        weight.data += torch.randn_like(weight) * 0.2
    model.eval().save_pretrained(folder)
    words.save_pretrained(folder)
    if one.family == "bidirectional":
        (folder / "own.py").write_text(OWN_CODE)
        settings = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**settings, "auto_map": {"AutoModel": "own.Full"}}))
    if one.make == "BertForMaskedLM":  # as the oldest repositories: pickled weights, vocab.txt alone
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
        known = sorted(words.get_vocab().items(), key=lambda pair: pair[1])
        (folder / "vocab.txt").write_text("".join(word + "\n" for word, _ in known), encoding="utf-8")
        (folder / "tokenizer.json").unlink()
        (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 256, "tokenizer_class": "BertTokenizer"}))
    if one.kind == "late-interaction":
        state = {"linear.weight": torch.randn(16, 32) * 0.2, **model.state_dict()}
        safetensors.torch.save_file(state, folder / "model.safetensors")


class Original:
    """The model as transformers loads it: numbers of one text, or pair, without padding."""

    def __init__(self, one, folder, words):
        auto = {"cross-encoder": transformers.AutoModelForSequenceClassification,
                "causal-reranker": transformers.AutoModelForCausalLM}.get(one.kind, transformers.AutoModel)
        self.one, self.words = one, words
        self.model = auto.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager",
                                          trust_remote_code=one.family == "bidirectional").eval()
        if one.family == "no-positions":
            self.model.rotary_emb.register_forward_hook(
                lambda _module, _given, two: (torch.ones_like(two[0]), torch.zeros_like(two[1])))
        self.head = None
        if one.kind == "late-interaction":
            self.head = safetensors.torch.load_file(folder / "model.safetensors")["linear.weight"]
        if one.kind == "causal-reranker":
            texts = [one.recipe[key] for key in ("no", "yes") if key in one.recipe]
            known = words.backend_tokenizer.token_to_id
            self.kept = [known(text) or words(text, add_special_tokens=False).input_ids[0] for text in texts]

    def names(self):
        """Of the weights that a graph must hold: no head of a language model, no pooler."""
        model = self.model.base_model if self.one.kind == "causal-reranker" else self.model
        return {name for name, _ in model.named_parameters() if self.one.kind == "cross-encoder" or "pooler" not in name}

    def row(self, query, passage=None):
        """What a graph gets for a text, or for a query with a passage."""
        if self.one.kind == "cross-encoder":
            row = self.words(query, passage, truncation="only_second", max_length=256, return_token_type_ids=True)
        elif self.one.kind == "causal-reranker":
            recipe = self.one.recipe
            text = recipe["query-template"].replace("{query}", query).replace("{document}", passage)
            parts = [self.words(part, add_special_tokens=False).input_ids for part in (recipe["prefix"], text, recipe["suffix"])]
            row = {"input_ids": sum(parts, []), "attention_mask": [1] * sum(map(len, parts))}  # by parts, as Qwen's own code
        else:
            row = self.words(query, truncation=True, max_length=256)
        kept = ("input_ids", "attention_mask") + (("token_type_ids",) if self.one.make.startswith("Bert") else ())
        return {key: list(row[key]) for key in kept if key in row}

    def __call__(self, row):
        """Vectors of length 1, or logits."""
        tensors = {key: torch.tensor([value]) for key, value in row.items()}
        if self.one.family == "longformer":
            tensors["global_attention_mask"] = torch.tensor([[1] + [0] * (len(row["input_ids"]) - 1)])
        with torch.no_grad():
            given = self.model(**tensors)
        if self.one.kind == "cross-encoder":
            return given.logits[0]
        if self.one.kind == "causal-reranker":
            return given.logits[0, -1, self.kept]
        return vectors(self.one, given.last_hidden_state[0] if self.head is None else given.last_hidden_state[0] @ self.head.T)

    def score(self, query, passage):
        """As posbias ranks; none of a causal reranker's pair over the limit, which it truncates by rules of its own."""
        if self.one.kind == "cross-encoder":
            return self(self.row(query, passage))[0].item()
        if self.one.kind == "causal-reranker":
            row = self.row(query, passage)
            if len(row["input_ids"]) > self.one.recipe["max-tokens"]:
                return None
            logits = self(row)
            return (logits.softmax(0)[1] if len(logits) == 2 else logits.sigmoid()[0]).item()
        asked, read = self.row(query), self(self.row(passage))
        if self.one.kind == "late-interaction":
            most = self.one.recipe["query-length"]
            asked = {key: values[:most - 1] + values[-1:] if len(values) > most else values for key, values in asked.items()}
        asked = self(asked)
        return (asked @ read if asked.dim() == 1 else (asked @ read.T).max(1).values.sum()).item()


def vectors(one, hidden):
    """What is compared of hidden states: vectors of length 1."""
    if one.kind == "dense":
        hidden = {"cls": hidden[0], "last": hidden[-1], "mean": hidden.mean(0)}[one.pooling]
    return functional.normalize(hidden, dim=-1)


def graph_outputs(one, path, rows, side):
    """The same by the graph, all rows in one batch."""
    onnxruntime.set_default_logger_severity(3)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    longest = max(len(row["input_ids"]) for row in rows)

    def filled(values):
        empty = [0] * (longest - len(values))
        return empty + values if side == "left" else values + empty

    feed = {put.name: numpy.array([filled(row[put.name]) for row in rows]) for put in session.get_inputs()}
    given = torch.tensor(session.run(None, feed)[0])
    if given.dim() == 2:
        return list(given)
    return [vectors(one, hidden[torch.tensor(mask) > 0]) for hidden, mask in zip(given, feed["attention_mask"])]


def call_script(*arguments):
    """Exit code of scripts/export_onnx.py and what it printed, in this process: PyTorch takes long to load."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = export_onnx.main([str(part) for part in arguments])
    return code, said.getvalue()


def export(one, place, words, passages, queries):
    """Makes, exports and compares one model; the original, the line's words, and whether all is well."""
    saved, out, given, more = place / "saved" / one.name, place / one.name, place / f"{one.name}.yaml", []
    save(one, saved, words)
    if one.recipe:
        given.write_text(json.dumps({**one.recipe, "name": one.name, "source": {"export": str(saved)}}))
    else:
        given, more = saved, ["--kind", one.kind] + (["--pooling", one.pooling] if one.kind == "dense" else [])
    code, said = call_script(given, "--out", out, *more, *one.arguments)
    if code:
        return None, said, False
    original = Original(one, saved, words)
    query = next(iter(queries.values()))["text"]
    pair = one.kind in ("cross-encoder", "causal-reranker")
    rows = [original.row(query, text) if pair else original.row(text) for text in passages.values()]
    rows = [row for row in rows if row["input_ids"]]
    theirs = [original(row) for row in rows]
    path = out / "model.onnx"
    worst = max((a - b).abs().max().item() for side in ("left", "right") for part in (slice(None), slice(0, 1), slice(2, 5))
                for a, b in zip(graph_outputs(one, path, rows[part], side), theirs[part]))
    names = [tensor.name for tensor in onnx.load(path).graph.initializer]
    missing = sorted(name for name in original.names() if not any(other.endswith("model." + name) for other in names))
    return original, f"graph {worst:.1e}, names {'missing ' + missing[0] if missing else 'equal'}", worst < LIMIT and not missing


def posbias(*arguments, quiet=False):
    ended = subprocess.run([POSBIAS, *map(str, arguments)], capture_output=True, text=True)
    if ended.returncode and not quiet:
        print(f"posbias {' '.join(map(str, arguments))}\n{ended.stdout[-3000:]}{ended.stderr[-1000:]}", flush=True)
    return ended.returncode, ended.stdout


def run_posbias(place, done, passages, queries):
    """Difference of posbias's scores and the word of its check, by name."""
    data, recipes = place / "data", [place / name / "recipe.yaml" for name in done]
    write_dataset(data, passages, queries)
    posbias("eval", "--model", ",".join(map(str, recipes)), "--dataset", data, "--results", place / "results", "--buckets", "relative:3",
            "--draws", 0)
    said = dict(line.split(": ", 1) for line in posbias("models", "check", *recipes, quiet=True)[1].splitlines() if re.match(r"[\w-]+: \w+$", line))
    texts, found = {row["_id"]: row["text"] for row in queries.values()}, {}
    for name, original in done.items():
        run = place / "results" / "data" / name / "run.trec.gz"
        lines = [line.split() for line in gzip.open(run, "rt")] if run.is_file() else []
        both = [(float(score), original.score(texts[query], passages[passage])) for query, _, passage, _, score, _ in lines]
        worst = max((abs(ours - theirs) for ours, theirs in both if theirs is not None), default=math.nan)
        found[name] = worst, said.get(name, "failed")
    return found


def main():
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    warnings.simplefilter("ignore")
    quick, named = "--quick" in sys.argv, [word for word in sys.argv[1:] if word != "--quick"]
    chosen = [one for one in MODELS if one.name in (QUICK if quick else named or [any_one.name for any_one in MODELS])]
    rows, passages, queries = texts()
    words = {kind: tokenizer(kind, rows) for kind in {one.words for one in chosen}}
    print(f"transformers {transformers.__version__}, torch {torch.__version__}, onnxruntime {onnxruntime.__version__}")
    good, done, lines = True, {}, {}
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        for one in chosen:
            original, lines[one.name], fine = export(one, place, words[one.words], passages, queries)
            good = good and fine
            if original is None:
                print(f"{one.name}: export failed\n{lines[one.name]}", flush=True)
            else:
                done[one.name] = original
        for name, (worst, word) in run_posbias(place, done, passages, queries).items():
            print(f"{name:<26} {done[name].one.family:<13} {lines[name]}, posbias's scores {worst:.1e}, models check: {word}", flush=True)
            good = good and worst < LIMIT and word in ("ok", "warn")
    sys.exit(not good)


if __name__ == "__main__":
    main()
