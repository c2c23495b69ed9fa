"""Rerankers: one score per pair."""
import sys

from posbias_worker.texts import Halving


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
