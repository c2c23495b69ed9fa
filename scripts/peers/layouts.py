"""Compares posbias with sentence-transformers, PyLate and model2vec on tiny random models of each family that they save.
# environment: today yesterday pylate

scripts/peers/run [--quick] layouts                   # all environments
PYTHON_OF_AN_ENVIRONMENT scripts/peers/layouts.py [--quick] [--only FAMILY-ROLE,..] [--way folder]
PYTHON_OF_AN_ENVIRONMENT scripts/peers/layouts.py --write       # the table of docs/peers.md

Each model has its family's own configuration class, weights and biases drawn at random, and a tokenizer of the family's kind that
was trained on XQuAD (SHARED/data/squad-format). The library saves it; posbias runs the folder, with a graph, and the worker.
Scores of all queries and passages are compared with the library's: the passages are queries too, and are more than the vectors
have numbers, so that no direction is left out. Results: target/peers/layouts-ENVIRONMENT.json. The exit code is 1 if a difference
is over 1e-5 and no reason is known.
"""
import argparse
import gzip
import json
import logging
import os
import pathlib
import re
import shutil
import string
import subprocess
import sys
import time
import traceback
import warnings

warnings.filterwarnings("ignore")
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRANSFORMERS_VERBOSITY="error")

import numpy
import tokenizers
import torch
import transformers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers

import sentence_transformers

transformers.utils.logging.disable_progress_bar()
logging.disable(logging.WARNING)
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("SHARED", ROOT / "../shared"))
POSBIAS = os.environ.get("POSBIAS", str(ROOT / "scripts/posbias"))
NAME = os.environ.get("PEERS_ENVIRONMENT") or pathlib.Path(sys.prefix).name.partition("-")[0]
WORK = ROOT / "target/peers" / f"layouts-{NAME}"
WIDTH, LAYERS, HEADS, LIMIT = 32, 2, 4, 64
MOST = 1e-5
# Before 5.4 the library strips each text, and its prompt with it.
OLD = tuple(map(int, sentence_transformers.__version__.split(".")[:2])) < (5, 4)
# Differences whose reason docs/peers.md gives.
KNOWN = {"qwen3-cross, folder", "qwen3-cross, worker"} | ({"albert-cross, folder"} if OLD else set())


# The texts.


def texts():
    """Returns queries and passages by identifier, and all texts that vocabularies are made of."""
    files = [json.loads((SHARED / f"data/squad-format/xquad.{language}.json").read_text()) for language in ("en", "zh", "ar")]
    english, chinese, arabic = [[part for article in file["data"] for part in article["paragraphs"]] for file in files]
    passages = []
    for i, part in enumerate(english[:60:4]):
        sentences = part["context"].split(". ")
        passages.append(part["context"] if i % 3 == 0 else ". ".join(sentences[: 1 + i % 2]) + ".")
    passages += [chinese[3]["context"][:60], arabic[5]["context"][:80], english[90]["context"] + " " + chinese[9]["context"], ""]
    passages += [f"{word} and the {other}." for word, other in (("red fox", "river"), ("Emoji 😀", "café"), ("C++", "#1 (x<y)"))]
    passages += [" Spaces  before and\tbetween\nlines ", "a"]
    queries = [part["qas"][0]["question"] for part in english[:60:4]] + [chinese[3]["qas"][0]["question"], ""]
    queries += [english[120]["context"]] + [passage + " Why?" for passage in passages if passage]
    if OLD:
        queries, passages = ([text.strip() for text in side] for side in (queries, passages))
    all_texts = [part["context"] for parts in (english, chinese, arabic) for part in parts]
    all_texts += [question["question"] for parts in (english, chinese) for part in parts for question in part["qas"]]
    return {f"q{i}": text for i, text in enumerate(queries)}, {f"p{i}": text for i, text in enumerate(passages)}, all_texts


# The tokenizers: trained, written as tokenizer.json, then loaded and saved by the family's own class.


def word_pieces(specials, unknown):
    tokens = tokenizers.Tokenizer(models.WordPiece(unk_token=unknown))
    tokens.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokens.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokens.decoder = decoders.WordPiece()
    return tokens, trainers.WordPieceTrainer(
        vocab_size=3000, special_tokens=specials, initial_alphabet=list(string.punctuation), show_progress=False
    )


def byte_pairs(specials, pattern=None, prefix=False):
    tokens = tokenizers.Tokenizer(models.BPE())
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=pattern is None)
    split = [pre_tokenizers.Split(Regex(pattern), "isolated")] if pattern else []
    tokens.pre_tokenizer = pre_tokenizers.Sequence([*split, bytes_]) if split else bytes_
    tokens.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return tokens, trainers.BpeTrainer(vocab_size=3000, special_tokens=specials, initial_alphabet=alphabet, show_progress=False)


def fallback_pairs(specials):
    """Pairs of characters, with single bytes for unknown ones: Llama 2, Mistral, Gemma."""
    tokens = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokens.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=True)
    tokens.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    specials = specials + [f"<0x{byte:02X}>" for byte in range(256)]
    return tokens, trainers.BpeTrainer(vocab_size=3000, special_tokens=specials, limit_alphabet=400, show_progress=False)


