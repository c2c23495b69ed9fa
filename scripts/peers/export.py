# environment: today
"""scripts/export_onnx.py on tiny random models that transformers made and saved, and posbias on what it wrote.

Usage: scripts/peers/run [--quick] export

One line per model: its family, the exporter, the largest difference of the graph in ONNX Runtime from the model in PyTorch (vectors of
length 1, or logits; batches padded left and right), whether all weights have PyTorch's names, the largest difference of posbias's
scores from PyTorch's, and what `posbias models check` says. Dense models are exported with --torchscript, which `models check` compares
with the graph; on two of them `posbias train` and `diagnose saliency` run. --quick: three models. POSBIAS is the launcher.
Exit code 1: a difference of 1e-5 or more, a missing name, or a command that failed.
"""

import contextlib
import dataclasses
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import time
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
TRAINED = ("bert", "gpt2")
QUICK = ("bert", "gpt2", "qwen3-reranker")


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
            "suffix": " Answer: ", "yes": "yes", "no": "no", "activation": "softmax", "max-tokens": 256}
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
    Model("bloom", "bloom", "BloomModel", dict(hidden_size=32, n_layer=2, n_head=4), pooling="last", arguments=("--max-tokens", "512")),
    Model("qwen3", "decoder", "Qwen3Model", DECODER, "qwen", pooling="last"),
    Model("qwen2-window", "decoder", "Qwen2Model", dict(TINY, num_key_value_heads=2, max_position_embeddings=512, use_sliding_window=True,
                                                         sliding_window=24, max_window_layers=1), "qwen", pooling="last"),
    Model("llama", "decoder", "LlamaModel", DECODER, pooling="last"),
    Model("mistral-window", "decoder", "MistralModel", dict(DECODER, sliding_window=24), pooling="last"),
    Model("gemma", "decoder", "GemmaModel", DECODER, pooling="last"),
    Model("gemma3-window", "decoder", "Gemma3TextModel",
          dict(DECODER, sliding_window=24, layer_types=["sliding_attention", "full_attention"]), pooling="last"),
    Model("qwen3-reranker", "decoder", "Qwen3ForCausalLM", dict(DECODER, tie_word_embeddings=True), "qwen", kind="causal-reranker",
          recipe=RERANKER),
    Model("gemma-reranker", "decoder", "GemmaForCausalLM", DECODER, kind="causal-reranker",
          recipe={key: value for key, value in RERANKER.items() if key != "no"} | {"activation": "sigmoid"}),
    Model("no-positions", "no-positions", "LlamaModel", DECODER, pooling="last", arguments=("--family", "no-positions")),
)


def texts():
    """Passages and queries: the demo's first ones, one over the limit, one empty, one not in Latin letters."""
    rows = [json.loads(line)["text"] for line in open(ROOT / "data" / "demo" / "corpus.jsonl")]
    passages = rows[:8] + [" ".join(rows[8:20]), "", "東京は日本の首都です。 Токио — столица Японии."]
    queries = [json.loads(line)["text"] for line in open(ROOT / "data" / "demo" / "queries.jsonl")][:4]
    return rows, passages, queries


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
    if one.kind == "late-interaction":
        state = {"linear.weight": torch.randn(16, 32) * 0.2, **model.state_dict()}
        safetensors.torch.save_file(state, folder / "model.safetensors")


def outputs(one, folder, words, rows):
    """What PyTorch gives for each text (or pair) alone: the last hidden states, or the logits."""
    auto = {"cross-encoder": transformers.AutoModelForSequenceClassification,
            "causal-reranker": transformers.AutoModelForCausalLM}.get(one.kind, transformers.AutoModel)
    model = auto.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    if one.family == "no-positions":
        model.rotary_emb.register_forward_hook(lambda _module, _given, two: (torch.ones_like(two[0]), torch.zeros_like(two[1])))
    found = []
    for row in rows:
        tensors = {key: torch.tensor([value]) for key, value in row.items()}
        if one.family == "longformer":
            tensors["global_attention_mask"] = torch.tensor([[1] + [0] * (len(row["input_ids"]) - 1)])
        with torch.no_grad():
            given = model(**tensors)
        if one.kind == "cross-encoder":
            found.append(given.logits[0])
        elif one.kind == "causal-reranker":
            kept = [words.backend_tokenizer.token_to_id(one.recipe[key]) or words(one.recipe[key], add_special_tokens=False).input_ids[0]
                    for key in ("no", "yes") if key in one.recipe]
            found.append(given.logits[0, -1, kept])
        else:
            hidden = given.last_hidden_state[0]
            if one.kind == "late-interaction":
                state = safetensors.torch.load_file(folder / "model.safetensors")
                hidden = functional.linear(hidden, state["linear.weight"])
            found.append(hidden)
    return found


