"""The torch modules that scripts/export_onnx.py exports, and what it loads them with.

This file imports torch when it is imported; export_onnx.py imports it only when an export begins. Every module takes
input_ids and attention_mask as int64 [batch, sequence] and gives one float32 tensor. Rows may be padded on either side:
positions, the first token and the last token are always counted from the mask.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional


# Masks and positions


def first_valid(mask: Tensor) -> Tensor:
    """Index of the first 1 in every row."""
    length = mask.shape[1]
    return length - (mask * (length - torch.arange(length, device=mask.device))).amax(dim=1)


def last_valid(mask: Tensor) -> Tensor:
    """Index of the last 1 in every row."""
    return (mask * torch.arange(mask.shape[1], device=mask.device)).amax(dim=1)


def positions_of(mask: Tensor) -> Tensor:
    """Position of every token, counted from the first valid one; 0 in the padding before it."""
    return (mask.cumsum(dim=1) - 1).clamp(min=0)


def attention_bias(mask: Tensor, dtype: torch.dtype, causal: bool) -> Tensor:
    """[batch, 1, sequence, sequence]: 0 where a token may look, the least number elsewhere.

    Decoders of transformers take such a mask as it is, so that the direction of attention is decided here. Every token may
    look at itself: a row of padding that sees nothing would give NaN.
    """
    place = torch.arange(mask.shape[1], device=mask.device)
    allowed = (mask > 0)[:, None, None, :]
    if causal:
        allowed = allowed & (place[None, :] <= place[:, None])[None, None]
    allowed = allowed | (place[None, :] == place[:, None])[None, None]
    zero = torch.zeros((), dtype=dtype, device=mask.device)
    return torch.where(allowed, zero, torch.full_like(zero, torch.finfo(dtype).min))


def at(hidden: Tensor, index: Tensor) -> Tensor:
    """The vector of every row at that row's index."""
    return hidden.gather(1, index.view(-1, 1, 1).expand(-1, 1, hidden.shape[2])).squeeze(1)


def pool(hidden: Tensor, attention: Tensor, counted: Tensor, how: str) -> Tensor:
    """One float32 vector per row: cls and last by the attention mask, mean and max over the tokens counted."""
    if how == "cls":
        return at(hidden, first_valid(attention)).float()
    if how == "last":
        return at(hidden, last_valid(attention)).float()
    if how == "mean":
        kept = (counted > 0).unsqueeze(-1)
        hidden = hidden.float()
        total = torch.where(kept, hidden, torch.zeros_like(hidden)).sum(dim=1)
        return total / counted.sum(dim=1, keepdim=True).clamp(min=1).float()
    if how == "max":
        kept = (counted > 0).unsqueeze(-1)
        return torch.where(kept, hidden.float(), torch.full_like(hidden.float(), float("-inf"))).amax(dim=1)
    raise ValueError(f"unknown pooling {how}")


# Token vectors: one class per way of calling a model


class Tokens(nn.Module):
    """Models that make their own mask of the plain one; positions are given where a model would count padding on the left."""

    def __init__(self, model: nn.Module, positions: bool) -> None:
        super().__init__()
        self.model, self.positions = model, positions

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        more = {"position_ids": positions_of(attention_mask)} if self.positions else {}
        return self.model(input_ids=input_ids, attention_mask=attention_mask, return_dict=True,
                          **more).last_hidden_state