def unigram(specials, unknown, lower=False):
    tokens = tokenizers.Tokenizer(models.Unigram())
    lowering = [normalizers.Lowercase()] if lower else []
    tokens.normalizer = normalizers.Sequence([*lowering, normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokens.pre_tokenizer = pre_tokenizers.Metaspace()
    tokens.decoder = decoders.Metaspace()
    more = {"initial_alphabet": list(string.punctuation), "show_progress": False}
    return tokens, trainers.UnigramTrainer(vocab_size=3000, special_tokens=specials, unk_token=unknown, **more)


LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
NAMES = (
    dict(zip(("pad", "unk", "cls", "sep", "mask"), BERT)),
    dict(zip(("bos", "pad", "eos", "unk", "mask"), ROBERTA), cls="<s>", sep="</s>"),
)

# kind: maker, class, special tokens, template of a text (and of a pair)
TOKENIZERS = {
    "bert": (lambda: word_pieces(BERT, "[UNK]"), "BertTokenizer", NAMES[0], "[CLS] $A [SEP]", "$B:1 [SEP]:1"),
    "distilbert": (lambda: word_pieces(BERT, "[UNK]"), "DistilBertTokenizer", NAMES[0], "[CLS] $A [SEP]", "$B:1 [SEP]:1"),
    "mpnet": (
        lambda: word_pieces(["<s>", "<pad>", "</s>", "[UNK]", "<mask>"], "[UNK]"), "MPNetTokenizer",
        {**NAMES[1], "unk": "[UNK]"}, "<s> $A </s>", "</s> $B </s>"),
    "roberta": (lambda: byte_pairs(ROBERTA), "RobertaTokenizer", NAMES[1], "<s> $A </s>", "</s> $B </s>"),
    "longformer": (lambda: byte_pairs(ROBERTA), "LongformerTokenizer", NAMES[1], "<s> $A </s>", "</s> $B </s>"),
    "xlmr": (lambda: unigram(ROBERTA, "<unk>"), "XLMRobertaTokenizer", NAMES[1], "<s> $A </s>", "</s> $B </s>"),
    "albert": (
        lambda: unigram(["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"], "<unk>", True), "AlbertTokenizer",
        {**NAMES[0], "pad": "<pad>", "unk": "<unk>", "bos": "[CLS]", "eos": "[SEP]"}, "[CLS] $A [SEP]", "$B:1 [SEP]:1"),
    "deberta": (
        lambda: unigram(["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"], "[UNK]"), "DebertaV2Tokenizer",
        {**NAMES[0], "bos": "[CLS]", "eos": "[SEP]"}, "[CLS] $A [SEP]", "$B:1 [SEP]:1"),
    "modernbert": (
        lambda: byte_pairs(["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]), "PreTrainedTokenizerFast", NAMES[0],
        "[CLS] $A [SEP]", "$B [SEP]"),
    "eurobert": (
        lambda: byte_pairs(["<|begin_of_text|>", "<|end_of_text|>", "<|pad|>", "<|mask|>"], LLAMA3), "PreTrainedTokenizerFast",
        {"bos": "<|begin_of_text|>", "eos": "<|end_of_text|>", "pad": "<|pad|>", "mask": "<|mask|>"},
        "<|begin_of_text|> $A <|end_of_text|>", "$B <|end_of_text|>"),
    "t5": (
        lambda: unigram(["<pad>", "</s>", "<unk>"], "<unk>"), "T5Tokenizer", {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"},
        "$A </s>", "$B </s>"),
    "gpt2": (
        lambda: byte_pairs(["<|endoftext|>"]), "GPT2Tokenizer",
        {name: "<|endoftext|>" for name in ("bos", "eos", "unk", "pad")}, None, None),
    "bloom": (
        lambda: byte_pairs(["<unk>", "<s>", "</s>", "<pad>"], BLOOM), "BloomTokenizerFast",
        {"unk": "<unk>", "bos": "<s>", "eos": "</s>", "pad": "<pad>"}, None, None),
    "llama": (
        lambda: byte_pairs(["<|begin_of_text|>", "<|end_of_text|>", "<|pad|>"], LLAMA3), "PreTrainedTokenizerFast",
        {"bos": "<|begin_of_text|>", "eos": "<|end_of_text|>", "pad": "<|pad|>"}, "<|begin_of_text|> $A", "$B"),
    "mistral": (
        lambda: fallback_pairs(["<unk>", "<s>", "</s>"]), "LlamaTokenizer",
        {"unk": "<unk>", "bos": "<s>", "eos": "</s>", "pad": "</s>"}, "<s> $A </s>", "$B </s>"),
    "qwen2": (
        lambda: byte_pairs(["<|endoftext|>", "<|im_start|>", "<|im_end|>"], QWEN2), "Qwen2Tokenizer",
        {"eos": "<|endoftext|>", "pad": "<|endoftext|>", "unk": "<|endoftext|>"}, "$A <|endoftext|>", "$B <|endoftext|>"),
    "gemma": (
        lambda: fallback_pairs(["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]), "GemmaTokenizer",
        {"pad": "<pad>", "eos": "<eos>", "bos": "<bos>", "unk": "<unk>", "mask": "<mask>"}, "<bos> $A <eos>", "$B <eos>"),
}  # fmt: skip
LEFT = ("bloom", "qwen3", "mistral", "llama", "qwen2")


def tokenizer(kind, corpus, family):
    """Returns a folder with the files of a tokenizer as they lie on the Hub."""
    folder = WORK / "tokenizers" / family
    if (folder / "tokenizer.json").exists():
        return folder
    make, own_class, names, template, pair = TOKENIZERS[kind]
    tokens, trainer = make()
    tokens.train_from_iterator(corpus, trainer)
    if kind == "qwen2":
        tokens.normalizer = normalizers.NFC()
    if template:
        known = set(" ".join([template, pair]).replace(":1", "").split()) - {"$A", "$B"}
        tokens.post_processor = processors.TemplateProcessing(
            single=template, pair=f"{template} {pair}", special_tokens=[(name, tokens.token_to_id(name)) for name in sorted(known)]
        )
        if kind in ("roberta", "longformer"):
            ids = [(name, tokens.token_to_id(name)) for name in ("</s>", "<s>")]
            tokens.post_processor = processors.RobertaProcessing(*ids, trim_offsets=True, add_prefix_space=False)
    folder.mkdir(parents=True)
    tokens.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": own_class, "model_max_length": LIMIT, **{f"{role}_token": name for role, name in names.items()}}
    if own_class == "PreTrainedTokenizerFast":
        config["model_input_names"] = ["input_ids", "attention_mask"]
    if kind == "mistral":
        config.update(add_bos_token=True, add_eos_token=True, legacy=False)
    if family in LEFT:
        config["padding_side"] = "left"
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


# The models.

USUAL = dict(hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=48)
DECODER = dict(USUAL, num_key_value_heads=2, head_dim=8, max_position_embeddings=128)
OFFSET = LIMIT + 2

# family: tokenizer, class of configuration, its settings, pooling, further modules and prompts
FAMILIES = {
    "bert": ("bert", "BertConfig", dict(USUAL, max_position_embeddings=LIMIT), "cls", ["normalize"], {}),
    "roberta": ("roberta", "RobertaConfig", dict(USUAL, max_position_embeddings=OFFSET, type_vocab_size=1), "mean", [], {}),
    "xlm-roberta": (
        "xlmr", "XLMRobertaConfig", dict(USUAL, max_position_embeddings=OFFSET, type_vocab_size=1), "mean", ["normalize"],
        {"query": "query: ", "document": "passage: "}),
    "mpnet": ("mpnet", "MPNetConfig", dict(USUAL, max_position_embeddings=OFFSET), "mean", ["normalize"], {}),
    "distilbert": (
        "distilbert", "DistilBertConfig",
        dict(dim=WIDTH, n_layers=LAYERS, n_heads=HEADS, hidden_dim=48, max_position_embeddings=LIMIT), "mean", ["dot"], {}),
    "albert": (
        "albert", "AlbertConfig", dict(USUAL, embedding_size=16, max_position_embeddings=LIMIT), ["mean", "max"], [], {}),
    "deberta-v2": (
        "deberta", "DebertaV2Config",
        dict(USUAL, max_position_embeddings=LIMIT, relative_attention=True, position_buckets=16, norm_rel_ebd="layer_norm",
             share_att_key=True, pos_att_type=["p2c", "c2p"], position_biased_input=False, type_vocab_size=0), "mean", [], {}),
    "modernbert": (
        "modernbert", "ModernBertConfig",
        dict(USUAL, num_hidden_layers=3, max_position_embeddings=LIMIT, global_attn_every_n_layers=2, local_attention=48,
             attention_bias=True, mlp_bias=True, norm_bias=True), "cls", [],
        {"query": "search_query: ", "document": "search_document: "}),
    "nomic-bert": (
        "bert", "NomicBertConfig", dict(USUAL, max_position_embeddings=LIMIT), "mean", ["normalize"],
        {"query": "search_query: ", "document": "search_document: "}),
    "eurobert": ("eurobert", "EuroBertConfig", dict(DECODER), "mean", [], {}),
    "longformer": (
        "longformer", "LongformerConfig", dict(USUAL, max_position_embeddings=OFFSET, attention_window=[16] * LAYERS), "cls", [], {}),
    "t5": (
        "t5", "T5Config", dict(d_model=WIDTH, d_kv=8, d_ff=48, num_layers=LAYERS, num_heads=HEADS), "mean", ["dense", "normalize"],
        {}),
    "gpt2": ("gpt2", "GPT2Config", dict(n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, n_positions=LIMIT), "weightedmean", [], {}),
    "bloom": ("bloom", "BloomConfig", dict(hidden_size=WIDTH, n_layer=LAYERS, n_head=HEADS), "weightedmean", [], {}),
    "llama": ("llama", "LlamaConfig", dict(DECODER, attention_bias=True), "mean", [], {}),
    "mistral": (
        "mistral", "MistralConfig", dict(DECODER, sliding_window=None), "lasttoken", ["normalize"],
        {"query": "Instruct: Find it\nQuery: "}),
    "qwen2": ("qwen2", "Qwen2Config", dict(DECODER), "lasttoken", ["normalize"], {"query": "Instruct: Find it\nQuery: "}),
    "qwen3": ("qwen2", "Qwen3Config", dict(DECODER), "lasttoken", ["normalize"], {"query": "Instruct: Find it\nQuery:"}),
    "gemma3": (
        "gemma", "Gemma3TextConfig",
        dict(DECODER, use_bidirectional_attention=True, layer_types=["full_attention"] * LAYERS, query_pre_attn_scalar=8),
        "mean", ["dense", "dense", "normalize"], {"query": "task: search result | query: ", "document": "title: none | text: "}),
}  # fmt: skip
# In the quick run these alone are also run by the worker, which starts in ten seconds.
QUICK_WORKERS = ["bert-dense", "modernbert-late", "table-dense"]
QUICK = ["bert-dense", "roberta-dense", "qwen3-dense", "modernbert-late", "xlm-roberta-cross", "distilbert-sparse", "table-dense"]
LATE = ["bert", "modernbert", "xlm-roberta"]
CROSS = [
    "bert", "roberta", "xlm-roberta", "mpnet", "distilbert", "albert", "deberta-v2", "modernbert", "eurobert", "longformer", "qwen3"]
SPARSE = ["bert", "distilbert", "mpnet", "roberta", "xlm-roberta", "modernbert"]
CAUSAL = ["llama", "qwen3"]


def randomise(model, seed):
    """Weights so large that texts differ, and biases that are not zero."""
    source = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=source)
            if weight.ndim < 2:
                weight += 0.2 * noise
            elif any(word in name for word in ("embed", "wte", "wpe", "shared")):
                weight.copy_(0.7 * noise)
            else:
                weight.copy_(noise * 2.2 / weight.shape[-1] ** 0.5)
    return model.eval()


def base(family, head, corpus):
    """Saves a transformer by transformers, and returns its folder."""
    kind, config_class, settings, *_ = FAMILIES[family]
    folder = WORK / "base" / f"{family}-{head}"
    if (folder / "tokenizer.json").exists():
        return folder
    tokens = transformers.AutoTokenizer.from_pretrained(tokenizer(kind, corpus, family))
    names = {f"{role}_token_id": getattr(tokens, f"{role}_token_id") for role in ("pad", "bos", "eos")}
    if not hasattr(transformers, config_class):
        raise NotTried(f"transformers {transformers.__version__} has no {config_class}")
    config = getattr(transformers, config_class)(
        vocab_size=len(tokens), **settings, **{name: number for name, number in names.items() if number is not None}
    )
    if head == "cross":
        config.num_labels = 1
    classes = {
        "dense": "AutoModel", "cross": "AutoModelForSequenceClassification", "sparse": "AutoModelForMaskedLM",
        "causal": "AutoModelForCausalLM"}  # fmt: skip
    if family == "t5":
        model = transformers.T5EncoderModel(config)
    else:
        model = getattr(transformers, classes[head]).from_config(config, **({"dtype": torch.float32} if head else {}))
    randomise(model, len(family)).save_pretrained(folder)
    tokens.save_pretrained(folder)
    return folder


def module(name):
    """A module's class, wherever this version has it."""
    for place in (
        "sentence_transformers.sentence_transformer.modules", "sentence_transformers.base.modules",
        "sentence_transformers.sparse_encoder.modules", "sentence_transformers.cross_encoder.modules",
        "sentence_transformers.multi_vector_encoder.modules", "sentence_transformers.models",
        "sentence_transformers.sparse_encoder.models"):  # fmt: skip
        try:
            found = getattr(__import__(place, fromlist=[name]), name, None)
        except ImportError:
            continue
        if found is not None:
            return found
    raise NotTried(f"this version has no {name}")


class NotTried(Exception):
    """Says why a cell was not tried."""


def linear(inside, outside, seed):
    layer = module("Dense")(inside, outside, bias=True, activation_function=torch.nn.Identity() if seed else torch.nn.Tanh())
    return randomise(layer, seed + 50)


def dense(family, corpus):
    if family == "table":
        tokens = tokenizers.Tokenizer.from_file(str(tokenizer("bert", corpus, "table") / "tokenizer.json"))
        table = numpy.random.default_rng(1).normal(size=(tokens.get_vocab_size(), WIDTH)).astype("float32")
        return sentence_transformers.SentenceTransformer(
            modules=[module("StaticEmbedding")(tokens, embedding_weights=table), module("Normalize")()]
        )
    _, _, _, pooling, more, prompts = FAMILIES[family]
    if OLD:
        prompts = {role: prompt.rstrip() for role, prompt in prompts.items()}
    transformer = module("Transformer")(str(base(family, "dense", corpus)), **({} if family != "bloom" else {"max_seq_length": LIMIT}))
    if family in ("llama", "mistral", "qwen2", "qwen3", "gemma3", "eurobert", "t5", "gpt2"):
        transformer.max_seq_length = LIMIT
    try:
        pooled = module("Pooling")(WIDTH, pooling_mode=pooling)
    except AttributeError:  # a list, before 5.4
        pooled = module("Pooling")(WIDTH, **{f"pooling_mode_{mode}_tokens": True for mode in pooling})
    parts = [transformer, pooled]
    width = WIDTH * (1 if isinstance(pooling, str) else len(pooling))
    for name in more:
        if name == "normalize":
            parts.append(module("Normalize")())
        elif name == "dense":
            inside, outside = width, width + 16 if len(parts) == 2 and more.count("dense") > 1 else width
            parts.append(linear(inside, outside, len(parts)))
            width = outside
    similarity = "dot" if "dot" in more else "cosine"
    return sentence_transformers.SentenceTransformer(modules=parts, prompts=prompts or None, similarity_fn_name=similarity)


def late(family, corpus):
    folder = str(base(family, "dense", corpus))
    if NAME == "pylate":
        from pylate import models as pylate

        return pylate.ColBERT(
            model_name_or_path=folder, embedding_size=24, query_length=24, document_length=48, device="cpu",
            model_kwargs={"attn_implementation": "eager"})  # fmt: skip
    if not hasattr(sentence_transformers, "MultiVectorEncoder"):
        raise NotTried("MultiVectorEncoder came with sentence-transformers 6")
    transformer = module("Transformer")(
        folder, query_length=24, document_length=48, query_expansion={"strategy": "fixed", "attend": False, "length": 24}
    )
    head = module("Dense")(
        WIDTH, 24, bias=False, activation_function=torch.nn.Identity(), module_input_name="token_embeddings")  # fmt: skip
    return sentence_transformers.MultiVectorEncoder(
        modules=[
            transformer, randomise(head, 60), module("MultiVectorMask")(skiplist_words=[".", ",", "(", ")"]),
            module("Normalize")(module_input_name="token_embeddings")],
        prompts={"query": "[Q] ", "document": "[D] "})  # fmt: skip


def cross(family, corpus):
    model = sentence_transformers.CrossEncoder(str(base(family, "cross", corpus)), max_length=LIMIT)
    return model


def sparse(family, corpus):
    folder = str(base(family, "sparse", corpus))
    try:
        transformer = module("Transformer")(folder, transformer_task="fill-mask")
    except TypeError:
        transformer = module("MLMTransformer")(folder)
    return sentence_transformers.SparseEncoder(modules=[transformer, module("SpladePooling")("max")])


def causal(family, corpus):
    transformer = module("Transformer")(str(base(family, "causal", corpus)), transformer_task="text-generation")
    tokens = transformers.AutoTokenizer.from_pretrained(base(family, "causal", corpus))
    yes, no = [tokens(word, add_special_tokens=False)["input_ids"][0] for word in ("yes", "no")]
    return sentence_transformers.CrossEncoder(modules=[transformer, module("LogitScore")(yes, no)])


ROLES = {"dense": dense, "late": late, "cross": cross, "sparse": sparse, "causal": causal}


# What the library says.


def library(role, model, queries, passages):
    """Returns the matrix of scores, each by the length of its vectors, and counts of truncated texts."""
    asked, read = list(queries.values()), list(passages.values())
    quiet = {"show_progress_bar": False}
    if role in ("cross", "causal"):
        pairs = [(query, passage) for query in asked for passage in read]
        scores = model.predict(pairs, batch_size=16, **quiet).reshape(len(asked), len(read))
        return scores, cut_pairs(model.tokenizer, pairs) if role == "cross" else None
    tokens = model.tokenizer
    count = (lambda text: len(tokens(text, truncation=False)["input_ids"])) if callable(tokens) else (lambda text: 0)
    cut = []
    for name, side in (("query", asked), ("document", read)):
        limit = getattr(model, f"{name}_length", None) or getattr(model[0], f"{name}_length", None)
        if name == "query" and role == "late":
            limit = limit or 24
        limit = limit or model.max_seq_length or 10**9
        if NAME == "pylate" and role == "late":
            limit -= 1  # its marker
        prompt = (model.prompts or {}).get(name) or ""
        cut.append(sum(count(prompt + text) > limit for text in side))
    if role == "late":
        if NAME == "pylate":
            vectors = [model.encode(side, is_query=side is asked, **quiet) for side in (asked, read)]
        else:
            vectors = [encode(side, convert_to_numpy=True, **quiet) for encode, side in (
                (model.encode_query, asked), (model.encode_document, read))]  # fmt: skip
        rows = [[numpy.asarray(matrix, dtype="float64") for matrix in side] for side in vectors]
        return numpy.array([[(query @ passage.T).max(1).sum() for passage in rows[1]] for query in rows[0]]), tuple(cut)
    as_arrays = {"convert_to_tensor": True} if role == "sparse" else {"convert_to_numpy": True}
    vectors = [model.encode_query(asked, **as_arrays, **quiet), model.encode_document(read, **as_arrays, **quiet)]
    if NAME != "today" and role == "dense" and type(getattr(model[0], "auto_model", None)).__name__ == "BloomModel":
        # Below 6 padding on the left has a weight, so each text alone; that of no tokens fails there.
        for side, own, encode in zip((asked, read), vectors, (model.encode_query, model.encode_document)):
            own[:] = [encode([text], **quiet)[0] if text else numpy.zeros(WIDTH) for text in side]
    if role == "sparse":
        vectors = [side.to_dense().numpy() for side in vectors]
    vectors = [side.astype("float64") for side in vectors]
    units = [side / numpy.linalg.norm(side, axis=1, keepdims=True).clip(1e-12) for side in vectors]
    if role == "dense":
        apart = numpy.linalg.norm(units[1][:, None] - units[1][None], axis=2) + 9 * numpy.eye(len(read))
        print(f"closest two texts {apart.min():.2f}, median {numpy.median(apart):.2f}", end=", ")
    if role == "dense" and model.similarity_fn_name != "dot":
        vectors = units
    return vectors[0] @ vectors[1].T, tuple(cut)


def cut_pairs(tokens, pairs):
    """Returns how many queries are cut beside some passage, and how many pairs have a passage that is cut."""
    columns = list(zip(*pairs))
    whole, part = (tokens(*map(list, columns), truncation=some, max_length=LIMIT if some else None) for some in (False, True))
    queries, passages = set(), 0
    for i, (query, _) in enumerate(pairs):
        lost = [whole.sequence_ids(i).count(side) - part.sequence_ids(i).count(side) for side in (0, 1)]
        queries |= {query} if lost[0] else set()
        passages += lost[1] > 0
    return len(queries), passages


# What posbias says.


def benchmark(queries, passages):
    folder = WORK / "texts"
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, side in (("queries", queries), ("corpus", passages)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps({"_id": one, "text": text}) + "\n" for one, text in side.items()))
    judged = "".join(f"{one}\tp{i % len(passages)}\t1\n" for i, one in enumerate(queries))
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
    (folder / "dataset.yaml").write_text("name: texts\nlanguage: en\nlicence: none\nsource: XQuAD\n")
    with gzip.open(WORK / "all.trec.gz", "wt") as run:
        for query in queries:
            run.writelines(f"{query} Q0 {passage} {i + 1} {100 - i} all\n" for i, passage in enumerate(passages))


def posbias(models, out, more=()):
    """Runs models, some in one go; returns by model the folder of its result, or posbias's line of why not."""

    def run(some, target):
        command = [POSBIAS, "eval", "--model", ",".join(some), "--dataset", str(WORK / "texts"), "--blind", "none"]
        command += ["--draws", "0", "--threads", "2", "--no-cache", *more, *target]
        environment = {
            **os.environ, "POSBIAS_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1",
            "POSBIAS_JAVA_OPTS": "-XX:TieredStopAtLevel=1"}  # fmt: skip
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    results = {}
    shutil.rmtree(out, ignore_errors=True)
    left = list(models)
    while left:
        done = run(left, ["--results", str(out)])
        for one in left:
            folder = out / "texts" / pathlib.Path(one).name
            if (folder / "result.json").exists():
                results[one] = folder
        left = [one for one in left if one not in results]
        if done.returncode == 0:
            break
        # One that is refused stops those behind it.
        lines = [line for line in done.stderr.splitlines() if line.startswith("posbias: ")] or done.stderr.splitlines()
        line = lines[-1].removeprefix("posbias: ")
        said = [one for one in left if pathlib.Path(one).name in line.replace("/", " ").replace(":", " ").split()]
        results[said[0] if said else left[0]] = line.replace(str(WORK / "saved") + "/", "")
        left = [one for one in left if one not in results]
    return results


def compare(folder, role, scores, cut, queries, passages):
    """Returns the largest difference, the rankings that are equal, and what posbias says of truncation."""
    own = numpy.full(scores.shape, numpy.nan)
    ranks, rows, columns = {}, {one: i for i, one in enumerate(queries)}, {one: i for i, one in enumerate(passages)}
    with gzip.open(folder / "run.trec.gz", "rt") as run:
        for line in run:
            query, _, passage, _, score, _ = line.split()
            own[rows[query], columns[passage]] = float(score)
            ranks.setdefault(query, []).append(columns[passage])
    absent = numpy.isnan(own)
    own[absent] = 0
    size = numpy.abs(scores).max() if role in ("sparse", "late") else max(1, numpy.abs(scores).max())
    difference = numpy.abs(own - scores) / size
    equal = 0
    for query, row in rows.items():
        ranked = ranks.get(query, [])
        values = scores[row][ranked]
        # Scores that differ by less than both can tell apart have no order.
        equal += bool((values[:-1] >= values[1:] - 2e-6 * size).all())
    told = json.loads((folder / "result.json").read_text())["results"][0]["truncation"][-1]
    counts = (told["queries_cut"], told["cut"])
    if (difference > MOST).any():
        at = numpy.unravel_index(numpy.argmax(difference), difference.shape)
        print(f"    worst: {list(queries)[at[0]]} {list(passages)[at[1]]}: {own[at]:.7f} for {scores[at]:.7f}; "
              f"{(difference > MOST).sum()} of {difference.size}; absent {absent.sum()}")  # fmt: skip
        bad = difference > MOST
        print("    queries", [list(queries)[i] for i in numpy.nonzero(bad.all(1))[0]],
              "passages", [list(passages)[i] for i in numpy.nonzero(bad.all(0))[0]])  # fmt: skip
    return {
        "difference": float(difference.max()), "rankings": [equal, len(rows)], "cut": counts if told["known"] else None,
        "expected": cut, "scale": float(size)}  # fmt: skip


# Graphs.


class Forward(torch.nn.Module):
    """A transformer with the inputs and the output of a graph."""

    def __init__(self, model, names, output):
        super().__init__()
        self.model, self.names, self.output = model, names, output

    def forward(self, *tensors):
        more = {"use_cache": False} if hasattr(self.model.config, "use_cache") else {}
        return getattr(self.model(**dict(zip(self.names, tensors)), **more), self.output)


def graph(role, folder):
    """Adds onnx/model.onnx to a folder and returns who wrote it: optimum by sentence-transformers, or PyTorch."""
    reason = ""
    if NAME != "today" and role in ("dense", "cross", "sparse"):
        try:
            cls = {"dense": "SentenceTransformer", "cross": "CrossEncoder", "sparse": "SparseEncoder"}[role]
            settings = {"backend": "onnx", "model_kwargs": {"export": True}, "device": "cpu"}
            getattr(sentence_transformers, cls)(str(folder), **settings).save_pretrained(str(folder) + ".onnx")
            found = next(pathlib.Path(str(folder) + ".onnx").rglob("model.onnx"))
            (folder / "onnx").mkdir()
            for file in found.parent.glob("model.onnx*"):
                shutil.copy(file, folder / "onnx")
            return "sentence-transformers"
        except Exception as failure:
            reason = f"{type(failure).__name__}: {str(failure).strip().splitlines()[0][:160]}"
            print("    optimum:", reason)
            shutil.rmtree(folder / "onnx", ignore_errors=True)
    classes = {
        "dense": "AutoModel", "late": "AutoModel", "cross": "AutoModelForSequenceClassification", "sparse": "AutoModelForMaskedLM",
        "causal": "AutoModelForCausalLM"}  # fmt: skip
    config = transformers.AutoConfig.from_pretrained(folder)
    cls = transformers.T5EncoderModel if config.model_type == "t5" else getattr(transformers, classes[role])
    model = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    tokens = transformers.AutoTokenizer.from_pretrained(folder)
    names = [name for name in tokens.model_input_names if name in ("input_ids", "attention_mask", "token_type_ids")]
    pairs = [["A fox runs.", "Why?"], ["The red fox jumps.", "No."]] if role == "cross" else [["A fox runs over."], ["The red fox."]]
    fed = tokens(*map(list, zip(*pairs)), padding=True, return_tensors="pt")
    axes = {0: torch.export.Dim("batch", min=1, max=512), 1: torch.export.Dim("tokens", min=1, max=LIMIT)}
    (folder / "onnx").mkdir()
    output = "last_hidden_state" if role in ("dense", "late") else "logits"
    with torch.inference_mode():
        try:
            torch.onnx.export(
                Forward(model, names, output), tuple(fed[name] for name in names), str(folder / "onnx/model.onnx"),
                input_names=names, output_names=[output], dynamo=True, external_data=False, verbose=False,
                dynamic_shapes=((*[{0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC} for _ in names],),))  # fmt: skip
        except Exception:
            shutil.rmtree(folder / "onnx")
            raise
    return f"PyTorch{reason and ', as optimum failed'}"


# The table.


BEGIN, END = "<!-- layouts: scripts/peers/layouts.py --write -->", "<!-- end of layouts -->"
COLUMNS = [(name, way) for name in ("today", "yesterday", "pylate") for way in ("folder", "worker")]


def cell(row, way):
    """Returns the text of a cell and whether it is a disagreement that no reason is known of."""
    if not row or "not tried" in row:
        return "-", False
    own = row.get(way)
    if own is None:
        return "-", False
    if "refused" in own:
        return ("no graph" if "has no onnx/model.onnx" in own["refused"] else "refused"), False
    marks = "" if own["rankings"][0] == own["rankings"][1] else f", {own['rankings'][0]} of {own['rankings'][1]} rankings"
    if own["cut"] != own["expected"] and None not in (own["cut"], own["expected"]):
        marks += f", truncated {own['cut']} for {own['expected']}"
    by = "*" if way == "folder" and row.get("graph", "").startswith("sentence-transformers") else ""
    return f"{own['difference']:.0e}{by}{marks}", own["difference"] > MOST or bool(marks)


def write():
    """Writes the table of all environments' last results between its markers in docs/peers.md."""
    results = {}
    for name in dict(COLUMNS):
        file = ROOT / f"target/peers/layouts-{name}.json"
        results[name] = json.loads(file.read_text()) if file.exists() else {}
    lines = ["| model | role | " + " | ".join(f"{name}: {way}" for name, way in COLUMNS) + " |", "| --- " * 8 + "|"]
    roles = {"dense": "bi-encoder", "late": "ColBERT", "cross": "cross-encoder", "sparse": "SPLADE", "causal": "causal reranker"}
    for family, role in cells([]):
        row = [cell(results[name].get(f"{family}-{role}"), way)[0] for name, way in COLUMNS]
        lines.append(f"| {family} | {roles[role]} | " + " | ".join(row) + " |")
    page = ROOT / "docs/peers.md"
    text = page.read_text()
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    page.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + after)


def cells(wanted):
    roles = {"dense": [*FAMILIES, "table"], "late": LATE, "cross": CROSS, "sparse": SPARSE, "causal": CAUSAL}
    return [(family, role) for role, families in roles.items() for family in families if not wanted or f"{family}-{role}" in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="FAMILY-ROLE,..: these alone")
    parser.add_argument("--write", action="store_true", help="only write the table of docs/peers.md from the last results")
    parser.add_argument("--way", choices=["folder", "worker", "none"], help="that alone; none: save and export")
    given = parser.parse_args()
    if given.write:
        write()
        return
    wanted = given.only.split(",") if given.only else QUICK if given.quick else []
    os.environ.setdefault("POSBIAS_HOME", str(ROOT / "target/peers/home"))
    torch.set_num_threads(2)
    shutil.rmtree(WORK / "saved", ignore_errors=True)
    WORK.mkdir(parents=True, exist_ok=True)
    queries, passages, corpus = texts()
    benchmark(queries, passages)
    stored = ROOT / f"target/peers/layouts-{NAME}{'-quick' if given.quick else ''}.json"
    # The other way's last results stay.
    rows = json.loads(stored.read_text()) if stored.exists() and (given.only or given.way) else {}
    made = {}
    for family, role in cells(wanted):
        name = f"{family}-{role}"
        row = rows.setdefault(name, {})
        row.pop("not tried", None)
        folder = WORK / "saved" / name
        started = time.time()
        print(name, end=": ", flush=True)
        try:
            model = ROLES[role](family, corpus).eval()
            model.save_pretrained(str(folder))
            scores, cut = library(role, model, queries, passages)
            made[name] = role, numpy.asarray(scores, dtype="float64"), cut
            del model
            row["graph"] = "none" if family == "table" else graph(role, folder)
            print(f"graph by {row['graph']}", end=", ")
        except NotTried as reason:
            row["not tried"] = str(reason)
        except Exception as failure:
            line = (str(failure).strip().splitlines() or [""])[0][:200]
            line = re.sub(r"\x1b\[\d+m", "", line)
            row["graph" if name in made else "not tried"] = f"{type(failure).__name__}: {line}"
            traceback.print_exc(file=open(WORK / f"{name}.failed", "w"))
            print(row, end=", ")
        print(f"{time.time() - started:.0f} s", flush=True)
    first_stage = ["--first-stage", str(WORK / "all.trec.gz"), "--depth", "100"]
    for way in {None: ["folder", "worker"], "none": []}.get(given.way, [given.way]):
        for scorers in (False, True):
            asked = {("st:" if way == "worker" else "") + str(WORK / "saved" / name): name
                     for name in made if (made[name][0] in ("cross", "causal")) == scorers
                     and not (given.quick and way == "worker" and name not in QUICK_WORKERS)}  # fmt: skip
            if not asked:
                continue
            started = time.time()
            out = WORK / "results" / f"{way}-{'scorers' if scorers else 'encoders'}"
            for one, result in posbias(list(asked), out, first_stage if scorers else []).items():
                name = asked[one]
                print(f"{name}, {way}: ", end="")
                if isinstance(result, str):
                    rows[name][way] = {"refused": result}
                else:
                    rows[name][way] = compare(result, *made[name], queries, passages)
                print(rows[name][way], flush=True)
            print(f"{way}: {len(asked)} models in {time.time() - started:.0f} s", flush=True)
            stored.write_text(json.dumps(rows, indent=1))
    wrong = [f"{name}, {way}: {cell(row, way)[0]}" for name, row in rows.items() for way in ("folder", "worker")
             if f"{name}, {way}" not in KNOWN and cell(row, way)[1]]  # fmt: skip
    sys.exit("\n".join(["differences without a known reason:", *wrong]) if wrong else 0)


if __name__ == "__main__":
    main()