def pooled(one, hidden):
    how = {"cls": lambda: hidden[0], "last": lambda: hidden[-1], "mean": lambda: hidden.mean(0)}[one.pooling]
    return functional.normalize(how(), dim=-1)


def vectors(one, hidden):
    """What is compared: vectors of length 1, or logits."""
    if one.kind == "dense":
        return pooled(one, hidden)
    return functional.normalize(hidden, dim=-1) if one.kind == "late-interaction" else hidden


def graph_outputs(one, path, rows, side):
    """The same by the graph, all rows in one batch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    longest = max(len(row["input_ids"]) for row in rows)

    def filled(values):
        empty = [0] * (longest - len(values))
        return empty + values if side == "left" else values + empty

    feed = {put.name: numpy.array([filled(row[put.name]) for row in rows]) for put in session.get_inputs()}
    given = torch.tensor(session.run(None, feed)[0])
    if given.dim() == 2:
        return list(given)
    return [hidden[torch.tensor(mask) > 0] for hidden, mask in zip(given, feed["attention_mask"])]


def largest(one, ours, theirs):
    if ours[0].dim() == 1 and one.kind == "dense":  # pooled inside the graph
        return max((a - vectors(one, b)).abs().max().item() for a, b in zip(ours, theirs))
    return max((vectors(one, a) - vectors(one, b)).abs().max().item() for a, b in zip(ours, theirs))


def encoded(one, words, passages, queries):
    """Rows of numbers as the script's own check makes them."""
    if one.kind == "cross-encoder":
        made = [words(queries[0], text, truncation="only_second", max_length=256, return_token_type_ids=True) for text in passages]
    elif one.kind == "causal-reranker":
        made = [words(one.recipe["prefix"] + text[:400] + one.recipe["suffix"], add_special_tokens=False) for text in passages]
    else:
        made = [words(text, truncation=True, max_length=256) for text in passages]
    kept = ("input_ids", "attention_mask") + (("token_type_ids",) if one.make.startswith("Bert") else ())
    return [{key: list(row[key]) for key in kept if key in row} for row in made]


def call_script(*arguments):
    """Exit code of scripts/export_onnx.py and what it printed, in this process: PyTorch takes long to load."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = export_onnx.main([str(part) for part in arguments])
    return code, said.getvalue()


def export(one, folder, words, passages, queries):
    """Makes, exports and compares one model; the line's beginning and whether all is well."""
    save(one, folder / "saved", words)
    given, more = folder / "saved", []
    if one.recipe:
        given = folder / "given.yaml"
        given.write_text(json.dumps({**one.recipe, "name": one.name, "source": {"export": str(folder / "saved")}}))
    else:
        more = ["--kind", one.kind] + (["--pooling", one.pooling] if one.kind == "dense" else [])
        if one.kind == "dense" and "--pooled" not in one.arguments:
            more.append("--torchscript")
    code, said = call_script(given, "--out", folder / one.name, *more, *one.arguments)
    if code:
        return "export failed\n" + said, False
    rows = encoded(one, words, passages, queries)
    theirs = outputs(one, folder / "saved", words, rows)
    path = folder / one.name / "model.onnx"
    worst = max(largest(one, graph_outputs(one, path, batch, side), expected)
                for side in ("left", "right") for batch, expected in ((rows, theirs), (rows[:1], theirs[:1]), (rows[2:5], theirs[2:5])))
    names = {tensor.name.split("model.", 1)[-1] for tensor in onnx.load(path).graph.initializer}
    model = getattr(transformers, one.make)
    expected = {name for name, _ in model.from_pretrained(folder / "saved").named_parameters()}
    missing = {name for name in expected if not any(name.endswith(found) for found in names) and "pooler" not in name}
    return f"{worst:.1e}  names {'equal' if not missing else 'missing ' + ', '.join(sorted(missing)[:3])}", worst < LIMIT and not missing


def main():
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    quick = "--quick" in sys.argv
    chosen = [one for one in MODELS if (one.name in QUICK if quick else True)]
    only = [word for word in sys.argv[1:] if not word.startswith("--")]
    chosen = [one for one in chosen if not only or one.name in only]
    rows, passages, queries = texts()
    words = {kind: tokenizer(kind, rows) for kind in {one.words for one in chosen}}
    good = True
    with tempfile.TemporaryDirectory() as place:
        place = Path(os.environ.get("KEEP", place))
        for one in chosen:
            began = time.time()
            (place / one.name).mkdir(parents=True)
            line, fine = export(one, place / one.name, words[one.words], passages, queries)
            good = good and fine
            print(f"{one.name:<26} {one.family:<13} {line}  {time.time() - began:.0f}s", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
