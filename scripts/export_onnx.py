#!/usr/bin/env python3
"""Writes the ONNX graph of a model that has none, its tokenizer and a recipe for posbias.

    scripts/export_onnx.py NAME --out models/NAME                # a recipe of posbias with source.export, or a file
    scripts/export_onnx.py intfloat/e5-base-v2 --kind dense --out models/e5-base
    scripts/export_onnx.py NAME --precision float16 --device cuda --out models/NAME-fp16
    scripts/export_onnx.py NAME --calibrated --out models/NAME   # a graph with calibrated attention beside a graph that is there
    scripts/export_onnx.py --list                                # which models are covered, and how

    posbias eval --model models/NAME/recipe.yaml --dataset demo

docs/own-model.md says which models need this and what to watch. Exit code 0: written; 1: the export or its check failed
and nothing was written; 2: wrong arguments, or a Python package is missing.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import inspect
import json
import math
import os
import re
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

KINDS = ("dense", "late-interaction", "cross-encoder", "causal-reranker")
POOLINGS = ("cls", "mean", "max", "last")
PROTOBUF_LIMIT = 2 ** 31
HEADROOM = 64 * 2 ** 20  # the graph itself and its constants, beside the weights
MIN_COSINE = 0.9999
LOGIT_TOLERANCE = {"float32": 1e-3, "float16": 2e-2}
LEAST_CHANGE = 1e-6
SAME = 1e-4  # rounding of other fusions in ONNX Runtime
PER_TOKEN = ("last_hidden_state", "token_embeddings")  # outputs [batch, sequence, dimension]
RECIPES = Path(__file__).resolve().parent.parent / "configs" / "models"
PACKAGES = {"yaml": "pyyaml"}  # modules whose package has another name


class UsageError(Exception):
    """Wrong arguments or something missing on this machine: exit code 2."""


class ExportError(Exception):
    """The export or its check failed: exit code 1."""


# Which models are covered


@dataclass(frozen=True)
class Family:
    """Models that are loaded and wrapped in the same way."""

    name: str
    kinds: Tuple[str, ...]
    note: str
    types: Tuple[str, ...] = ()  # config.json's model_type
    models: Tuple[str, ...] = ()  # beginnings of repository names; these win over types
    causal: bool = False
    positions: bool = False  # position ids have to be given
    remote: bool = False  # runs, or is compared with, Python code of the repository
    pooled: Optional[str] = None  # pooling that is always inside the graph
    pool_mask: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)  # settings to load with
    extra_files: Tuple[str, ...] = ()
    tracer: bool = False  # by PyTorch's older exporter; others by torch.export
    head: Optional[Mapping[str, Any]] = None  # dense head, unless the recipe names one


FAMILIES: Tuple[Family, ...] = (
    Family("nv-embed", ("dense",), "latent attention inside, input pool_mask; transformers 4.45.1",
           models=("nvidia/NV-Embed-v2",), remote=True, tracer=True, pooled="mean", pool_mask=True),
    Family("jina-v4", ("dense",), "adapter for retrieval merged, no vision tower, mean inside",
           models=("jinaai/jina-embeddings-v4",), remote=True, tracer=True, pooled="mean", causal=True,
           extra_files=("adapters/*",)),
    Family("no-positions", ("dense",), "Llama whose rotary embedding is the identity",
           models=("AntNLP/TinyLlama-NoPE",), causal=True, positions=True),
    Family("bidirectional", ("dense",), "stock class under a full mask, compared with the repository's own code",
           models=("Alibaba-NLP/gte-Qwen2-", "infly/inf-retriever-v1", "nvidia/llama-embed-nemotron-",
                   "reasonir/ReasonIR-", "ReasonIR/ReasonIR-", "Kingsoft-LLM/QZhou-Embedding"),
           types=("llama_bidirec",), remote=True),
    Family("stella", ("dense",), "unpadding off; mean, then the dense head, inside",
           models=("NovaSearch/stella_en_400M",), remote=True, tracer=True, pooled="mean",
           config={"unpad_inputs": False, "use_memory_efficient_attention": False},
           head={"file": "2_Dense_1024/model.safetensors", "weight": "linear.weight", "bias": "linear.bias"}),
    Family("new", ("dense", "cross-encoder"), "gte-multilingual and others of that architecture; unpadding off",
           types=("new",), remote=True, tracer=True,
           config={"unpad_inputs": False, "use_memory_efficient_attention": False}),
    Family("longformer", ("dense",), "global attention on the first token, set inside", types=("longformer",)),
    Family("bert", ("dense", "late-interaction", "cross-encoder"),
           "MiniLM, bge-small, e5, contriever, dragon-plus, cocodr, RetroMAE, colbertv2.0, ms-marco",
           types=("bert",), models=("facebook/contriever",), positions=True),
    Family("roberta", ("dense", "late-interaction", "cross-encoder"),
           "dragon-roberta, bge-m3 (dense, colbert), bge-reranker-v2-m3; they count positions themselves",
           types=("roberta", "xlm-roberta")),
    Family("modernbert", ("dense", "late-interaction", "cross-encoder"), "ModernBERT; not compiled",
           types=("modernbert",), config={"reference_compile": False}),
    Family("bloom", ("dense",), "ALiBi from the mask, no position ids", types=("bloom",), causal=True),
    Family("gpt2", ("dense",), "position ids from the mask, made inside", types=("gpt2",), causal=True, positions=True),
    Family("decoder", ("dense", "causal-reranker"),
           "Qwen3-Embedding, Qwen3-Reranker, bge-reranker-v2-gemma, KaLM-Gemma3; position ids from the mask, made inside",
           types=("qwen3", "qwen2", "llama", "mistral", "gemma", "gemma3_text"), causal=True, positions=True),
)


def choose_family(model: str, model_type: str, kind: Optional[str] = None, name: Optional[str] = None) -> Family:
    """The row for a repository: the one named, else by the repository's name, else by its model type."""
    if name is not None:
        found = [family for family in FAMILIES if family.name == name]
    else:
        found = [family for family in FAMILIES if any(model.startswith(start) for start in family.models)]
        found = found or [family for family in FAMILIES if model_type in family.types]
    if not found:
        raise UsageError(f"{name or model}: no family for model type '{model_type}' "
                         f"(--list shows them, --family names one)")
    if kind is not None and kind not in found[0].kinds:
        raise UsageError(f"{model}: family {found[0].name} has no {kind}; it has {', '.join(found[0].kinds)}")
    return found[0]


def guess_kind(family: Family, architectures: Sequence[str]) -> str:
    """What a repository given without a recipe is exported as, when its configuration leaves no doubt."""
    if any(name.endswith("ForSequenceClassification") for name in architectures) and "cross-encoder" in family.kinds:
        return "cross-encoder"
    if "causal-reranker" in family.kinds and any(name.endswith("ForCausalLM") for name in architectures):
        raise UsageError("this may be an embedding model or a reranker: name one with --kind")
    return "dense"


def stock_type(model_type: str) -> str:
    """The architecture of transformers that a bidirectional model shares its weights with."""
    for known in ("llama", "qwen2"):
        if known in model_type:
            return known
    raise UsageError(f"no stock architecture is known for model type '{model_type}'")


def list_families() -> str:
    """The table that --list prints."""
    lines = []
    for family in FAMILIES:
        lines.append(f"{family.name}: {family.note}")
        code = "yes" if family.remote else "no"
        exporter = "the tracer, not tried" if family.tracer else "torch.export"
        lines.append(f"    kinds {', '.join(family.kinds)}; code from the repository: {code}; by {exporter}")
        if family.types:
            lines.append(f"    model types {', '.join(family.types)}")
        if family.models:
            lines.append(f"    models {', '.join(start + '*' for start in family.models)}")
    return "\n".join(lines)


# Arguments