class FullTokens(nn.Module):
    """Decoders under a mask without direction, which is made here: they take a mask of four axes as it is."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.dtype = next(model.parameters()).dtype

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return self.model(input_ids=input_ids, attention_mask=attention_bias(attention_mask, self.dtype, False),
                          position_ids=positions_of(attention_mask), return_dict=True).last_hidden_state


class LongformerTokens(nn.Module):
    """Longformer with global attention on the first valid token.

    Its own code cuts attention into chunks and picks tokens by number, which no exporter follows for every length. Here
    each layer has one matrix of tokens by tokens: the first token's row is global, the others see their window and it.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.least = torch.finfo(next(model.parameters()).dtype).min

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        hidden = self.model.embeddings(input_ids=input_ids, token_type_ids=torch.zeros_like(input_ids))
        place, start = torch.arange(input_ids.shape[1], device=input_ids.device), first_valid(attention_mask)
        first = place[None, :] == start[:, None]
        far = (place[None, :] - place[:, None]).abs()[None, None]
        padding = (attention_mask == 0)[:, None, None, :] & (far > 0)
        for layer in self.model.encoder.layer:
            own = layer.attention.self
            outside = padding | (far > own.one_sided_attn_window_size) & ~first[:, None, None, :]
            scores = self._scores(own, own.query(hidden), own.key(hidden)).masked_fill(outside, self.least)
            everywhere = self._scores(own, own.query_global(at(hidden, start))[:, None], own.key_global(hidden))
            everywhere = everywhere.masked_fill((attention_mask == 0)[:, None, None, :], self.least)
            shares = torch.where(first[:, None, :, None], everywhere, scores).softmax(dim=-1)
            seen = torch.matmul(shares, self._heads(own, own.value(hidden))).transpose(1, 2).flatten(2)
            row = shares.gather(2, start.view(-1, 1, 1, 1).expand(-1, shares.shape[1], 1, shares.shape[3]))
            whole = torch.matmul(row, self._heads(own, own.value_global(hidden))).transpose(1, 2).flatten(2)
            seen = layer.attention.output(torch.where(first[:, :, None], whole, seen), hidden)
            hidden = layer.output(layer.intermediate(seen), seen)
        return hidden

    def _scores(self, layer: Any, query: Tensor, key: Tensor) -> Tensor:
        product = torch.matmul(self._heads(layer, query), self._heads(layer, key).transpose(2, 3))
        return product * layer.head_dim ** -0.5

    def _heads(self, layer: Any, vectors: Tensor) -> Tensor:
        return vectors.unflatten(2, (layer.num_heads, layer.head_dim)).transpose(1, 2)


class JinaTokens(nn.Module):
    """jina-embeddings-v4: the language model alone; the three axes of its positions are equal for text."""

    def __init__(self, language_model: nn.Module) -> None:
        super().__init__()
        self.model = language_model
        self.dtype = next(language_model.parameters()).dtype

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        place = positions_of(attention_mask).unsqueeze(0).expand(3, -1, -1)
        return self.model(input_ids=input_ids, attention_mask=attention_bias(attention_mask, self.dtype, True),
                          position_ids=place, use_cache=False, return_dict=True).last_hidden_state


# What comes out


class HiddenStates(nn.Module):
    """[batch, sequence, dimension], through a linear layer when there is one (ColBERT)."""

    def __init__(self, tokens: nn.Module, head: Optional[nn.Module] = None) -> None:
        super().__init__()
        self.tokens, self.head = tokens, head

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        hidden = self.tokens(input_ids, attention_mask).float()
        return hidden if self.head is None else self.head(hidden)


class Pooled(nn.Module):
    """[batch, dimension]: pooling, dense head and L2 norm inside the graph."""

    def __init__(self, tokens: nn.Module, how: str, head: Optional[nn.Module], normalise: bool) -> None:
        super().__init__()
        self.tokens, self.how, self.head, self.normalise = tokens, how, head, normalise

    def forward(self, input_ids: Tensor, attention_mask: Tensor, pool_mask: Optional[Tensor] = None) -> Tensor:
        counted = attention_mask if pool_mask is None else pool_mask * attention_mask
        vector = pool(self.tokens(input_ids, attention_mask), attention_mask, counted, self.how)
        vector = vector if self.head is None else self.head(vector)
        return functional.normalize(vector, dim=-1) if self.normalise else vector


class NvEmbed(nn.Module):
    """NV-Embed-v2: latent attention over every token, then the mean over pool_mask.

    The latents are the same for every row, so they need no repeating, and no einops, which a trace would freeze.
    """

    def __init__(self, model: nn.Module, normalise: bool) -> None:
        super().__init__()
        self.tokens = Tokens(model.embedding_model, positions=False)
        latent = model.latent_attention_model
        self.latents, self.normalise = latent.latents, normalise
        self.attend, self.feed = latent.cross_attend_blocks

    def forward(self, input_ids: Tensor, attention_mask: Tensor, pool_mask: Tensor) -> Tensor:
        hidden = self.tokens(input_ids, attention_mask)
        hidden = self._cross(hidden) + hidden
        hidden = self.feed(hidden) + hidden
        vector = pool(hidden, attention_mask, pool_mask * attention_mask, "mean")
        return functional.normalize(vector, dim=-1) if self.normalise else vector

    def _cross(self, hidden: Tensor) -> Tensor:
        layer = self.attend.fn
        context = self.latents if self.attend.norm_context is None else self.attend.norm_context(self.latents)
        batch, length, _ = hidden.shape
        query = layer.to_q(self.attend.norm(hidden)).reshape(batch, length, layer.heads, -1).transpose(1, 2)
        key, value = (part.reshape(context.shape[0], layer.heads, -1).transpose(0, 1)
                      for part in layer.to_kv(context).chunk(2, dim=-1))
        weights = torch.matmul(query, key.transpose(-1, -2)) * query.shape[-1] ** -0.5
        seen = torch.matmul(weights.softmax(dim=-1), value)
        return layer.to_out(seen.transpose(1, 2).flatten(2))


