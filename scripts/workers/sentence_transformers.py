#!/usr/bin/env python3
"""Worker of posbias for models that sentence-transformers or PyLate load, and layerwise rerankers; docs/worker.md has the protocol.

python3 scripts/workers/sentence_transformers.py --model DIR_OR_NAME [options]

It reads requests from standard input and writes answers to standard output, until its standard input ends. The package
posbias of Python loads this file as a module, for models in memory.
"""
import argparse
import importlib.metadata
import json
import logging
import os
import struct
import sys
import threading
import time

MAGIC = b"PBW1"
PICKLED = ("pytorch_model.bin", "model.pt", "model.pth")
LIBRARIES = ("sentence_transformers.", "pylate.", "torch.nn.")
TRUST = "--trust-remote-code runs it (trust-remote-code: true in a recipe)"
UNPICKLED = "pickled weights, which may run code: save them as safetensors"


def read(requests):
    """Returns the next request of a binary stream, or None at its end."""
    start = requests.read(8)
    if len(start) < 8:
        return None
    if start[:4] != MAGIC:
        raise ValueError("no request of posbias")
    return json.loads(requests.read(struct.unpack("<i", start[4:])[0]))


def answer(answers, header, numbers=None):
    """Writes a header, and float32 numbers of any shape, to a binary stream."""
    content = b""
    if numbers is not None:
        content = numbers.astype("<f4", copy=False).tobytes()
        header = {**header, "numbers": len(content) // 4}
    encoded = json.dumps(header).encode()
    answers.write(MAGIC + struct.pack("<i", len(encoded)) + encoded + content)
    answers.flush()


def options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="folder, or name on the Hub, with @REVISION")
    parser.add_argument("--device", help="cpu, cuda, cuda:1 or mps (default: as posbias asks)")
    parser.add_argument("--dtype", default="float32", choices=["float32", "float16", "bfloat16"])
    parser.add_argument("--batch-size", type=int, default=32, help="texts at once (default: 32)")
    parser.add_argument(
        "--max-tokens", type=int, help="tokens read of each text (default: as the model says; layerwise 512)"
    )
    parser.add_argument("--cutoff-layer", type=int, help="layer whose score a layerwise reranker gives")
    parser.add_argument("--query-prompt", help="text before each query (default: as the model's files say)")
    parser.add_argument("--passage-prompt", help="text before each passage (default: as the model's files say)")
    parser.add_argument("--known-query-prompt", default="", help="text before each query if the model's files name none")
    parser.add_argument("--known-passage-prompt", default="", help="text before each passage, likewise")
    parser.add_argument("--instruction-template", help="what a model without prompts needs: posbias's --instruction fills it")
    parser.add_argument("--trust-remote-code", action="store_true", help="run Python code of the model's repository")
    return parser.parse_args(arguments)


def watch(parent):
    """Ends this process when posbias was killed and a long request is under way."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


class Halving:
    """Runs in batches, and in halves of them where the device's memory is too small."""

    def __init__(self, size):
        self.size = size

    def __call__(self, run):
        import torch

        while True:
            try:
                return run(self.size)
            except torch.OutOfMemoryError:
                if self.size == 1:
                    raise
                torch.cuda.empty_cache()
                self.size //= 2
                print(f"out of memory: {self.size} texts at once", file=sys.stderr)


def characters_read(tokenizer, limit, texts, prompt=""):
    """Returns per text the characters of it that are read, or -1 for all of it; None if that is unknown."""
    read = [-1] * len(texts)
    if not limit:
        return read
    if not getattr(tokenizer, "is_fast", False) or tokenizer.truncation_side != "right":
        return None
    # A token has one byte at least, so a short text cannot be cut.
    long = [i for i, text in enumerate(texts) if len((prompt + text).encode()) + 8 > limit]
    if not long:
        return read
    # The library's own encodings: as Python's lists their offsets would take as long as a small model.
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    room = limit - tokenizer.num_special_tokens_to_add(pair=False)
    encodings = tokenizer.backend_tokenizer.encode_batch([prompt + texts[i] for i in long], add_special_tokens=False)
    for i, tokens in zip(long, encodings):
        if len(tokens) > room:
            end = tokens.token_to_chars(room - 1)[1] if room > 0 else 0
            read[i] = max(0, end - len(prompt))
    return read