def parse_arguments(arguments: Optional[Sequence[str]] = None) -> argparse.Namespace:
    """The command line, checked as far as that goes without reading anything."""
    if arguments is None:
        arguments = sys.argv[1:]
    parser = argparse.ArgumentParser(prog="export_onnx.py", formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description=__doc__)
    parser.add_argument("model", nargs="?", metavar="RECIPE_OR_HUB_ID",
                        help="a recipe with source.export, by its name or file; OWNER/NAME on the Hub; or a folder "
                             "with a checkpoint")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder to write; it must not exist yet, or be empty")
    parser.add_argument("--kind", choices=KINDS, help="needed without a recipe where it cannot be told")
    parser.add_argument("--family", choices=[family.name for family in FAMILIES], metavar="NAME",
                        help="instead of the one chosen; --list shows them")
    parser.add_argument("--precision", choices=sorted(LOGIT_TOLERANCE), default="float32",
                        help="of the weights in the graph (default float32); outputs are float32 always")
    parser.add_argument("--revision", help="branch, tag or commit (default: the recipe's, else main)")
    parser.add_argument("--opset", type=int, default=18, help="ONNX opset (default 18)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="for export and check (default cpu)")
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, default=True,
                        help="compare the graph with PyTorch before it is put in place (default on)")
    parser.add_argument("--pooled", action=argparse.BooleanOptionalAction, default=None,
                        help="dense: pooling, head and norm inside the graph (default: only where a family needs it)")
    parser.add_argument("--pooling", choices=POOLINGS, help="dense, when neither recipe nor repository tells")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="instead of the recipe's or the repository's")
    parser.add_argument("--trust-remote-code", action="store_true",
                        help="run Python code of the repository; read it first, and pin --revision")
    calibrated = parser.add_argument_group("attention calibration (docs/mitigate.md#attention-calibration)")
    calibrated.add_argument("--calibrated", action="store_true",
                            help="dense, of a recipe whose graph is on this machine: write its files and a second graph whose pooled "
                                 "tokens attend to all parts of a text alike, which MODEL+calibrated runs")
    calibrated.add_argument("--basket", type=int, metavar="N", help="tokens of a part (default 128)")
    calibrated.add_argument("--strength", type=float, metavar="SHARE", help="above 0, up to 1: of equal attention (default 0.5)")
    calibrated.add_argument("--layers", type=float, metavar="SHARE", help="above 0, up to 1: of the layers, the last ones (default 0.5)")
    parser.add_argument("--list", action="store_true", help="print the families of models, and stop")
    options = parser.parse_args(arguments)
    if not options.list:
        check_arguments(options)
    return options


def check_arguments(options: argparse.Namespace) -> None:
    """Combinations that argparse does not know."""
    if options.model is None:
        raise UsageError("RECIPE_OR_HUB_ID is missing")
    if options.out is None:
        raise UsageError("--out is missing")
    if not 18 <= options.opset <= 20:
        raise UsageError(f"--opset {options.opset}: give 18 to 20")
    if options.max_tokens is not None and options.max_tokens < 2:
        raise UsageError(f"--max-tokens {options.max_tokens}: give 2 or more")
    if options.kind not in (None, "dense") and (options.pooled is not None or options.pooling):
        raise UsageError(f"--pooled and --pooling are for dense models, not {options.kind}")
    check_calibrated(options)
    if options.out.exists() and (not options.out.is_dir() or any(options.out.iterdir())):
        raise UsageError(f"{options.out}: exists; remove it, or choose another folder")


def check_calibrated(options: argparse.Namespace) -> None:
    """The options of --calibrated, which loads no model."""
    for name in ("basket", "strength", "layers"):
        value = getattr(options, name)
        if value is None:
            continue
        if not options.calibrated:
            raise UsageError(f"--{name} is for --calibrated")
        if not (value >= 1 if name == "basket" else 0 < value <= 1):
            raise UsageError(f"--{name} {value}: give {'1 or more' if name == 'basket' else 'a number above 0, up to 1'}")
    if options.calibrated:
        others = {"kind": None, "family": None, "precision": "float32", "revision": None, "opset": 18, "device": "cpu", "pooled": None,
                  "pooling": None, "max_tokens": None, "trust_remote_code": False}
        given = [name for name, usual in others.items() if getattr(options, name) != usual]
        if given:
            raise UsageError(f"--{given[0].replace('_', '-')} is not for --calibrated, which changes a graph that is there")


# Recipes


def need(module: str) -> Any:
    """A package that only an export needs; one line when it is missing."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).split(".")[0]
        raise UsageError(f"the Python package {PACKAGES.get(missing, missing)} is missing: "
                         f"python3 -m pip install {PACKAGES.get(missing, missing)}   (docs/own-model.md#export)") from error


def read_recipe(path: Path) -> Dict[str, Any]:
    """A recipe as a dict."""
    yaml = need("yaml")
    try:
        recipe = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: cannot be read as YAML: {error}") from error
    if not isinstance(recipe, dict):
        raise UsageError(f"{path}: not a recipe")
    return recipe


def find_recipe(given: str) -> str:
    """The file of a recipe that is given by its name; what is given otherwise stays."""
    if "/" in given or given.endswith((".yaml", ".yml")) or Path(given).exists():
        return given
    path = RECIPES / f"{given}.yaml"
    if not path.is_file():
        raise UsageError(f"{given}: {RECIPES} has no such recipe; give a file, OWNER/NAME on the Hub, or a folder")
    return str(path)


def exported_from(recipe: Mapping[str, Any], where: str) -> Tuple[str, Optional[str]]:
    """Repository and revision that `source` names."""
    source = recipe.get("source")
    if not isinstance(source, Mapping) or not isinstance(source.get("export"), str):
        raise UsageError(f"{where}: source.export is missing; only such recipes need an export")
    revision = source.get("revision")
    return source["export"], None if revision is None else str(revision)


def check_recipe(recipe: Mapping[str, Any], where: str) -> None:
    """What has to be there before anything is downloaded."""
    kind = recipe.get("kind")
    if kind not in KINDS:
        raise UsageError(f"{where}: kind '{kind}' runs no graph; known: {', '.join(KINDS)}")
    if kind == "causal-reranker" and not isinstance(recipe.get("yes"), str):
        raise UsageError(f"{where}: the text of the token `yes` is missing")


def minimal_recipe(model: str, kind: str) -> Dict[str, Any]:
    """What is known of a repository that comes without a recipe."""
    if kind in ("late-interaction", "causal-reranker"):
        raise UsageError(f"a {kind} model has rules that only a recipe tells: give a YAML file with source.export")
    recipe: Dict[str, Any] = {
        "name": re.sub(r"[^A-Za-z0-9._+-]", "-", PurePosixPath(model).name),
        "kind": kind,
        "family": "dense" if kind == "dense" else "reranker",
        "description": f"{model}, exported"[:69],
        "citation": f"https://huggingface.co/{model}",
        "licence": "unknown",
        "unknown": ["Exported without a recipe: licence and limits were not looked up."],
    }
    if kind == "dense":
        recipe["unknown"] = ["Exported without a recipe: licence, prompts, similarity and norm were not looked up."]
    return recipe


def graph_path(recipe: Mapping[str, Any], precision: str) -> str:
    """Where the graph goes inside the folder: the recipe's own path, so that it is found by the recipe's name too."""
    given = recipe.get("onnx")
    path = given.get(precision, "model.onnx") if isinstance(given, Mapping) else "model.onnx"
    parts = PurePosixPath(path).parts if isinstance(path, str) else ("/",)
    if ".." in parts or parts[:1] == ("/",) or not str(path).endswith(".onnx"):
        raise UsageError(f"onnx.{precision}: '{path}' is no path inside the folder that ends in .onnx")
    return path


@dataclass(frozen=True)
class Written:
    """What an export wrote."""

    precision: str
    graph: str
    external: Tuple[str, ...]
    output: str
    dimension: Optional[int] = None
    pooled: bool = False
    pool_mask: bool = False
    head_inside: bool = False
    logits: Optional[str] = None
    query_graph: Optional[str] = None
    query_external: Tuple[str, ...] = ()
    max_tokens: Optional[int] = None


def build_recipe(recipe: Mapping[str, Any], written: Written) -> Dict[str, Any]:
    """The recipe of what was written: the given one with new files."""
    replaced = {"source", "onnx", "precision", "external-data", "tokenizer", "output", "query-encoder"}
    result = {}
    for key in ("name", "kind", "family", "description", "citation", "licence", "unknown"):
        if key in recipe:
            result[key] = recipe[key]
    result.update(source={"folder": "."}, onnx={written.precision: written.graph}, precision=written.precision)
    if written.external:
        result["external-data"] = list(written.external)
    result.update(tokenizer="tokenizer.json", output=written.output)
    result.update({key: value for key, value in recipe.items() if key not in result and key not in replaced})
    if written.query_graph is not None:
        query: Dict[str, Any] = {"source": {"folder": "."}, "onnx": {written.precision: written.query_graph}}
        if written.query_external:
            query["external-data"] = list(written.query_external)
        result["query-encoder"] = query
    _adjust(result, written)
    return result


def _adjust(result: Dict[str, Any], written: Written) -> None:
    """Rules that the graph now follows by itself."""
    if written.max_tokens is not None:
        result["max-tokens"] = written.max_tokens
    if written.head_inside:
        result.pop("head", None)
    if written.pooled:
        result["pooling"] = "none"
        result.pop("pool-mask-input", None)
        if written.pool_mask:
            result["pool-mask-input"] = "pool_mask"
    if written.logits is not None:
        result["logits"] = written.logits
    if written.dimension is not None:
        result["dimension"] = written.dimension


PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9._/+-]*")
YAML_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def scalar(value: Any) -> str:
    """A value on one line: a plain word, or JSON, which is YAML as well."""
    if isinstance(value, str) and PLAIN.fullmatch(value) and value.lower() not in YAML_WORDS:
        return value
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return NOT_PRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def emit_yaml(recipe: Mapping[str, Any], indent: int = 0) -> str:
    """A recipe as YAML: maps in blocks, lists in JSON's form."""
    lines = []
    for key, value in recipe.items():
        start = " " * indent + scalar(key) + ":"
        if isinstance(value, Mapping) and value:
            lines.append(start + "\n" + emit_yaml(value, indent + 2).rstrip("\n"))
        else:
            lines.append(f"{start} {scalar(value)}")
    return "\n".join(lines) + "\n"


