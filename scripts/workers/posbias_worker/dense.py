"""Bi-encoders: one dense or sparse vector per text."""
import json

from posbias_worker.inside import Inside
from posbias_worker.texts import Halving, characters_read, first, token_limit


class Dense(Inside):
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
            "inside": self.requests,
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

    def save(self, request):
        from posbias_worker.training import save

        save(self, request["folder"])
        return None, {}

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


class Sparse(Dense):
    """Pairs of term and weight a text, by SparseEncoder; vectors that are compared by their angle have length 1."""

    library = "SparseEncoder"
    as_arrays = {"convert_to_tensor": True, "convert_to_sparse_tensor": True}
    requests = []

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
