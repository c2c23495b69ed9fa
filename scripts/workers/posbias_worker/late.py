"""Late interaction: one vector per token."""
from posbias_worker.texts import Halving, characters_read, classes, first, token_limit


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