# Files of a repository


def choose_files(names: Iterable[str], extra: Sequence[str] = ()) -> List[str]:
    """Which files to fetch: settings, tokenizer, code, and one kind of weights; safetensors before pickles."""
    import fnmatch

    names = sorted(names)
    weights = [name for name in names if "/" not in name and name.endswith(".safetensors")]
    if not weights:
        weights = [name for name in names if re.fullmatch(r"pytorch_model.*\.bin", name)]
    small = [name for name in names if name.endswith((".json", ".py", ".txt", ".model"))
             and not name.startswith(("onnx/", "openvino/"))]
    more = [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in extra)]
    return sorted(set(weights + small + more))


def weight_files(folder: Path) -> Tuple[List[Path], bool]:
    """The weights of a checkpoint, and whether they are pickles."""
    found = sorted(folder.glob("*.safetensors"))
    if found:
        return found, False
    found = sorted(folder.glob("pytorch_model*.bin"))
    if not found:
        raise ExportError(f"{folder}: neither safetensors nor pytorch_model.bin")
    return found, True


def read_json(path: Path) -> Dict[str, Any]:
    """A JSON object, or an empty one when there is no such file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def repository_pooling(folder: Path) -> Optional[str]:
    """Pooling as sentence-transformers keeps it beside the weights: a word since version 6, before that a flag for each."""
    settings = read_json(folder / "1_Pooling" / "config.json")
    words = settings.get("pooling_mode") or [name[len("pooling_mode_"):] for name, value in settings.items()
                                             if name.startswith("pooling_mode_") and value is True]
    chosen = [re.sub("_tokens?$", "", word) for word in ([words] if isinstance(words, str) else words)]
    names = {"cls": "cls", "mean": "mean", "max": "max", "lasttoken": "last"}
    return names.get(chosen[0]) if len(chosen) == 1 else None


def repository_max_tokens(config: Mapping[str, Any], tokenizer: Mapping[str, Any]) -> Optional[int]:
    """The least limit that the repository states; RoBERTa's table of positions has two rows more than it can use."""
    limits = []
    rows = config.get("max_position_embeddings") or config.get("n_positions")
    if isinstance(rows, int):
        limits.append(rows - 2 if config.get("model_type") in ("roberta", "xlm-roberta", "longformer") else rows)
    stated = tokenizer.get("model_max_length")
    if isinstance(stated, (int, float)) and 0 < stated < 10 ** 6:
        limits.append(int(stated))
    return min(limits) if limits else None


def needs_external_data(weight_bytes: int) -> bool:
    """Whether the weights have to stand beside the graph: protobuf takes less than 2 GiB."""
    return weight_bytes > PROTOBUF_LIMIT - HEADROOM


# Tokenizers


def vocabulary(text: str) -> Dict[str, int]:
    """Tokens of a vocab.txt, one per line, with their numbers."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return {line.rstrip("\r"): number for number, line in enumerate(lines)}


def wordpiece_tokenizer(vocab: Mapping[str, int], lower_case: bool = True) -> Dict[str, Any]:
    """tokenizer.json of a BERT vocabulary: its normaliser, WordPiece, [CLS] text [SEP] and [CLS] a [SEP] b [SEP]."""
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    absent = [token for token in special if token not in vocab]
    if absent:
        raise ExportError(f"vocab.txt: no {', '.join(absent)}; this is no BERT vocabulary")

    def mark(token: str, side: int) -> Dict[str, Any]:
        return {"SpecialToken": {"id": token, "type_id": side}}

    def text(name: str, side: int) -> Dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": side}}

    single = [mark("[CLS]", 0), text("A", 0), mark("[SEP]", 0)]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": vocab[token], "content": token, **flags}
                         for token in sorted(special, key=lambda token: vocab[token])],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": lower_case},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": single + [text("B", 1), mark("[SEP]", 1)],
            "special_tokens": {token: {"id": token, "ids": [vocab[token]], "tokens": [token]}
                               for token in ("[CLS]", "[SEP]")},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": dict(vocab)},
    }


def tokenizer_json(folder: Path, config: Mapping[str, Any], trust: bool) -> Dict[str, Any]:
    """The repository's tokenizer.json without its own truncation and padding, or one built when it has none."""
    present = folder / "tokenizer.json"
    settings = read_json(folder / "tokenizer_config.json")
    if present.is_file():
        return {**read_json(present), "truncation": None, "padding": None}
    if (folder / "vocab.txt").is_file() and config.get("model_type") in ("bert", None):
        say("no tokenizer.json in the repository: building it from vocab.txt")
        return wordpiece_tokenizer(vocabulary((folder / "vocab.txt").read_text(encoding="utf-8")),
                                   bool(settings.get("do_lower_case", True)))
    say("no tokenizer.json in the repository: converting its tokenizer")
    fast = need("transformers").AutoTokenizer.from_pretrained(str(folder), use_fast=True, trust_remote_code=trust)
    if not getattr(fast, "is_fast", False):
        raise ExportError(f"{folder}: its tokenizer cannot be turned into a tokenizer.json")
    return {**json.loads(fast.backend_tokenizer.to_str()), "truncation": None, "padding": None}


# Loading


@dataclass
class Job:
    """One graph to write."""

    model: str
    folder: Path
    recipe: Dict[str, Any]
    family: Family
    options: argparse.Namespace
    config: Dict[str, Any]

    @property
    def kind(self) -> str:
        return self.recipe["kind"]

    @property
    def pooling(self) -> Optional[str]:
        return self.recipe.get("pooling")

    @property
    def pooled(self) -> bool:
        return self.kind == "dense" and (self.family.pooled is not None or bool(self.options.pooled))

    @property
    def pool_mask(self) -> bool:
        return self.pooled and (self.family.pool_mask or (
            self.pooling in ("mean", "max") and self.recipe.get("pool-prompt") is False))

    @property
    def normalise(self) -> bool:
        return self.recipe.get("normalise", True) is not False

    @property
    def output(self) -> str:
        if self.kind in ("cross-encoder", "causal-reranker"):
            return "logits"
        if self.kind == "late-interaction":
            return "token_embeddings"
        return "sentence_embedding" if self.pooled else "last_hidden_state"

    @property
    def head(self) -> Optional[Mapping[str, Any]]:
        """The linear layer that goes into the graph; without --pooled a dense one is left to posbias."""
        given = self.recipe.get("head") or self.family.head
        if self.kind == "late-interaction":
            return given or {"file": "model.safetensors", "weight": "linear.weight"}
        return given if self.pooled else None

    @property
    def token_types(self) -> bool:
        return self.kind == "cross-encoder" and self.config.get("type_vocab_size", 0) > 1


