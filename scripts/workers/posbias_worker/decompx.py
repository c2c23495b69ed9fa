"""Decomposition of vectors by token: DecompX (Modarressi et al. 2023, arXiv:2306.02873).

Each hidden state is a sum of parts, one for each source token. Layers are linearised at the hidden state: attention weights and
the deviations of norms are constants, and GELU is the slope Phi(x) through the origin. A bias belongs to no token and is shared
among the parts, by its absolute inner product with each (absdot) or equally.
"""
import math

FAMILIES = ("Bert", "Roberta", "XLMRoberta")
# Numbers of a block in its widest step, 16 MB.
BLOCK = 1 << 22


def parts(inside, features, biases):
    """Returns the parts of a text's vector: (tokens, dimension). The features are of this text alone."""
    import torch

    bert = fit(inside)
    weights = pooled(inside, features)
    with torch.no_grad():
        found = Propagation(bert, watched(inside, bert, features), biases).run(weights)
        for dense in (part for part in inside.model if type(part).__name__ == "Dense"):
            found = found @ dense.linear.weight.T
            if dense.linear.bias is not None:
                found = found + share(found @ dense.linear.bias, biases)[:, None] * dense.linear.bias
        if any(type(part).__name__ == "Normalize" for part in inside.model) or (
            (inside.model.similarity_fn_name or "cosine") == "cosine"
        ):
            found = found / found.sum(0).norm().clamp(min=torch.finfo(found.dtype).tiny)
    return found.cpu().numpy()


def fit(inside):
    """Returns the transformer, if its vectors can be decomposed."""
    import torch

    bert, names = inside.transformer, [type(part).__name__ for part in inside.model]
    wrong = None
    if type(bert).__name__ not in [f"{family}Model" for family in FAMILIES]:
        wrong = f"the model is a {type(bert).__name__}"
    elif bert.config.hidden_act != "gelu":
        wrong = f"the model's activation function is {bert.config.hidden_act}"
    elif bert.dtype != torch.float32:
        wrong = f"the model computes in {str(bert.dtype).removeprefix('torch.')}"
    elif names[:2] != ["Transformer", "Pooling"] or set(names[2:]) - {"Dense", "Normalize"} or "Normalize" in names[2:-1]:
        wrong = f"the model's modules are {', '.join(names)}"
    elif "max" in inside.pooling_name():
        wrong = "the model pools by maximum"
    elif any(type(part).__name__ == "Dense" and not isinstance(part.activation_function, torch.nn.Identity) for part in inside.model):
        wrong = "the model has a head that is not linear"
    if wrong:
        raise SystemExit(
            f"{wrong}: DecompX takes BERT and RoBERTa in float32, with pooling cls, mean or last and no head that is not linear"
        )
    return bert


def pooled(inside, features):
    """Returns the weight of each token in the pooled vector, by pooling the unit vectors: (tokens)."""
    import torch

    units = torch.eye(features["input_ids"].shape[1], device=inside.model.device)
    return inside.pooling({**features, "token_embeddings": units[None]})["sentence_embedding"][0]


def watched(inside, bert, features):
    """Runs the model and returns what each layer computes: its attention weights, and the inputs of its norms and of GELU."""
    import torch

    first, layers, handles = [], [{} for _ in bert.encoder.layer], []

    def keep(store, name, module, of_input=False, index=None):
        def hook(module, given, out):
            value = given[0] if of_input else out
            store[name] = (value if index is None else value[index])[0].detach()

        handles.append(module.register_forward_hook(hook))

    handles.append(bert.embeddings.register_forward_hook(lambda module, given, out: first.append(out[0].detach())))
    for store, layer in zip(layers, bert.encoder.layer):
        keep(store, "attention", layer.attention.self, index=1)
        keep(store, "mixed", layer.attention.output.LayerNorm, of_input=True)
        keep(store, "inner", layer.intermediate.dense)
        keep(store, "summed", layer.output.LayerNorm, of_input=True)
    usual = bert.config._attn_implementation
    bert.set_attn_implementation("eager")
    try:
        with torch.no_grad():
            inside.model[0](dict(features))
    finally:
        bert.set_attn_implementation(usual)
        for handle in handles:
            handle.remove()
    return first[0], layers