class CrossEncoder(nn.Module):
    """[batch, labels]: the logits of a sequence classifier, which reads the first place: padding is moved behind the tokens."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Optional[Tensor] = None) -> Tensor:
        length = input_ids.shape[1]
        place = torch.arange(length, device=input_ids.device) + first_valid(attention_mask)[:, None]
        place = torch.where(place < length, place, place - length)
        more = {} if token_type_ids is None else {"token_type_ids": token_type_ids.gather(1, place)}
        return self.model(input_ids=input_ids.gather(1, place), attention_mask=attention_mask.gather(1, place),
                          return_dict=True, **more).logits.float()


class YesNo(nn.Module):
    """[batch, 2] in the order (no, yes), or [batch, 1] for yes alone: logits after the last valid token.

    Only those rows of the language model's head are kept, so the whole vocabulary is never computed.
    """

    def __init__(self, tokens: nn.Module, head: nn.Linear, token_ids: Sequence[int],
                 soft_cap: Optional[float] = None) -> None:
        super().__init__()
        self.tokens, self.soft_cap = tokens, soft_cap
        rows = list(token_ids)
        self.weight = nn.Parameter(head.weight.detach()[rows].float().clone(), requires_grad=False)
        self.bias = None if head.bias is None else nn.Parameter(head.bias.detach()[rows].float().clone(),
                                                                requires_grad=False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        hidden = at(self.tokens(input_ids, attention_mask), last_valid(attention_mask)).float()
        logits = functional.linear(hidden, self.weight, self.bias)
        return logits if self.soft_cap is None else torch.tanh(logits / self.soft_cap) * self.soft_cap


# Changes to models before they are exported


class NoRotary(nn.Module):
    """In place of a rotary embedding: cosine 1 and sine 0 turn nothing."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, hidden: Tensor, position_ids: Tensor) -> Tuple[Tensor, Tensor]:
        like = hidden.new_ones(1).expand(position_ids.shape[0], position_ids.shape[1], self.size)
        return like, like * 0


def merge_adapter(model: nn.Module, task: str) -> int:
    """Adds one task's low-rank weights to the layers they belong to and takes the adapters out; how many there were."""
    merged = 0
    for parent in list(model.modules()):
        for name, layer in list(parent.named_children()):
            if hasattr(layer, "lora_A") and hasattr(layer, "base_layer"):
                _merge(layer, task)
                setattr(parent, name, layer.base_layer)
                merged += 1
    return merged


def _merge(layer: Any, task: str) -> None:
    for adapter in layer.lora_A:
        down, up = layer.lora_A[adapter], layer.lora_B[adapter]
        if isinstance(down, nn.ModuleDict):
            if task not in down:
                raise KeyError(f"no adapter for the task {task}; there are {', '.join(down)}")
            down, up = down[task], up[task]
        change = layer.scaling[adapter] * (up.weight.float() @ down.weight.float())
        weight = layer.base_layer.weight
        weight.data = (weight.data.float() + change).to(weight.dtype)


def linear_of(state: Dict[str, Tensor], weight: str, bias: Optional[str], activation: str) -> nn.Module:
    """A linear layer of stored weights, with tanh after it if asked."""
    matrix = state[weight].float()
    layer = nn.Linear(matrix.shape[1], matrix.shape[0], bias=bias is not None)
    layer.weight.data = matrix
    if bias is not None:
        layer.bias.data = state[bias].float()
    layer.requires_grad_(False)
    return nn.Sequential(layer, nn.Tanh()) if activation == "tanh" else layer


# What the check compares with: the model as its authors run it, one text, no padding


def plain_hidden(model: nn.Module, ids: List[int], device: str, **more: Any) -> Tensor:
    """The final hidden states of one text, [tokens, dimension]."""
    row = torch.tensor([ids], device=device)
    with torch.no_grad():
        return model(input_ids=row, attention_mask=torch.ones_like(row), return_dict=True,
                     **more).last_hidden_state[0].float()


def plain_pool(hidden: Tensor, how: str) -> Tensor:
    """Pooling of one unpadded text."""
    return {"cls": hidden[0], "last": hidden[-1], "mean": hidden.mean(dim=0), "max": hidden.amax(dim=0)}[how]