def fetch(model: str, revision: Optional[str], extra: Sequence[str]) -> Tuple[Path, str]:
    """A repository's files on this machine, and its commit. A folder is taken as it is."""
    if Path(model).is_dir():
        return Path(model), "a local folder"
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", model):
        raise UsageError(f"{model}: neither a recipe, nor a folder, nor OWNER/NAME")
    hub = need("huggingface_hub")
    try:
        about = hub.HfApi().model_info(model, revision=revision)
        names = [sibling.rfilename for sibling in about.siblings]
        folder = hub.snapshot_download(model, revision=about.sha, allow_patterns=choose_files(names, extra))
    except (OSError, ValueError) as error:  # what the Hub's own errors are built on
        raise ExportError(f"{model}: cannot be fetched from the Hub: {error}") from error
    return Path(folder), about.sha


def load(job: Job, auto: str, remote: bool) -> Any:
    """The model in float32 with attention written out, every weight accounted for."""
    transformers = need("transformers")
    if remote and not job.options.trust_remote_code:
        raise UsageError(f"{job.model} needs Python code from its repository: read it, then give --trust-remote-code")
    config = (transformers.AutoConfig.from_pretrained(str(job.folder), trust_remote_code=remote) if remote
              else stock_config(job))
    for name, value in {**job.family.config, "use_cache": False}.items():
        setattr(config, name, value)
    settings = dict(config=config, attn_implementation="eager")
    files, pickled = weight_files(job.folder)
    if remote and pickled:
        raise ExportError(f"{job.folder}: pickled weights and code of its own; convert it to safetensors first")
    model_class = getattr(transformers, auto) if remote else getattr(transformers, AUTO_TABLES[auto])[type(config)]
    if job.family.name == "jina-v4":  # its own from_pretrained adds the adapters and gives no report
        return ready(job, model_class.from_pretrained(str(job.folder), trust_remote_code=True, use_safetensors=True,
                                                      **settings))
    settings["output_loading_info"] = True
    if remote:
        settings["trust_remote_code"] = True
    if pickled:
        say(f"only pickled weights ({', '.join(file.name for file in files)}): torch.load(weights_only=True)")
        model, report = model_class.from_pretrained(None, state_dict=read_states(files), **settings)
    else:
        model, report = model_class.from_pretrained(str(job.folder), use_safetensors=True, **settings)
    refuse_missing(report.get("missing_keys", ()), job.model)
    return ready(job, model)


def ready(job: Job, model: Any) -> Any:
    """For inference, on the device."""
    return model.float().eval().requires_grad_(False).to(job.options.device)


AUTO_TABLES = {
    "AutoModel": "MODEL_MAPPING",
    "AutoModelForSequenceClassification": "MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING",
    "AutoModelForCausalLM": "MODEL_FOR_CAUSAL_LM_MAPPING",
}


def stock_config(job: Job) -> Any:
    """Settings for a class of transformers itself: the model type decides, not `architectures` nor `auto_map`."""
    left_out = ("auto_map", "architectures", "torch_dtype", "dtype")
    settings = {key: value for key, value in job.config.items() if key not in left_out}
    kind = settings.pop("model_type", "bert")
    if job.family.name == "bidirectional":
        kind = stock_type(kind)
    elif job.family.name == "bert":
        kind = "bert"
    return need("transformers").AutoConfig.for_model(kind, **settings)


def refuse_missing(missing: Iterable[str], model: str) -> None:
    """Weights that were not in the repository are random numbers; only the unused pooler may be."""
    bad = sorted(key for key in missing if not re.search(r"(^|\.)pooler\.|position_ids$|inv_freq$", key))
    if bad:
        shown = ", ".join(bad[:5]) + (f" and {len(bad) - 5} more" if len(bad) > 5 else "")
        raise ExportError(f"{model}: no weights for {shown}; the class does not fit this repository")


def read_states(files: Iterable[Path]) -> Dict[str, Any]:
    """Stored tensors; pickles only as plain tensors, never as objects."""
    torch, state = need("torch"), {}
    for file in files:
        if file.suffix == ".safetensors":
            state.update(need("safetensors.torch").load_file(str(file)))
        else:
            state.update(torch.load(str(file), map_location="cpu", weights_only=True))
    return state


def load_head(job: Job) -> Optional[Any]:
    """The linear layer after pooling, or after every token."""
    head = job.head
    if head is None:
        return None
    file, wrappers = job.folder / str(head["file"]), need("export_wrappers")
    files = [file] if file.is_file() else weight_files(job.folder)[0]
    if not file.is_file():
        say(f"no {head['file']} in the repository: looking for {head['weight']} beside the other weights")
    state = read_states(files)
    for key in (head["weight"], head.get("bias")):
        if key is not None and key not in state:
            raise ExportError(f"{head['file']}: no tensor {key}")
    layer = wrappers.linear_of(state, head["weight"], head.get("bias"), head.get("activation", "none"))
    return layer.to(job.options.device)


# Wrapping: from a loaded model to the module that is exported, and to what it is compared with