def share(products, biases):
    """Returns the share of each part in a bias, by the last dimension of their inner products; shares sum to 1."""
    import torch

    if biases == "equal":
        return torch.full_like(products, 1 / products.shape[-1])
    sizes = products.abs()
    # A bias orthogonal to every part is shared equally.
    sizes = sizes + (sizes.sum(-1, keepdim=True) == 0).to(sizes.dtype)
    return sizes / sizes.sum(-1, keepdim=True)


class Propagation:
    """Propagates parts through the layers, with one copy of (tokens, tokens, width) numbers.

    Attention mixes rows and no sources, so it goes in blocks of sources; all else keeps rows apart, and goes in blocks of rows,
    where every source of a row is present, as shares of biases need.
    """

    def __init__(self, bert, watched, biases):
        import torch

        self.layers, self.biases = bert.encoder.layer, biases
        state, self.watched = watched
        self.tokens, width = state.shape
        self.rows = max(1, BLOCK // (self.tokens * self.layers[0].intermediate.dense.out_features))
        self.sources = max(1, BLOCK // (self.tokens * width))
        # (rows, sources, width)
        self.parts = torch.zeros(self.tokens, self.tokens, width, device=state.device)
        self.parts[range(self.tokens), range(self.tokens)] = state

    def run(self, weights):
        """Returns the sum of the last rows by their weights: (sources, width)."""
        import torch

        rows = torch.arange(self.tokens)
        for layer, own in zip(self.layers, self.watched):
            if layer is self.layers[-1]:
                rows = weights.nonzero()[:, 0].cpu()
            self.attention(layer, own["attention"][:, rows], rows)
            for at in range(0, len(rows), self.rows):
                block = slice(at, at + self.rows)
                self.rest(layer, own, self.parts[block], rows[block])
        return torch.einsum("r,rsw->sw", weights[rows], self.parts)

    def attention(self, layer, weights, rows):
        """Mixes values by attention weights, (heads, rows, tokens), and adds the residual, without biases."""
        value, output = layer.attention.self.value.weight, layer.attention.output.dense.weight
        heads = weights.shape[0]
        mixed = self.parts if len(rows) == self.tokens else self.parts.new_empty(len(rows), *self.parts.shape[1:])
        for at in range(0, self.tokens, self.sources):
            own = self.parts[:, at : at + self.sources]
            sources = own.shape[1]
            # (heads, tokens, sources x size), for one product a head
            values = (own @ value.T).view(self.tokens, sources, heads, -1).permute(2, 0, 1, 3).flatten(2)
            joined = (weights @ values).view(heads, len(rows), sources, -1).permute(1, 2, 0, 3).flatten(2)
            if mixed is self.parts:
                own += joined @ output.T
            else:
                mixed[:, at : at + self.sources] = own[rows] + joined @ output.T
        self.parts = mixed

    def rest(self, layer, own, block, rows):
        """Adds the biases of attention to a block of rows, and applies the norms and the feed-forward network, in place."""
        import torch

        # Weights sum to 1, so that the values' bias passes through attention and is one with that of its output.
        output = layer.attention.output
        self.biased(block, output.dense.bias + output.dense.weight @ layer.attention.self.value.bias)
        self.norm(block, output.LayerNorm, own["mixed"][rows])
        inner, outer = layer.intermediate.dense, layer.output.dense
        slope = (torch.erf(own["inner"][rows] / math.sqrt(2)) + 1) / 2
        # By the inner products in the inner space; what a share becomes behind the slope is the same for all parts of a row.
        shares = share(block @ (inner.weight.T @ inner.bias), self.biases)
        fed = (block @ inner.weight.T).mul_(slope[:, None]) @ outer.weight.T
        fed.addcmul_(shares[..., None], ((slope * inner.bias) @ outer.weight.T)[:, None])
        # By the output itself: the residual has no part in it.
        self.biased(fed, outer.bias)
        block += fed
        self.norm(block, layer.output.LayerNorm, own["summed"][rows])

    def norm(self, block, norm, whole):
        deviation = (whole.var(-1, correction=0) + norm.eps).sqrt()
        block -= block.mean(-1, keepdim=True)
        block *= (norm.weight / deviation[:, None])[:, None]
        self.biased(block, norm.bias)

    def biased(self, block, bias):
        block.addcmul_(share(block @ bias, self.biases)[..., None], bias)