def token_limit(model, role):
    """Returns the tokens that are read of a text of a role, None for all."""
    first, expansion = model[0], getattr(model[0], "query_expansion", None)
    name = "query_length" if role == "query" else "document_length"
    limit = getattr(model, name, None) or getattr(first, name, None) or model.max_seq_length
    if role == "query" and expansion:
        limit = expansion["length"] if expansion["strategy"] == "fixed" else max(limit or 0, expansion["length"])
    # Some models say infinity.
    return int(limit) if limit and limit < 1e9 else None


class Dense:
    """One vector a text, by SentenceTransformer."""

    library = "SentenceTransformer"
    as_arrays = {"convert_to_numpy": True}

    @classmethod
    def open(cls, given, settings):
        import sentence_transformers

        return getattr(sentence_transformers, cls.library)(**settings)

    def __init__(self, given, model):
        self.model = model
        if given.max_tokens:
            self.model.max_seq_length = given.max_tokens
        self.halving = Halving(given.batch_size)
        stored = {name: prompt for name, prompt in (self.model.prompts or {}).items() if prompt}
        if not stored and given.query_prompt is None and given.instruction_template:
            raise SystemExit(
                f"the model has a template for instructions, {json.dumps(given.instruction_template)}, and no prompt: say"
                " with --instruction TEXT what its queries ask for, or --instruction '' for none"
            )
        self.known = not stored and bool(given.known_query_prompt or given.known_passage_prompt)
        if self.known:
            stored = {"query": given.known_query_prompt, "document": given.known_passage_prompt}
        self.prompts = {
            "query": given.query_prompt if given.query_prompt is not None else first(stored, ["query"]),
            "passage": given.passage_prompt
            if given.passage_prompt is not None
            else first(stored, ["document", "passage", "corpus"]),
        }

    def hello(self):
        return {
            "dimension": self.dimension(),
            "similarity": self.model.similarity_fn_name or "cosine",
            "max_tokens": token_limit(self.model, "passage"),
            "revision": getattr(getattr(self.model[0], "auto_model", None), "config", None)
            and getattr(self.model[0].auto_model.config, "_commit_hash", None),
            "prompts": self.prompts,
            "spans": self.averages_tokens(),
            "notes": [
                (f"{role} prompt {json.dumps(prompt)}" if prompt else f"no {role} prompt")
                + (" (MTEB's registry)" if self.known else "")
                for role, prompt in self.prompts.items()
            ],
        }

    def encode(self, request):
        texts, role = request["texts"], request["role"]
        prompt = self.prompts[role]
        method = self.model.encode_query if role == "query" else self.model.encode_document
        vectors = self.halving(
            lambda size: method(
                texts, prompt=prompt, batch_size=size, show_progress_bar=False, **self.as_arrays
            )
        )
        read = characters_read(self.model.tokenizer, token_limit(self.model, role), texts, prompt)
        return vectors, {} if read is None else {"read": read}

    def dimension(self):
        size = getattr(self.model, "get_embedding_dimension", None) or self.model.get_sentence_embedding_dimension
        return size()

    def averages_tokens(self):
        """Returns true if a text's vector is the mean over its tokens, so that a part's can be, too."""
        modules = [type(module).__name__ for module in self.model]
        pooling = getattr(self.model[1], "pooling_mode", None) if len(modules) > 1 else None
        if pooling is None and len(modules) > 1:
            pooling = getattr(self.model[1], "get_pooling_mode_str", str)()
        return (
            modules in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
            and pooling in ("mean", ["mean"])
            and bool(getattr(self.model.tokenizer, "is_fast", False))
        )

    def spans(self, request):
        """Late chunking: the mean over a span's tokens, as encoded in the whole text or, of a long text, in a stretch of it."""
        import numpy

        prompt = self.prompts["passage"]
        backend = self.model.tokenizer.backend_tokenizer
        backend.no_truncation()
        backend.no_padding()
        frame = backend.encode("a", add_special_tokens=True)
        ordinary = [i for i, special in enumerate(frame.special_tokens_mask) if not special]
        before, after = frame.ids[: ordinary[0]], frame.ids[ordinary[-1] + 1 :]
        rows, wanted, vector = [], [], 0
        texts = backend.encode_batch([prompt + text for text in request["texts"]], add_special_tokens=False)
        for tokens, spans in zip(texts, request["spans"]):
            offsets = [(start - len(prompt), end - len(prompt)) for start, end in tokens.offsets]
            prompted = sum(end <= 0 for _, end in offsets)
            head = before + tokens.ids[:prompted]
            room = (self.model.max_seq_length or len(tokens.ids) + len(head)) - len(head) - len(after)
            ranges = [tokens_of(offsets, span, prompted) for span in spans]
            for start, end, parts in stretches(ranges, len(offsets), prompted, max(1, room)):
                rows.append(head + tokens.ids[start:end] + after)
                shift = len(head) - start
                wanted.append([(vector + part, a + shift, b + shift) for part, a, b in parts])
            vector += len(spans)
        order = sorted(range(len(rows)), key=lambda row: -len(rows[row]))
        vectors = self.halving(lambda size: self.means(rows, wanted, order, vector, size))
        if len(self.model) > 2:
            vectors /= numpy.maximum(numpy.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors, {"read": [-1] * len(texts)}

    def means(self, rows, wanted, order, count, size):
        import numpy
        import torch

        vectors = numpy.zeros((count, self.dimension()), dtype="float32")
        for at in range(0, len(order), size):
            batch = order[at : at + size]
            padded = self.model.tokenizer.pad({"input_ids": [rows[row] for row in batch]}, return_tensors="pt")
            features = {name: tensor.to(self.model.device) for name, tensor in padded.items()}
            with torch.inference_mode():
                tokens = self.model[0](features)["token_embeddings"]
            for own, row in zip(tokens, batch):
                for part, start, end in filter(lambda one: one[1] < one[2], wanted[row]):
                    vectors[part] = own[start:end].float().mean(0).cpu().numpy()
        return vectors


def tokens_of(offsets, span, first):
    """Returns the range of tokens that begin in a span of characters, at least one."""
    inside = [i for i in range(first, len(offsets)) if span[0] <= max(0, offsets[i][0]) < span[1]]
    if inside:
        return inside[0], inside[-1] + 1
    nearest = min(range(first, len(offsets)), key=lambda i: abs(offsets[i][0] - span[0]), default=first)
    return nearest, min(nearest + 1, len(offsets))


def stretches(ranges, size, first, room):
    """Yields stretches of tokens, each with the spans that it is the first to hold: (start, end, [(span, from, to)]).

    The next stretch begins with the span before its first one, for context, if both fit.
    """
    done = 0
    while done < len(ranges):
        start = first
        if ranges[-1][1] - first > room and done > 0:
            start = ranges[done - 1][0] if ranges[done][1] - ranges[done - 1][0] <= room else ranges[done][0]
        end = min(size, start + room)
        parts = []
        while done < len(ranges) and (ranges[done][1] <= end or not parts):
            parts.append((done, ranges[done][0], min(end, ranges[done][1])))
            done += 1
        yield start, end, parts


def first(prompts, names):
    return next((prompts[name] for name in names if prompts.get(name)), "")


class Sparse(Dense):
    """Pairs of term and weight a text, by SparseEncoder; vectors that are compared by their angle have length 1."""

    library = "SparseEncoder"
    as_arrays = {"convert_to_tensor": True, "convert_to_sparse_tensor": True}

    def hello(self):
        return {**super().hello(), "similarity": "dot", "compared_by": self.model.similarity_fn_name or "dot"}

    def dimension(self):
        """Returns the size of the vocabulary; some versions of the library say the width of hidden layers."""
        matrix, _ = super().encode({"texts": ["a"], "role": "passage"})
        return matrix.shape[1]

    def encode(self, request):
        import numpy

        matrix, header = super().encode(request)
        matrix = matrix.cpu().coalesce()
        (texts, terms), weights = matrix.indices().numpy(), matrix.values().float().numpy()
        if self.model.similarity_fn_name == "cosine":
            length = numpy.sqrt(numpy.bincount(texts, weights.astype("float64") ** 2, matrix.shape[0]))
            weights = (weights / length[texts]).astype("float32")
        kept = weights != 0
        rows = numpy.bincount(texts[kept], minlength=matrix.shape[0])
        return numpy.stack([terms[kept].astype("float32"), weights[kept]], axis=1), {**header, "rows": rows.tolist()}


class Late:
    """One vector a token, by MultiVectorEncoder of sentence-transformers 6, or by PyLate."""

    @staticmethod
    def open(given, settings):
        try:
            from sentence_transformers import MultiVectorEncoder

            return MultiVectorEncoder(**settings)
        except ImportError:
            from pylate import models

            return models.ColBERT(**settings)

    def __init__(self, given, model):
        self.model = model
        self.own = "MultiVectorEncoder" in classes(model)
        self.halving = Halving(given.batch_size)

    def hello(self):
        sample, _ = self.encode({"texts": ["a"], "role": "passage"})
        return {"dimension": int(sample.shape[-1]), "similarity": "maxsim", "max_tokens": token_limit(self.model, "passage")}

    def encode(self, request):
        import numpy

        texts, query = request["texts"], request["role"] == "query"

        def run(size):
            if self.own:
                method = self.model.encode_query if query else self.model.encode_document
                return method(texts, batch_size=size, convert_to_numpy=True, show_progress_bar=False)
            return self.model.encode(texts, batch_size=size, is_query=query, show_progress_bar=False)

        vectors = [numpy.asarray(of_text, dtype="float32") for of_text in self.halving(run)]
        header = {"rows": [len(of_text) for of_text in vectors]}
        stored = self.model.prompts or {}
        prompt = first(stored, ["query"] if query else ["document", "passage", "corpus"]) if self.own else ""
        limit = token_limit(self.model, request["role"])
        if limit and getattr(self.model, "query_prefix_id" if query else "document_prefix_id", None) is not None:
            limit -= 1  # PyLate's marker
        read = characters_read(self.model.tokenizer, limit, texts, prompt)
        return numpy.concatenate(vectors), header if read is None else {**header, "read": read}


class Cross:
    """One score a pair, by CrossEncoder."""

    @staticmethod
    def open(given, settings):
        from sentence_transformers import CrossEncoder

        if given.max_tokens:
            settings["max_length"] = given.max_tokens
        return CrossEncoder(**settings)

    def __init__(self, given, model):
        self.model = model
        if getattr(self.model, "num_labels", 1) != 1:
            raise ValueError(f"the model has {self.model.num_labels} labels; a reranker has one score")
        self.halving = Halving(given.batch_size)

    def hello(self):
        return {"max_tokens": self.limit()}

    def limit(self):
        limit = getattr(self.model, "max_length", None) or getattr(self.model, "max_seq_length", None)
        if not limit:
            limit = self.model.tokenizer.model_max_length
        return limit if limit and limit < 1e9 else None

    def score(self, request):
        pairs = [tuple(pair) for pair in request["pairs"]]
        scores = self.halving(
            lambda size: self.model.predict(pairs, batch_size=size, convert_to_numpy=True, show_progress_bar=False)
        )
        return scores.reshape(-1), self.read(pairs)

    def read(self, pairs):
        tokenizer, limit = self.model.tokenizer, self.limit()
        if not limit or not getattr(tokenizer, "is_fast", False):
            return {}
        cut = tokenizer(
            [query for query, _ in pairs],
            [passage for _, passage in pairs],
            truncation=True,
            max_length=limit,
            return_offsets_mapping=True,
        )
        read, query_cut = [], []
        for i, (query, passage) in enumerate(pairs):
            last = [0, 0]
            for (_, end), of in zip(cut["offset_mapping"][i], cut.sequence_ids(i)):
                if of is not None:
                    last[of] = max(last[of], end)
            full = len(cut["input_ids"][i]) < limit
            kept = cut.sequence_ids(i)
            read.append(last[1] if not full and self.loses(passage, last[1], kept.count(1)) else -1)
            query_cut.append(not full and self.loses(query, last[0], kept.count(0)))
        return {"read": read, "query_cut": query_cut}

    def loses(self, text, end, kept):
        """Returns true if a text has tokens behind the last that is kept; white space at its end has some of some tokenizers."""
        if end < len(text.rstrip()) or not text[-1:].isspace():
            return end < len(text)
        return len(self.model.tokenizer(text, add_special_tokens=False)["input_ids"]) > kept


class Layerwise:
    """One score a pair, by a layer of a language model with a head for each (bge-reranker-v2-minicpm-layerwise).

    Inputs and scores are those of LayerWiseFlagLLMReranker of FlagEmbedding 1.4, without its sigmoid.
    """

    question = (
        "Given a query A and a passage B, determine whether the passage contains an answer to the query by providing a"
        " prediction of either 'Yes' or 'No'."
    )
    # FlagEmbedding pads to a multiple of it.
    multiple = 8

    @staticmethod
    def open(given, settings):
        import transformers

        name = settings.pop("model_name_or_path")
        device, kwargs = settings.pop("device"), settings.pop("model_kwargs")
        try:
            model, loading = transformers.AutoModelForCausalLM.from_pretrained(
                name, output_loading_info=True, **kwargs, **settings
            )
        except ImportError as missing:
            # The published code imports names that transformers 5 has no more.
            raise SystemExit(f"{missing}; for transformers 4: {sys.executable} -m pip install 'transformers<5'") from None
        absent = sorted(key for key in loading["missing_keys"] if key != "lm_head.weight")
        if absent:
            raise SystemExit(f"the files of {name} lack {len(absent)} weights of the model, among them {absent[0]}")
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **settings)
        return model.to(device).eval(), tokenizer

    def __init__(self, given, opened):
        self.model, self.tokenizer = opened
        self.layer = given.cutoff_layer
        config = self.model.config
        first, last = getattr(config, "start_layer", None), config.num_hidden_layers
        if first is None:
            raise SystemExit(f"{type(self.model).__name__} has no heads by layer: leave out --cutoff-layer")
        if not first <= self.layer <= last:
            raise SystemExit(f"--cutoff-layer {self.layer}: the model has scores of the layers {first} to {last}")
        if self.tokenizer.bos_token_id is None or self.tokenizer.pad_token_id is None:
            raise SystemExit("the tokenizer lacks a token for the beginning or for padding")
        self.limit = given.max_tokens or 512
        self.halving = Halving(given.batch_size)
        self.fast = getattr(self.tokenizer, "is_fast", False)
        self.separator, self.prompt = (self.tokens([text])[0]["ids"] for text in ("\n", self.question))

    def hello(self):
        return {
            "max_tokens": self.limit,
            "cutoff_layer": self.layer,
            "revision": getattr(self.model.config, "_commit_hash", None),
        }

    def tokens(self, texts):
        """Returns the tokens of each text, and where they end in it; None for these if the tokenizer does not say."""
        encoded = self.tokenizer(
            texts, add_special_tokens=False, return_attention_mask=False, return_offsets_mapping=self.fast
        )
        ends = [[end for _, end in text] for text in encoded["offset_mapping"]] if self.fast else [None] * len(texts)
        return [{"ids": ids, "ends": end} for ids, end in zip(encoded["input_ids"], ends)]

    def cut(self, ids, most):
        """Returns the tokens that are kept of at most so many."""
        return ids[max(0, len(ids) - most) :] if self.tokenizer.truncation_side == "left" else ids[:most]

    def inputs(self, queries, passages):
        """Returns the tokens of each pair, the tokens of its passage that are kept, and whether its query is cut."""
        whole = self.limit + len(self.separator) + len(self.prompt)
        rows = []
        for query, passage in zip(queries, passages):
            kept = self.cut(query["ids"], self.limit * 3 // 4)
            begin = [self.tokenizer.bos_token_id, *kept]
            # The separator goes with the passage: cut on the left, it goes first.
            second = self.cut([*self.separator, *self.cut(passage["ids"], self.limit)], whole - len(begin))
            read = min(len(passage["ids"]), len(second) - len(self.separator))
            rows.append(([*begin, *second, *self.separator, *self.prompt], read, len(kept) < len(query["ids"])))
        return rows

    def score(self, request):
        import numpy

        # A query stands beside many passages.
        texts = list(dict.fromkeys(f"A: {query}" for query, _ in request["pairs"]))
        of = dict(zip(texts, self.tokens(texts)))
        queries = [of[f"A: {query}"] for query, _ in request["pairs"]]
        passages = self.tokens([f"B: {passage}" for _, passage in request["pairs"]])
        rows = self.inputs(queries, passages)
        order = sorted(range(len(rows)), key=lambda row: -len(rows[row][0]))
        scores = numpy.zeros(len(rows), dtype="float32")
        self.halving(lambda size: self.fill(scores, [row[0] for row in rows], order, size))
        header = {"query_cut": [cut for _, _, cut in rows]}
        if self.fast and self.tokenizer.truncation_side == "right":
            header["read"] = [
                -1 if read == len(passage["ids"]) else max(0, passage["ends"][read - 1] - len("B: ")) if read else 0
                for passage, (_, read, _) in zip(passages, rows)
            ]
        return scores, header

    def fill(self, scores, rows, order, size):
        import torch

        for at in range(0, len(order), size):
            batch = order[at : at + size]
            padded = self.tokenizer.pad(
                {"input_ids": [rows[row] for row in batch]}, pad_to_multiple_of=self.multiple, return_tensors="pt"
            ).to(self.model.device)
            ids, mask = padded["input_ids"], padded["attention_mask"]
            with torch.inference_mode():
                logits = self.model(
                    input_ids=ids, attention_mask=mask, cutoff_layers=[self.layer], output_hidden_states=True, use_cache=False
                ).logits[0]
            if logits.shape != ids.shape:
                raise ValueError(f"the heads give {tuple(logits.shape)} numbers for {tuple(ids.shape)} tokens")
            last = mask.shape[1] - 1 - mask.flip(1).argmax(1)
            scores[batch] = logits[torch.arange(len(batch), device=logits.device), last].float().cpu().numpy()


def classes(model):
    """Returns the names of an object's classes that are of sentence-transformers or PyLate, the nearest first."""
    libraries = ("sentence_transformers", "pylate")
    return [kind.__name__ for kind in type(model).__mro__ if kind.__module__.partition(".")[0] in libraries]


def gives(model):
    """Returns the kind of answers of a loaded model, or None if it is of no class that this worker knows."""
    known = {
        "MultiVectorEncoder": "late-interaction",
        "ColBERT": "late-interaction",
        "SparseEncoder": "sparse",
        "CrossEncoder": "cross-encoder",
        "SentenceTransformer": "dense",
    }
    # PyLate's and sparse models are SentenceTransformers, too.
    return next((known[name] for name in classes(model) if name in known), None)


KINDS = {"dense": Dense, "late-interaction": Late, "cross-encoder": Cross, "sparse": Sparse}


def place(model):
    """Returns the folder and no revision, or the name on the Hub and the revision; refuses pickled weights."""
    if os.path.isdir(model):
        files = [file for _, _, files in os.walk(model) for file in files]
        if any(file in PICKLED for file in files) and not any(file.endswith(".safetensors") for file in files):
            raise SystemExit(f"{model} has {UNPICKLED}")
        return model, ""
    name, _, revision = model.partition("@")
    if len(name.split("/")) != 2 or name.startswith((".", "/", "~")):
        raise SystemExit(f"{model}: folder not found, and the name of a model on the Hub is ORG/NAME")
    return name, revision


def confine(given):
    """Imports classes that the model's files name from the libraries alone, whatever their versions do, reads no pickle, and
    executes nothing in the Hub's caches. What a library would leave out with a warning is an error."""
    import huggingface_hub.constants
    import torch
    import transformers.dynamic_module_utils

    def refuse(reference):
        raise SystemExit(f"{given.model} names Python code of its own, {reference}: {TRUST}")

    def guarded(find):
        def guard(reference, *more, **settings):
            is_library = reference.startswith(LIBRARIES)
            if is_library and find.__name__ == "get_class_from_dynamic_module":
                raise ValueError(f"{reference} is not looked for in the model's files")
            found = find(reference, *more, **settings) if is_library else None
            return found if isinstance(found, type) and found.__module__.startswith(LIBRARIES) else refuse(reference)

        return guard

    def unpickle(*_, **__):
        raise SystemExit(f"{given.model} has {UNPICKLED}")

    def execute(event, arguments):
        if event == "exec" and os.path.realpath(getattr(arguments[0], "co_filename", "")).startswith(caches):
            refuse(arguments[0].co_filename)

    caches = huggingface_hub.constants.HF_HUB_CACHE, transformers.dynamic_module_utils.HF_MODULES_CACHE
    caches = tuple(os.path.join(os.path.realpath(cache), "") for cache in caches)
    torch.load = torch.jit.load = unpickle
    sys.addaudithook(execute)
    for place, module in list(sys.modules.items()):
        for name in ("import_from_string", "import_module_class", "get_class_from_dynamic_module"):
            if place.startswith(("sentence_transformers", "transformers")) and name in vars(module):
                setattr(module, name, guarded(vars(module)[name]))
    warnings = logging.Handler()
    warnings.emit = lambda record: "not trusted" in record.getMessage() and refuse(record.getMessage().partition(",")[0])
    logging.getLogger("sentence_transformers").addHandler(warnings)


def versions():
    return {
        "versions": {
            package: version(package) for package in ("sentence-transformers", "transformers", "torch", "pylate")
        },
        "python": ".".join(map(str, sys.version_info[:2])),
    }


def in_memory(model):
    """Returns what answers encode requests with a model that is loaded, of a class that gives() knows."""
    return KINDS[gives(model)](options(["--model", "in memory"]), model)


def load(given, request):
    """Opens the model and returns it with what posbias is told of it."""
    name, revision = place(given.model)
    try:
        import torch
        import transformers

        if given.cutoff_layer is None:
            import sentence_transformers
    except ImportError as missing:
        raise SystemExit(f"{missing}: {sys.executable} -m pip install sentence-transformers") from None

    # The last line of standard error is to be an error.
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(max(1, int(request.get("threads", 1))))
    device = given.device or request["device"]
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and torch.cuda.device_count() > 1:
        device = f"cuda:{int(os.environ.get('POSBIAS_WORKER', 0)) % torch.cuda.device_count()}"
    settings = {
        "model_name_or_path": name,
        "device": device,
        "trust_remote_code": given.trust_remote_code,
        "model_kwargs": {"torch_dtype": getattr(torch, given.dtype), "use_safetensors": True},
    }
    if revision:
        settings["revision"] = revision
    kind = KINDS.get(request["gives"])
    if kind is None:
        raise SystemExit(f"this worker gives {', '.join(KINDS)}, not {request['gives']}")
    if given.cutoff_layer is not None:
        if kind is not Cross:
            raise SystemExit(f"--cutoff-layer goes with gives: cross-encoder, not {request['gives']}")
        kind = Layerwise
    try:
        if not given.trust_remote_code:
            confine(given)
        opened = kind.open(given, settings)
    except ValueError as refused:
        if given.trust_remote_code or "trust_remote_code" not in str(refused):
            raise
        raise SystemExit(f"{given.model} has Python code of its own: {TRUST}") from None
    model = kind(given, opened)
    told = {
        "protocol": 1,
        "name": os.path.basename(os.path.normpath(given.model)),
        **versions(),
        "device": device.partition(":")[0],
        "dtype": given.dtype,
        "trust_remote_code": given.trust_remote_code,
        **model.hello(),
    }
    parts = (opened[0] if isinstance(opened, tuple) else opened).modules()
    if given.trust_remote_code:
        told.setdefault("notes", []).append("Python code of the model's repository runs (--trust-remote-code)")
    elif any(getattr(getattr(part, "config", None), "auto_map", None) for part in parts):
        told.setdefault("notes", []).append(f"a class of transformers runs instead of Python code of the model's own: {TRUST}")
    return model, told


def error(failure):
    """Returns one line about an exception."""
    lines = str(failure).strip().splitlines() or [type(failure).__name__]
    return lines[0] if isinstance(failure, SystemExit) else f"{type(failure).__name__}: {lines[0]}"


def main():
    given = options()
    # This file has the library's name, and Python looks beside it first.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != here]
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=watch, args=[os.getppid()], daemon=True).start()
    model = None
    while (request := read(sys.stdin.buffer)) is not None:
        try:
            if request["do"] == "start":
                model, told = load(given, request)
                answer(answers, told)
            else:
                numbers, header = getattr(model, request["do"])(request)
                answer(answers, header, numbers)
        except (Exception, SystemExit) as failure:  # the line is posbias's to print
            import traceback

            traceback.print_exc()
            answer(answers, {"error": error(failure)})


if __name__ == "__main__":
    main()
