"""Dense models that are looked into: rows of tokens, gradients of scores, vectors by layer, parts of vectors by token."""
import concurrent.futures
import contextlib
import threading

from posbias_worker import decompx


class Inside:
    """Answers to requests about the inside of a dense model. Its numbers are float32, whatever the model computes in."""

    requests = ["gradients", "layers", "contributions", "randomise"]
    # Of the tokenizer, which is set anew for each call.
    reading = threading.Lock()

    @property
    def transformer(self):
        import transformers

        found = [part for part in self.model.modules() if isinstance(part, transformers.PreTrainedModel)]
        own = [part for part in found if not any(part is not other and part in set(other.modules()) for other in found)]
        if len(own) != 1:
            raise SystemExit(f"the model has {len(own)} transformers; gradients, layers and parts of vectors are of one")
        return own[0]

    @property
    def table(self):
        """The table of token embeddings."""
        import torch

        with contextlib.suppress(NotImplementedError, AttributeError):  # of some classes of models' own code
            if (table := self.transformer.get_input_embeddings()) is not None:
                return table
        vocabulary = len(self.model.tokenizer)
        tables = [
            part
            for part in self.transformer.modules()
            if isinstance(part, torch.nn.Embedding) and part.num_embeddings >= vocabulary
        ]
        if len(tables) != 1:
            raise SystemExit(f"the model has {len(tables)} tables with a row for each of {vocabulary} tokens, not one")
        return tables[0]

    def features(self, texts, role):
        """Returns what the model's modules take, for texts of a role."""
        prompt = self.prompts[role]
        if hasattr(self.model, "preprocess"):
            task = "query" if role == "query" else "document"
            features = self.model.preprocess(texts, prompt=prompt or None, task=task)
        else:  # before version 5.4
            features = self.model.tokenize([prompt + text for text in texts])
            if prompt:
                features["prompt_length"] = self.model.tokenize([prompt])["input_ids"].shape[-1] - 1
        device = self.model.device
        return {name: value.to(device) if hasattr(value, "to") else value for name, value in features.items()}

    def vectors(self, features):
        """Returns the vectors of texts as posbias compares them: (texts, dimension)."""
        import torch

        vectors = self.model(features)["sentence_embedding"].float()
        is_cosine = (self.model.similarity_fn_name or "cosine") == "cosine"
        return torch.nn.functional.normalize(vectors, dim=-1) if is_cosine else vectors

    def rows(self, features, texts, role):
        """Returns the tokens of each text as the model reads them."""
        tokenizer, prompt = self.model.tokenizer, self.prompts[role]
        if not getattr(tokenizer, "is_fast", False) or "attention_mask" not in features:
            raise SystemExit("the tokenizer does not say where its tokens are in a text")
        tokenizer.backend_tokenizer.no_truncation()
        tokenizer.backend_tokenizer.no_padding()
        encodings = tokenizer.backend_tokenizer.encode_batch([prompt + text for text in texts])
        masks = features["attention_mask"].bool().cpu()
        ids = features["input_ids"].cpu()
        return [
            Row(encoding, own[mask].tolist(), len(prompt)) for encoding, own, mask in zip(encodings, ids, masks, strict=True)
        ]

    def read(self, texts):
        """Returns what the modules take for passages, and the rows of these."""
        with self.reading:
            features = self.features(texts, "passage")
            return features, self.rows(features, texts, "passage")

    def batches(self, request, of):
        """Returns what a function gives for each text: on CPUs a text a thread, else in batches that fit the device's memory."""
        texts = request["texts"]
        self.model.requires_grad_(False).eval()

        def batch(at, size):
            return of(texts[at : at + size], slice(at, at + size))

        if self.model.device.type == "cpu":
            return [one for own in threaded(lambda at: batch(at, 1), range(len(texts))) for one in own]
        return self.halving(lambda size: [one for at in range(0, len(texts), size) for one in batch(at, size)])

    def answered(self, rows, numbers, more):
        """Returns the numbers of all texts in one array, and a header."""
        import numpy

        header = {"spans": [row.spans for row in rows], "cut": [row.cut for row in rows], **more}
        return numpy.concatenate([numpy.zeros(0, "float32"), *(one.reshape(-1) for one in numbers)]), header

    def gradients(self, request):
        """Norms of the gradients of inner products of texts' vectors and directions, with respect to token embeddings.

        Embeddings are those that the table gives, before positions and norms: section 4.3 of PosIR, arXiv:2601.08363.
        """
        table, directions, own = self.table, request["directions"], threading.local()

        def leaf(module, given, out):
            own.leaves.append(out.detach().requires_grad_(True))
            return own.leaves[-1]

        handle = table.register_forward_hook(leaf)
        try:
            found = self.batches(request, lambda texts, at: self.gradients_of(texts, directions[at], table, own))
        finally:
            handle.remove()
        scale = max((scale for *_, scale in found), default=1)
        notes = [f"gradients are by embeddings that {type(table).__name__} scales by {scale:.5g}"] if scale != 1 else []
        rows, norms, scores, _ = zip(*found)
        return self.answered(rows, norms, {"scores": scores, "notes": notes})

    def gradients_of(self, texts, directions, table, own):
        import numpy
        import torch

        features, rows = self.read(texts)
        ids, mask = features["input_ids"], features["attention_mask"].bool().cpu()
        own.leaves = leaves = []
        with torch.enable_grad():
            vectors = self.vectors(features)
        if len(leaves) != 1:
            raise SystemExit(f"the model looks tokens up {len(leaves)} times for one text; gradients need once")
        plain = torch.nn.functional.embedding(ids[:1, -1:], table.weight).float().norm()
        scale = (leaves[0][:1, -1:].detach().float().norm() / plain).item() if plain > 0 else 1
        norms, scores = [[] for _ in texts], [[] for _ in texts]
        last = max(map(len, directions))
        for at in range(last):
            weights = torch.zeros_like(vectors)
            for text, own in enumerate(directions):
                if at < len(own):
                    weights[text] = torch.tensor(own[at])
            (gradient,) = torch.autograd.grad(vectors, leaves[0], weights, retain_graph=at + 1 < last)
            lengths = gradient.float().norm(dim=-1).cpu()
            products = (vectors.detach().double().cpu() * weights.double().cpu()).sum(-1)
            for text, row in enumerate(rows):
                if at < len(directions[text]):
                    norms[text].append(lengths[text][mask[text]][row.first :][: len(row.spans)].numpy())
                    scores[text].append(products[text].item())
        if not all(numpy.isfinite(own).all() for of_text in norms for own in of_text):
            raise SystemExit("a gradient is no number: what the model computes overflows")
        return [
            (row, numpy.stack(own), of_text, scale if abs(scale - 1) > 1e-3 else 1)
            for row, own, of_text in zip(rows, norms, scores)
        ]

    @property
    def pooling(self):
        """The module that makes one vector of those of a text's tokens."""
        pooling = self.model[1] if len(self.model) > 1 else None
        if type(pooling).__name__ != "Pooling":
            raise SystemExit("the model has no Pooling module behind its transformer: its layers have no vectors of texts")
        return pooling

    def pooling_name(self):
        mode = getattr(self.pooling, "pooling_mode", None) or self.pooling.get_pooling_mode_str()
        mode = mode if isinstance(mode, str) else "+".join(mode)
        return {"lasttoken": "last"}.get(mode, mode)

    def layers(self, request):
        """Of each layer, the pooled vector and the mean vectors of equal parts of the text; nothing for too few tokens."""
        parts, pooling = request["parts"], self.pooling
        with self.giving_states():
            found = self.batches(request, lambda texts, _: self.layers_of(texts, parts, pooling))
        rows, vectors = zip(*found)
        header = {"layers": [len(own) for own in vectors], "pooling": self.pooling_name()}
        return self.answered(rows, vectors, header)

    def layers_of(self, texts, parts, pooling):
        import numpy
        import torch

        features, rows = self.read(texts)
        mask = features["attention_mask"].bool().cpu()
        with torch.no_grad():
            states = self.states(features)
            pooled = [pooling({**features, "token_embeddings": state})["sentence_embedding"] for state in states]
        found = [[] for _ in texts]
        for state, whole in zip(states, pooled):
            state, whole = state.float().cpu(), whole.float().cpu()
            for text, row in enumerate(rows):
                n = len(row.spans)
                if n >= parts:
                    own = state[text][mask[text]][row.first :][:n].double()
                    means = [own[part * n // parts : (part + 1) * n // parts].mean(0).float() for part in range(parts)]
                    found[text].append(torch.stack([whole[text], *means]).numpy())
        return [(row, numpy.stack(own) if own else numpy.zeros((0, 0), "float32")) for row, own in zip(rows, found)]

    @contextlib.contextmanager
    def giving_states(self):
        config = self.transformer.config
        usual = config.output_hidden_states
        config.output_hidden_states = True
        try:
            yield
        finally:
            config.output_hidden_states = usual

    def states(self, features):
        """Returns the hidden states that the transformer gives: the embeddings, then the output of each layer."""
        states = self.model[0](dict(features)).get("all_layer_embeddings")
        if states is None:
            raise SystemExit(f"{type(self.transformer).__name__} does not give the states of its layers")
        return states

    def randomise(self, request):
        """Draws the transformer's weights anew: matrices, tables included, normal with their own deviation; norms 1, biases 0.

        One generator fills the matrices row by row, in the order of their names.
        """
        import numpy
        import torch

        generator = numpy.random.default_rng(request["seed"])
        if not hasattr(self, "deviations"):
            self.deviations = {
                name: weight.double().std(correction=0).item()
                for name, weight in self.transformer.named_parameters()
                if weight.ndim == 2
            }
        owners = dict(self.transformer.named_modules())
        with torch.no_grad():
            for name, weight in sorted(self.transformer.named_parameters()):
                if name in self.deviations:
                    drawn = self.deviations[name] * generator.standard_normal(tuple(weight.shape))
                    weight.copy_(torch.from_numpy(drawn).to(weight.dtype))
                else:
                    # Norms of Gemma multiply by 1 and their weight.
                    is_shift = type(owners[name.rpartition(".")[0]]).__name__.startswith("Gemma")
                    weight.fill_(0 if is_shift or not name.endswith("weight") else 1)
        return None, {"generator": "numpy.random.default_rng (PCG64), standard_normal"}

    def contributions(self, request):
        """Parts of the vector of each text, one for each token of its row, which sum to it: DecompX, arXiv:2306.02873."""
        self.model.requires_grad_(False).eval()
        rows, parts = zip(*(self.contributions_of(text, request) for text in request["texts"]))
        header = {"pieces": [row.pieces for row in rows], "first": [row.first for row in rows]}
        return self.answered(rows, parts, header)

    def contributions_of(self, text, request):
        features = self.features([text], request["role"])
        (row,) = self.rows(features, [text], request["role"])
        return row, decompx.parts(self, features, request["biases"])


def threaded(work, items):
    """Returns what a function gives for each item, one item a thread: threads within an item would wait for each other."""
    import torch

    threads = torch.get_num_threads()
    try:
        with concurrent.futures.ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            return list(pool.map(work, items))
    finally:
        torch.set_num_threads(threads)


class Row:
    """A text's tokens as a model reads them.

    first is the place of the text's first token in the row, spans has the characters of each of the text's tokens.
    """

    def __init__(self, encoding, ids, prompt):
        special = encoding.special_tokens_mask
        before = special.index(0) if 0 in special else len(special)
        after = special[::-1].index(0) if 0 in special else 0
        count = len(ids) - before - after
        whole = encoding.ids
        if count < 0 or ids != whole[: before + count] + whole[len(whole) - after :]:
            raise SystemExit("the tokens that the model reads are not those of its tokenizer, or it leaves out the beginning")
        offsets = encoding.offsets[before : before + count]
        prompted = 0
        while prompt and prompted < count and offsets[prompted][1] <= prompt:
            prompted += 1
        self.first = before + prompted
        # A token may begin with the prompt's last space.
        self.spans = [[max(0, start - prompt), max(0, start - prompt, end - prompt)] for start, end in offsets[prompted:]]
        self.cut = count < len(whole) - before - after
        self.pieces = encoding.tokens[: before + count] + encoding.tokens[len(whole) - after :]