def wrap_tokens(job: Job, model: Any) -> Any:
    """Token vectors of a family."""
    wrappers, name = need("export_wrappers"), job.family.name
    if name == "longformer":
        return wrappers.LongformerTokens(model)
    if name == "jina-v4":
        return wrappers.JinaTokens(jina_language_model(model))
    if name == "no-positions":
        model.rotary_emb = wrappers.NoRotary(model.config.hidden_size // model.config.num_attention_heads)
    if name == "bidirectional":
        return wrappers.FullTokens(model)
    return wrappers.Tokens(model, job.family.positions)


def jina_language_model(model: Any) -> Any:
    """The text part of jina-embeddings-v4 with the adapter for retrieval merged."""
    if need("export_wrappers").merge_adapter(model, "retrieval") == 0:
        raise ExportError("jina-embeddings-v4: no adapters were found in the loaded model; its code has changed")
    for path in ("model.language_model", "language_model", "model"):
        part = getattr(model, "get_base_model", lambda: model)()
        for name in path.split("."):
            part = getattr(part, name, None)
        if part is not None and hasattr(part, "layers"):
            return part
    raise ExportError("jina-embeddings-v4: its language model was not found; its code has changed")


def wrap(job: Job, model: Any, token_ids: Sequence[int]) -> Any:
    """The module whose graph is written."""
    wrappers = need("export_wrappers")
    if job.options.precision == "float16":
        model = model.half()
    if job.family.name == "nv-embed":
        return wrappers.NvEmbed(model, job.normalise)
    if job.kind == "cross-encoder":
        return wrappers.CrossEncoder(model)
    if job.kind == "causal-reranker":
        cap = getattr(model.config, "final_logit_softcapping", None)
        return wrappers.YesNo(wrap_tokens(job, model.base_model), model.get_output_embeddings(), token_ids, cap)
    tokens = wrap_tokens(job, model)
    if job.pooled:
        return wrappers.Pooled(tokens, job.family.pooled or job.pooling, load_head(job), job.normalise)
    return wrappers.HiddenStates(tokens, load_head(job))


def load_to_wrap(job: Job) -> Any:
    """The model that is exported."""
    auto = {"cross-encoder": "AutoModelForSequenceClassification",
            "causal-reranker": "AutoModelForCausalLM"}.get(job.kind, "AutoModel")
    return load(job, auto, job.family.remote and job.family.name != "bidirectional")


def reference_of(job: Job, model: Any, token_ids: Sequence[int]) -> Callable[[Dict[str, List[int]]], List[List[float]]]:
    """The model as its authors run it: one text without padding, rows of numbers as the check compares them."""
    wrappers, torch, device = need("export_wrappers"), need("torch"), job.options.device
    head = None if job.family.name == "nv-embed" else load_head(job)

    def tensors(row: Dict[str, List[int]]) -> Dict[str, Any]:
        return {name: torch.tensor([values], device=device) for name, values in row.items()}

    def vectors(row: Dict[str, List[int]]) -> Any:
        ids = row["input_ids"]
        if job.kind == "cross-encoder":
            return model(**tensors(row)).logits
        if job.kind == "causal-reranker":
            return model(**tensors(row), use_cache=False).logits[:, -1, list(token_ids)]
        if job.family.name == "nv-embed":
            return model(**tensors(row))["sentence_embeddings"].reshape(1, -1)
        if job.family.name == "jina-v4":
            return model(task_label="retrieval", **tensors(row)).single_vec_emb
        more = {}
        if job.family.name == "longformer":
            more["global_attention_mask"] = torch.tensor([[1] + [0] * (len(ids) - 1)], device=device)
        hidden = wrappers.plain_hidden(model, ids, device, **more)
        if job.kind == "late-interaction":
            return head(hidden)
        vector = wrappers.plain_pool(hidden, job.pooling)
        vector = vector if head is None else head(vector)
        return (torch.nn.functional.normalize(vector, dim=-1) if job.pooled and job.normalise else vector)[None]

    def call(row: Dict[str, List[int]]) -> List[List[float]]:
        with torch.no_grad():
            return vectors({name: values for name, values in row.items()
                            if name != "pool_mask" or job.family.name == "nv-embed"}).float().cpu().tolist()

    return call


def reference_model(job: Job) -> Any:
    """What the check compares with: the repository's own code where it has some."""
    if job.family.name == "bidirectional":
        return load(job, "AutoModel", True)
    return load_to_wrap(job)


@contextlib.contextmanager
def no_rotation(job: Job) -> Iterator[None]:
    """For the reference only, as the card of TinyLlama-NoPE asks: the function that turns queries and keys does not."""
    if job.family.name != "no-positions":
        yield
        return
    llama = need("transformers.models.llama.modeling_llama")
    kept = llama.apply_rotary_pos_emb
    llama.apply_rotary_pos_emb = lambda query, key, *rest, **more: (query, key)
    try:
        yield
    finally:
        llama.apply_rotary_pos_emb = kept


# Writing the graph


def export_graph(job: Job, module: Any, folder: Path, graph: str) -> Tuple[str, ...]:
    """Writes the module's graph to folder/graph; which files hold its weights beside it."""
    raw = folder / "raw"
    raw.mkdir()
    external = needs_external_data(weight_bytes(module))
    with one_line(job, "be exported"):
        (trace if job.family.tracer else export_program)(job, module.eval(), raw / "model.onnx", external)
    put_graph(raw / "model.onnx", folder / graph, external)
    shutil.rmtree(raw)
    return (f"{graph}_data",) if external else ()


@contextlib.contextmanager
def one_line(job: Job, what: str) -> Iterator[None]:
    """PyTorch's errors, which are pages long, by their first line."""
    try:
        yield
    except (RuntimeError, LookupError) as error:
        raise ExportError(f"{job.model} cannot {what} (family {job.family.name}): "
                          f"{str(error).strip().splitlines()[0][:200]}") from error


def export_program(job: Job, module: Any, path: Path, external: bool) -> None:
    """By torch.export. Without its optimiser every weight keeps its name and its numbers, which training needs."""
    torch, inputs = need("torch"), sample_inputs(job)
    both = {0: "batch", 1: "sequence"}
    with torch.no_grad():
        program = torch.onnx.export(module, tuple(inputs.values()), input_names=list(inputs), output_names=[job.output],
                                    dynamic_shapes=tuple(both for _ in inputs), opset_version=job.options.opset,
                                    dynamo=True, optimize=False, verbose=False)
    for node in program.model.graph.all_nodes():
        node.metadata_props.clear()  # lines of the source that made it
    program.save(str(path), external_data=external)


def trace(job: Job, module: Any, path: Path, external: bool) -> None:
    """By the tracer, for code that torch.export may not follow; beyond protobuf's limit it divides the weights itself."""
    torch, inputs = need("torch"), sample_inputs(job)
    both = {0: "batch", 1: "sequence"}
    axes: Dict[str, Dict[int, str]] = {name: both for name in inputs}
    axes[job.output] = both if job.output in PER_TOKEN else {0: "batch"}
    with torch.no_grad():
        torch.onnx.export(module, tuple(inputs.values()), str(path), input_names=list(inputs),
                          output_names=[job.output], dynamic_axes=axes, opset_version=job.options.opset,
                          **({"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}))


def sample_inputs(job: Job) -> Dict[str, Any]:
    """Two rows of different length, one padded on each side, so that no branch is frozen for full rows."""
    torch, device = need("torch"), job.options.device
    mask = torch.ones(2, 16, dtype=torch.int64, device=device)
    mask[0, 12:] = 0
    mask[1, :3] = 0
    pad = job.config.get("pad_token_id") or 0
    ids = torch.arange(32, device=device).reshape(2, 16) % 13 + 2
    inputs = {"input_ids": torch.where(mask > 0, ids, torch.full_like(ids, int(pad))), "attention_mask": mask}
    if job.token_types:
        inputs["token_type_ids"] = torch.zeros_like(mask)
    if job.pool_mask:
        inputs["pool_mask"] = mask.clone()
    return inputs


def weight_bytes(module: Any) -> int:
    """Size of everything a module holds; shared tensors once."""
    sizes = {tensor.data_ptr(): tensor.numel() * tensor.element_size()
             for tensor in list(module.parameters()) + list(module.buffers())}
    return sum(sizes.values())


def put_graph(raw: Path, target: Path, external: bool) -> None:
    """Moves a graph to its place, with all weights in one file beside it when they do not fit into it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not external:
        raw.rename(target)
        return
    onnx = need("onnx")
    onnx.save_model(onnx.load(str(raw)), str(target), save_as_external_data=True, all_tensors_to_one_file=True,
                    location=f"{target.name}_data", size_threshold=1024, convert_attribute=False)
    (target.parent / f"{target.name}_data").chmod(0o666 & ~current_umask())


# The check


CHECK_TEXTS = (
    "Position bias.",
    "Where was the treaty signed?",
    "The answer stands at the end of the passage, not at its beginning.",
    "In 1888 the observatory on the hill was given a new refractor, which was used until the city grew around it.",
    "Bees tell each other where food is by dancing. The angle of the dance shows its direction, the length how far.",
) + tuple(" ".join(["The river rose in March, fell in June, and was dry before the harvest began."] * count)
          for count in (4, 9, 20))


def pad_rows(rows: Sequence[Sequence[int]], side: str, fill: int) -> List[List[int]]:
    """Rows of one length, filled on one side."""
    longest = max(len(row) for row in rows)
    if side == "left":
        return [[fill] * (longest - len(row)) + list(row) for row in rows]
    return [list(row) + [fill] * (longest - len(row)) for row in rows]


def last_valid_position(mask: Sequence[int]) -> int:
    """Index of the last 1, whichever side the padding is on; what the graphs do with tensors."""
    for index in range(len(mask) - 1, -1, -1):
        if mask[index]:
            return index
    raise ValueError("no valid position")


def valid_rows(vectors: Sequence[Sequence[float]], mask: Sequence[int]) -> List[Sequence[float]]:
    """The vectors of valid tokens."""
    return [vector for vector, valid in zip(vectors, mask) if valid]


def pool_rows(vectors: Sequence[Sequence[float]], mask: Sequence[int], how: str) -> List[float]:
    """Pooling in plain Python, as posbias does it after the graph."""
    if how == "last":
        return list(vectors[last_valid_position(mask)])
    kept = valid_rows(vectors, mask)
    if how == "cls":
        return list(kept[0])
    if how == "max":
        return [max(column) for column in zip(*kept)]
    return [math.fsum(column) / len(kept) for column in zip(*kept)]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Cosine of two vectors; NaN when there is no such thing."""
    dot = math.fsum(a * b for a, b in zip(one, other))
    norms = math.sqrt(math.fsum(a * a for a in one) * math.fsum(b * b for b in other))
    return dot / norms if len(one) == len(other) and norms > 0 and math.isfinite(norms) else math.nan


def difference(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Largest change of a number, in relation to the numbers' size."""
    size = max((abs(a) for row in one for a in row), default=0.0)
    pairs = [abs(a - b) for first, second in zip(one, other) for a, b in zip(first, second)]
    return max(pairs, default=0.0) / max(size, 1e-12)


def agreement(kind: str, ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> float:
    """Rerankers: largest distance of logits, of theirs where these exceed 1. Others: least cosine of vectors."""
    if len(ours) != len(theirs):
        return math.nan
    if kind in ("cross-encoder", "causal-reranker"):
        return max(abs(a - b) / max(1.0, abs(b)) for one, two in zip(ours, theirs) for a, b in zip(one, two))
    cosines = [cosine(a, b) for a, b in zip(ours, theirs)]
    return math.nan if any(math.isnan(value) for value in cosines) else min(cosines)


def change_token(row: Sequence[int], index: int, special: Iterable[int], vocabulary_size: int) -> List[int]:
    """The row with another ordinary token at index."""
    taken = set(special) | {row[index]}
    start = (row[index] + 97) % vocabulary_size
    for step in range(vocabulary_size):
        token = (start + step) % vocabulary_size
        if token not in taken:
            return [*row[:index], token, *row[index + 1:]]
    raise ValueError("no other token")


def content_ends(row: Sequence[int], special: Iterable[int]) -> Tuple[int, int]:
    """Indices of the first and the last token that are not special."""
    ordinary = [index for index, token in enumerate(row) if token not in set(special)]
    if not ordinary:
        raise ValueError("only special tokens")
    return ordinary[0], ordinary[-1]


@dataclass
class Report:
    """Lines of the check, and whether all of them hold."""

    lines: List[str] = field(default_factory=list)
    good: bool = True

    def add(self, what: str, value: str, holds: bool) -> None:
        self.lines.append(f"  {what:<42} {value:<22} {'ok' if holds else 'FAILED'}")
        self.good = self.good and holds


@dataclass
class Encoded:
    """The check's texts as numbers."""

    rows: List[Dict[str, List[int]]]
    special: List[int]
    pad: int
    size: int


Runner = Callable[[Sequence[Dict[str, List[int]]], str], List[List[List[float]]]]


def check(job: Job, encoded: Encoded, run: Runner, expected: Sequence[List[List[float]]], precision: str) -> Report:
    """Everything that is asked of a graph; run takes rows and a padding side and gives vectors or logits per row."""
    report = Report()
    single = [run([row], "right")[0] for row in encoded.rows]
    for what, found in (("one text at a time", single), ("batch, padded right", run(encoded.rows, "right")),
                        ("batch, padded left", run(encoded.rows, "left"))):
        compare(report, job.kind, what, found, expected, precision)
    row = encoded.rows[3]
    first, last = content_ends(row["input_ids"], encoded.special)
    before = run([row], "right")[0]
    for what, index in (("first", first), ("last", last)):
        changed = {**row, "input_ids": change_token(row["input_ids"], index, encoded.special, encoded.size)}
        change = difference(before, run([changed], "right")[0])
        report.add(f"changes with the {what} token", f"{change:.2e}", change > LEAST_CHANGE)
    if "pool_mask" in row:
        half = [0] * (len(row["pool_mask"]) // 2)
        change = difference(before, run([{**row, "pool_mask": half + row["pool_mask"][len(half):]}], "right")[0])
        report.add("changes with pool_mask", f"{change:.2e}", change > LEAST_CHANGE)
    return report


def compare(report: Report, kind: str, what: str, found: Sequence[List[List[float]]],
            expected: Sequence[List[List[float]]], precision: str) -> None:
    """One line for a way of batching."""
    values = [agreement(kind, ours, theirs) for ours, theirs in zip(found, expected)]
    bad = any(math.isnan(value) for value in values)
    if kind in ("cross-encoder", "causal-reranker"):
        worst = math.nan if bad else max(values)
        report.add(f"{what}, logits", f"off by at most {worst:.2e}", worst <= LOGIT_TOLERANCE[precision])
    else:
        worst = math.nan if bad else min(values)
        report.add(f"{what}, cosine", f"at least {worst:.8f}", worst >= MIN_COSINE)


def check_direction(report: Report, job: Job, encoded: Encoded, run_tokens: Runner) -> None:
    """Only where token vectors come out: a causal graph's first one cannot know the last token; a full one's must."""
    row = encoded.rows[2]
    _, last = content_ends(row["input_ids"], encoded.special)
    changed = {**row, "input_ids": change_token(row["input_ids"], last, encoded.special, encoded.size)}
    change = difference(run_tokens([row], "right")[0][:1], run_tokens([changed], "right")[0][:1])
    sees = change > LEAST_CHANGE
    expected = "causal" if job.family.causal else "full"
    report.add(f"attention is {expected}", f"{change:.2e}", sees is not job.family.causal)


def encode(job: Job, tokenizer: Any) -> Encoded:
    """The check's texts with the tokenizer that was written, as posbias would give them to the graph."""
    append = [token_id(tokenizer, text) for text in job.recipe.get("append", ())]
    limit = min(job.recipe.get("max-tokens") or 512, 512)
    rows = []
    for number, text in enumerate(CHECK_TEXTS):
        if job.kind == "cross-encoder":
            one = tokenizer.encode(CHECK_TEXTS[number % 2], text)
        elif job.kind == "causal-reranker":
            one = tokenizer.encode(f"{job.recipe.get('prefix', '')}{text}{job.recipe.get('suffix', '')}",
                                   add_special_tokens=False)
        else:
            one = tokenizer.encode(text)
        row = {"input_ids": (one.ids[:limit - len(append)] + append)}
        row["attention_mask"] = [1] * len(row["input_ids"])
        if job.token_types:
            row["token_type_ids"] = one.type_ids[:limit]
        if job.pool_mask:
            row["pool_mask"] = [1] * len(row["input_ids"])
        rows.append(row)
    special = [number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special]
    size = min(job.config.get("vocab_size") or tokenizer.get_vocab_size(), tokenizer.get_vocab_size())
    return Encoded(rows, sorted(special), int(job.config.get("pad_token_id") or 0), size)


def token_id(tokenizer: Any, text: str) -> int:
    """A token's number by its text: the token itself, else the first piece of the text."""
    found = tokenizer.token_to_id(text)
    if found is None:
        pieces = tokenizer.encode(text, add_special_tokens=False).ids
        if not pieces:
            raise ExportError(f"the tokenizer has no token '{text}'")
        found = pieces[0]
    return found


def graph_runner(job: Job, path: Path, encoded: Encoded, reduce: bool) -> Runner:
    """Runs the written graph; reduce pools hidden states as posbias will."""
    runtime, numpy = need("onnxruntime"), need("numpy")
    chosen = ["CUDAExecutionProvider"] if job.options.device == "cuda" else ["CPUExecutionProvider"]
    session = runtime.InferenceSession(str(path), providers=chosen)
    declared = {one.name for one in session.get_inputs()}

    def run(rows: Sequence[Dict[str, List[int]]], side: str) -> List[List[List[float]]]:
        feed = {}
        for name in rows[0]:
            fill = encoded.pad if name == "input_ids" else 0
            feed[name] = numpy.array(pad_rows([row[name] for row in rows], side, fill), dtype=numpy.int64)
        given = session.run([job.output], {name: feed[name] for name in feed if name in declared})[0].tolist()
        masks = feed["attention_mask"].tolist()
        if job.output not in PER_TOKEN:
            return [[vector] for vector in given]
        if job.kind == "dense" and reduce:
            return [[pool_rows(vectors, mask, job.pooling or "cls")] for vectors, mask in zip(given, masks)]
        return [valid_rows(vectors, mask) for vectors, mask in zip(given, masks)]

    return run


def check_tokenizer(report: Report, job: Job, tokenizer: Any) -> None:
    """The tokenizer that was written against the one that the repository's users get."""
    theirs = need("transformers").AutoTokenizer.from_pretrained(
        str(job.folder), trust_remote_code=job.options.trust_remote_code)
    same = sum(tokenizer.encode(text).ids == theirs(text)["input_ids"] for text in CHECK_TEXTS)
    report.add("tokens as in transformers", f"{same} of {len(CHECK_TEXTS)} texts", same == len(CHECK_TEXTS))


# Attention calibration of a graph that is there


LIBRARIES = ("jars", "lib", "target/lib")  # in posbias's folder, in an installation, in a clone


@dataclass(frozen=True)
class Place:
    """Where a recipe's files are: a folder, or a jar."""

    path: Path

    def copy(self, name: str, folder: Path) -> None:
        """Puts a file under its name into a folder; as a link where the file system has links, to save space."""
        if ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
            raise UsageError(f"'{name}' is no path inside the model's folder")
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            return
        if self.path.is_file():
            with zipfile.ZipFile(self.path) as jar, jar.open(name) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy)
            return
        if not (self.path / name).is_file():
            raise UsageError(f"{self.path / name} is missing: pull or export the model first")
        try:
            os.link(os.path.realpath(self.path / name), target)
        except OSError:
            shutil.copyfile(self.path / name, target)


def posbias_home() -> Path:
    """posbias's own folder, as posbias finds it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("POSBIAS_HOME") or cache / "posbias")


def place_of(recipe: Mapping[str, Any], where: Path) -> Place:
    """Where the files of a recipe are."""
    source = recipe.get("source")
    source = source if isinstance(source, Mapping) else {}
    if isinstance(source.get("folder"), str):
        return Place(where.parent / source["folder"])
    if source.get("hub") or source.get("export"):
        return Place(posbias_home() / "models" / str(source.get("files-of") or recipe["name"]))
    if not (source.get("library") and source.get("version") and source.get("sha256")):
        raise UsageError(f"{where}: its source names neither a folder, nor a repository, nor a jar with its version and sha256")
    name = f"{str(source['library']).split(':')[-1]}-{source['version']}.jar"
    for folder in LIBRARIES:
        path = (posbias_home() if folder == "jars" else RECIPES.parent.parent) / folder / name
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == source["sha256"]:
            return Place(path)
    raise UsageError(f"{name} is not in {posbias_home() / 'jars'}: 'posbias models pull {recipe['name']}' fetches it")


def export_calibrated(options: argparse.Namespace) -> None:
    """The files of a recipe in a new folder, its graphs also with calibrated attention, and a recipe that names both."""
    where = Path(find_recipe(options.model))
    if where.suffix not in (".yaml", ".yml"):
        raise UsageError(f"{options.model}: --calibrated takes a recipe; 'posbias models info {options.model}' prints one")
    recipe = read_recipe(where)
    if recipe.get("kind") != "dense":
        raise UsageError(f"{where}: kind '{recipe.get('kind')}'; attention is calibrated for dense models")
    calibration = calibration_of(recipe, options)
    place, precision = place_of(recipe, where), str(recipe.get("precision", "float32"))
    if recipe["source"].get("export"):
        recipe.pop("head", None)  # it is in the graph
    if set(recipe.get("transformer") or {}) & {"weights", "source"}:
        recipe.pop("transformer")  # its files are not of this folder
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(options.out) as folder:
        tokenizer = recipe.setdefault("tokenizer", "tokenizer.json")
        heads = recipe.get("head") or []
        for name in (tokenizer, *(head["file"] for head in (heads if isinstance(heads, list) else [heads]))):
            place.copy(name, folder)
        report = Report()
        encoders = [recipe] + ([recipe["query-encoder"]] if recipe.get("query-encoder") else [])
        for encoder in encoders:
            if encoder is not recipe and (encoder.get("source") or {}).get("hub"):
                raise UsageError(f"{where}: the queries' encoder is of another repository: put both into one folder")
            if precision not in (encoder.get("onnx") or {}):
                raise UsageError(f"{where}: onnx names no graph of precision {precision}")
            calibrate_graph(encoder, precision, place, folder, calibration, report, options.check)
        if options.check:
            print("\n".join(report.lines), flush=True)
        if not report.good:
            raise ExportError("the graph does not do what it should; nothing was written")
        how = f"basket {calibration.basket}, strength {calibration.strength:g}, layers {calibration.layers:g}"
        head = (f"# Written by scripts/export_onnx.py --calibrated from {where}:\n"
                f"# {how}; with onnx {need('onnx').__version__}; {'checked' if options.check else 'NOT checked'}.\n")
        (folder / "recipe.yaml").write_text(head + emit_yaml({**recipe, "source": {"folder": "."}}), encoding="utf-8")
        publish(folder, options.out)
    written = options.out / "recipe.yaml"
    say(f"{options.out}: written; posbias eval --model {written},{written}+calibrated --dataset DATASET")


def calibration_of(recipe: Mapping[str, Any], options: argparse.Namespace) -> Any:
    """What is to be done, by the recipe's pooling and the options."""
    module = need("export_calibrated")
    pooling = recipe.get("pooling", "mean")
    if pooling not in module.SOURCES:
        raise UsageError(f"pooling: {pooling}; attention is calibrated for pooling: {', '.join(module.SOURCES)}")
    given = {name: getattr(options, name) for name in ("basket", "strength", "layers")}
    made = module.Calibration(pooling, **{name: value for name, value in given.items() if value is not None})
    limit = recipe.get("max-tokens")
    if isinstance(limit, int) and made.basket + made.first + made.last >= limit:
        raise UsageError(f"max-tokens: {limit}, so that no text has more than one basket of {made.basket}: give a smaller --basket")
    return made


def calibrate_graph(encoder: Dict[str, Any], precision: str, place: Place, folder: Path, calibration: Any, report: Report,
                    checked: bool) -> None:
    """One graph and its twin with calibrated attention, which shares the weights that lie beside; the fields that name them."""
    onnx, module, no_onnx = need("onnx"), need("export_calibrated"), need("google.protobuf.message").DecodeError
    graph = encoder["onnx"][precision]
    place.copy(graph, folder)
    try:
        model = onnx.load(str(folder / graph), load_external_data=False)
    except no_onnx as error:
        raise ExportError(f"{graph} is not a complete ONNX file") from error
    inside = PurePosixPath(graph)
    data = sorted({one.value for tensor in model.graph.initializer for one in tensor.external_data if one.key == "location"})
    data = [str(inside.parent / name) for name in data]
    for name in data:
        place.copy(name, folder)
    try:
        module.calibrate(model, calibration)
    except ValueError as error:
        raise ExportError(f"{graph} {error}") from error
    numbers = "-".join(f"{number:g}" for number in (calibration.basket, calibration.strength, calibration.layers))
    other = str(inside.with_name(f"{inside.stem}-calibrated-{numbers}.onnx"))
    (folder / other).write_bytes(model.SerializeToString())
    if checked:
        check_calibrated_graph(folder / graph, folder / other, calibration, report, precision != "int8")
    encoder.update({"onnx": {precision: graph}, "attention-calibration": other})
    encoder.pop("external-data", None)
    if data:
        encoder["external-data"] = data
    if "source" in encoder:
        encoder["source"] = {"folder": "."}


def check_calibrated_graph(plain: Path, calibrated: Path, calibration: Any, report: Report, batches: bool) -> None:
    """A text of one basket keeps its numbers, a longer one does not and is the same alone and in a padded batch, if batches are."""
    runtime, numpy = need("onnxruntime"), need("numpy")
    try:
        sessions = [runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"]) for path in (plain, calibrated)]
    except Exception as error:  # what ONNX Runtime throws has no class in common
        raise ExportError(f"{plain.name}: ONNX Runtime cannot load it: {str(error).splitlines()[0]}") from error
    short = calibration.basket + calibration.first + calibration.last
    report.lines.append(f"{plain.name} -> {calibrated.name}")

    def vectors(session: Any, lengths: Sequence[int], row: int) -> Any:
        ids = numpy.zeros((len(lengths), max(lengths)), numpy.int64)
        mask = numpy.zeros_like(ids)
        for number, length in enumerate(lengths):
            ids[number, :length], mask[number, :length] = numpy.arange(length) % 13 + 2, 1
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids),
                 "position_ids": numpy.maximum(mask.cumsum(1) - 1, 0)}
        strange = [one.name for one in session.get_inputs() if one.name not in known]
        if strange:
            raise UsageError(f"{plain.name} has an input {strange[0]}, which the check cannot fill: give --no-check")
        feed = {one.name: known[one.name].astype(numpy.int32 if "int32" in one.type else numpy.int64) for one in session.get_inputs()}
        given = session.run(None, feed)[0][row]
        return given[:lengths[row]] if given.ndim > 1 else given

    def apart(one: Any, other: Any) -> float:
        return float(abs(one - other).max() / abs(one).max())

    same, long = (vectors(sessions[0], [length], 0) for length in (short, short + 1))
    change = apart(same, vectors(sessions[1], [short], 0))
    report.add("a text of one basket is unchanged", f"{change:.1e}", change <= SAME)
    calibrated_long = vectors(sessions[1], [short + 1], 0)
    change = apart(long, calibrated_long)
    report.add("a longer one changes", f"{change:.1e}", change > LEAST_CHANGE)
    if batches:
        change = apart(calibrated_long, vectors(sessions[1], [short + 1, short + 5], 0))
        report.add("and is the same in a batch", f"{change:.1e}", change <= SAME)


# All of it


def say(line: str) -> None:
    print(f"export_onnx.py: {line}", file=sys.stderr, flush=True)


def prepare(options: argparse.Namespace) -> Tuple[Job, str, str]:
    """What to export: recipe, family and files; the commit, and the repository of queries if they have their own."""
    recipe: Dict[str, Any] = {}
    given = find_recipe(options.model)
    model, revision = given, options.revision
    if model.endswith((".yaml", ".yml")):
        recipe = read_recipe(Path(model))
        check_recipe(recipe, model)
        if options.kind not in (None, recipe["kind"]):
            raise UsageError(f"--kind {options.kind}: the recipe's kind is {recipe['kind']}")
        model, stated = exported_from(recipe, given)
        revision = options.revision or stated
        graph_path(recipe, options.precision)
    head = recipe.get("head") or {}
    hint = [family for family in FAMILIES if family.name == options.family
            or options.family is None and any(model.startswith(start) for start in family.models)]
    extra = [pattern for family in hint[:1] for pattern in family.extra_files + tuple(
        str(one["file"]) for one in [family.head] if one)]
    folder, commit = fetch(model, revision, [*extra, *([str(head["file"])] if head.get("file") else [])])
    config = read_json(folder / "config.json")
    family = choose_family(model, config.get("model_type", ""), recipe.get("kind") or options.kind, options.family)
    recipe = recipe or minimal_recipe(model, options.kind or guess_kind(family, config.get("architectures") or ()))
    job = Job(model, folder, recipe, family, options, config)
    complete(job)
    query = recipe.get("query-encoder")
    return job, commit, exported_from(query, "query-encoder")[0] if query else ""


def complete(job: Job) -> None:
    """Fills what neither recipe nor arguments said from the repository, and refuses what stays open."""
    if job.kind != "dense" and (job.options.pooled is not None or job.options.pooling):
        raise UsageError(f"--pooled and --pooling are for dense models, not {job.kind}")
    if job.options.max_tokens is not None:
        job.recipe["max-tokens"] = job.options.max_tokens
    if job.kind == "dense":
        if job.family.pooled is not None and job.options.pooled is False:
            raise UsageError(f"--no-pooled: family {job.family.name} pools inside the graph")
        stated = job.recipe.get("pooling")
        how = job.options.pooling or job.family.pooled or (stated if stated != "none" else None)
        how = how or repository_pooling(job.folder)
        if how is None:
            raise UsageError("the pooling is not known: give --pooling")
        if stated == "none":  # the recipe expects one vector per text
            job.options.pooled = True if job.options.pooled is None else job.options.pooled
        job.recipe["pooling"] = how
    if not job.recipe.get("max-tokens"):
        limit = repository_max_tokens(job.config, read_json(job.folder / "tokenizer_config.json"))
        if limit is None:
            raise UsageError("the repository states no length limit: give --max-tokens")
        job.recipe["max-tokens"] = limit
    refuse_window(job.family, job.config, job.recipe["max-tokens"])
    if job.family.remote and not job.options.trust_remote_code and (
            job.options.check or job.family.name != "bidirectional"):
        raise UsageError(f"{job.model} needs Python code from its repository: read it, then give --trust-remote-code")


def refuse_window(family: Family, config: Mapping[str, Any], max_tokens: int) -> None:
    """The mask of the family `bidirectional` is made here, without a window."""
    window = config.get("sliding_window")
    used = config.get("use_sliding_window", config.get("model_type") == "mistral")
    if family.name == "bidirectional" and used and isinstance(window, int) and max_tokens > window:
        raise UsageError(f"the model looks {window} tokens back, its graph would look further: "
                         f"give --max-tokens {window} or less")


def write_one(job: Job, folder: Path, graph: str, report: Report) -> Written:
    """One graph into folder, checked."""
    tokenizer = need("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    token_ids = reranker_tokens(job, tokenizer)
    encoded = encode(job, tokenizer)
    expected: List[List[List[float]]] = []
    if job.options.check:
        say(f"{job.model}: computing what PyTorch gives for {len(encoded.rows)} texts")
        reference = reference_of(job, reference_model(job), token_ids)
        with no_rotation(job):
            expected = [reference(row) for row in encoded.rows]
        del reference
    say(f"{job.model}: exporting (family {job.family.name}, {job.options.precision}, opset {job.options.opset})")
    module = wrap(job, load_to_wrap(job), token_ids)
    external = export_graph(job, module, folder, graph)
    del module
    dimension = None
    if job.options.check:
        run = graph_runner(job, folder / graph, encoded, True)
        found = check(job, encoded, run, expected, job.options.precision)
        if job.output in PER_TOKEN:
            check_direction(found, job, encoded, graph_runner(job, folder / graph, encoded, False))
        check_tokenizer(found, job, tokenizer)
        report.lines += [f"{job.model} -> {graph}"] + found.lines
        report.good = report.good and found.good
        dimension = len(expected[0][0]) if job.kind in ("dense", "late-interaction") else None
    logits = {"causal-reranker": "yes-no"}.get(job.kind)
    return Written(job.options.precision, graph, external, job.output, dimension, job.pooled, job.pool_mask,
                   job.head is not None, logits, max_tokens=job.recipe["max-tokens"])


def reranker_tokens(job: Job, tokenizer: Any) -> List[int]:
    """Rows of the language model's head that are kept: no, then yes; or yes alone."""
    if job.kind != "causal-reranker":
        return []
    texts = [job.recipe[key] for key in ("no", "yes") if isinstance(job.recipe.get(key), str)]
    ids = [token_id(tokenizer, text) for text in texts]
    say("tokens: " + ", ".join(f"{text!r} is {number}" for text, number in zip(texts, ids)))
    return ids


def export(options: argparse.Namespace) -> None:
    """The whole export into a temporary folder that takes its name only when everything held."""
    modules = ["torch", "transformers", "tokenizers"] + (["onnxruntime", "numpy"] if options.check else [])
    for module in modules:
        need(module)
    job, commit, query_model = prepare(options)
    graph = graph_path(job.recipe, options.precision)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(options.out) as folder:
        tokenizer = tokenizer_json(job.folder, job.config, options.trust_remote_code)
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
        report = Report()
        written = write_one(job, folder, graph, report)
        if query_model:
            written = write_query(job, query_model, folder, written, report)
        if options.check:
            print("\n".join(report.lines), flush=True)
        if not report.good:
            raise ExportError("the graph does not do what the model does; nothing was written")
        head = header(job.model, commit, options)
        (folder / "recipe.yaml").write_text(head + emit_yaml(build_recipe(job.recipe, written)), encoding="utf-8")
        publish(folder, options.out)
    say(f"{options.out}: written{'' if options.check else ', NOT checked'}; "
        f"posbias eval --model {options.out / 'recipe.yaml'} --dataset DATASET")


def write_query(job: Job, model: str, folder: Path, written: Written, report: Report) -> Written:
    """The encoder of queries, under query/."""
    source = job.recipe["query-encoder"]["source"]
    place, _ = fetch(model, source.get("revision"), job.family.extra_files)
    config = read_json(place / "config.json")
    family = choose_family(model, config.get("model_type", ""), "dense", job.options.family)
    given = job.recipe["query-encoder"]
    graph = graph_path(given, job.options.precision) if given.get("onnx") else f"query/{written.graph}"
    if graph == written.graph:
        raise UsageError(f"query-encoder: its graph has the path of the other one, {graph}")
    query = write_one(replace(job, model=model, folder=place, family=family, config=config), folder, graph, report)
    return replace(written, query_graph=query.graph, query_external=query.external)


def header(model: str, commit: str, options: argparse.Namespace) -> str:
    """Where the files came from, as a comment."""
    versions = ", ".join(f"{name} {need(name).__version__}" for name in ("torch", "transformers"))
    return (f"# Written by scripts/export_onnx.py from {model} at {commit}\n"
            f"# with {versions}, opset {options.opset}; {'checked' if options.check else 'NOT checked'}.\n")


@contextlib.contextmanager
def temporary_folder(target: Path) -> Iterator[Path]:
    """A folder beside the target, removed unless it was renamed."""
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish(folder: Path, target: Path) -> None:
    """Gives a complete folder its name; an empty folder there is replaced, anything else is not."""
    folder.chmod(0o777 & ~current_umask())
    try:
        os.rename(folder, target)
    except OSError as error:
        raise ExportError(f"{target}: cannot be put in place: {error}") from error


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def main(arguments: Optional[Sequence[str]] = None) -> int:
    try:
        options = parse_arguments(arguments)
        if options.list:
            print(list_families())
        elif options.calibrated:
            export_calibrated(options)
        else:
            export(options)
        return 0
    except UsageError as error:
        say(f"error: {error}")
        return 2
    except (ExportError, OSError) as error:
        say(f"error: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
