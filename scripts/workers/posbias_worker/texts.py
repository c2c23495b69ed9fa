"""What all kinds of models need to read texts: batches, limits and truncation."""
import sys


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


def first(prompts, names):
    return next((prompts[name] for name in names if prompts.get(name)), "")


def classes(model):
    """Returns the names of an object's classes that are of sentence-transformers or PyLate, the nearest first."""
    libraries = ("sentence_transformers", "pylate")
    return [kind.__name__ for kind in type(model).__mro__ if kind.__module__.partition(".")[0] in libraries]
