"""Tests of the traced modules with tiny random ones; skipped without torch (Debian: apt-get install python3-torch)."""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed")

from torch import nn  # noqa: E402

import export_wrappers as wrappers  # noqa: E402

LEFT = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
RIGHT = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])


class TinyDecoder(nn.Module):
    """One layer of attention with learned positions that takes a 4-D mask as transformers' decoders do."""

    def __init__(self, size=8, words=40):
        super().__init__()
        torch.manual_seed(7)
        self.words, self.places = nn.Embedding(words, size), nn.Embedding(64, size)
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))

    def forward(self, input_ids, attention_mask, position_ids, use_cache=False, return_dict=True):
        hidden = self.words(input_ids) + self.places(position_ids)
        scores = self.query(hidden) @ self.key(hidden).transpose(1, 2) + attention_mask[:, 0]
        return SimpleNamespace(last_hidden_state=hidden + scores.softmax(-1) @ self.value(hidden))


class TinyEncoder(TinyDecoder):
    """The same with a plain mask."""

    def forward(self, input_ids, attention_mask, position_ids, return_dict=True):
        bias = wrappers.attention_bias(attention_mask, torch.float32, False)
        return super().forward(input_ids, bias, position_ids)


class TinyCausal(TinyDecoder):
    """A decoder with a plain mask, which makes its own."""

    def forward(self, input_ids, attention_mask, position_ids, return_dict=True):
        bias = wrappers.attention_bias(attention_mask, torch.float32, True)
        return super().forward(input_ids, bias, position_ids)


class TinyClassifier(TinyEncoder):
    """Reads the first place, as BERT's does; positions are counted from it."""

    def forward(self, input_ids, attention_mask, return_dict=True):
        place = torch.arange(input_ids.shape[1]).expand_as(input_ids)
        return SimpleNamespace(logits=super().forward(input_ids, attention_mask, place).last_hidden_state[:, 0])


class LatentAttention(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads = heads
        self.to_q, self.to_kv = nn.Linear(size, 2 * size, bias=False), nn.Linear(size, 4 * size, bias=False)
        self.to_out = nn.Linear(2 * size, size, bias=False)


class TinyNvEmbed(nn.Module):
    """The parts of NV-Embed-v2 that its wrapper touches."""

    def __init__(self, size=8):
        super().__init__()
        self.embedding_model = TinyPlain(size)
        latent = nn.Module()
        latent.latents = nn.Parameter(torch.randn(6, size))
        attend, feed = nn.Module(), nn.Sequential(nn.LayerNorm(size), nn.Linear(size, size))
        attend.fn, attend.norm, attend.norm_context = LatentAttention(size, 2), nn.LayerNorm(size), nn.LayerNorm(size)
        latent.cross_attend_blocks = nn.ModuleList([attend, feed])
        self.latent_attention_model = latent


class TinyPlain(TinyDecoder):
    def forward(self, input_ids, attention_mask, return_dict=True):
        bias = wrappers.attention_bias(attention_mask, torch.float32, False)
        return super().forward(input_ids, bias, wrappers.positions_of(attention_mask))


def padded(side):
    """Rows of 3 and 5 tokens, padded on a side; and the mask."""
    rows = {"left": [[0, 0, 5, 6, 7], [9, 8, 7, 6, 5]], "right": [[5, 6, 7, 0, 0], [9, 8, 7, 6, 5]]}[side]
    return torch.tensor(rows), {"left": LEFT, "right": RIGHT}[side]


ALONE = torch.tensor([[5, 6, 7]]), torch.ones(1, 3, dtype=torch.int64)


class Masks(unittest.TestCase):
    def test_first_and_last_valid_positions(self):
        self.assertEqual([2, 0], wrappers.first_valid(LEFT).tolist())
        self.assertEqual([4, 4], wrappers.last_valid(LEFT).tolist())
        self.assertEqual([0, 0], wrappers.first_valid(RIGHT).tolist())
        self.assertEqual([2, 4], wrappers.last_valid(RIGHT).tolist())

    def test_positions(self):
        self.assertEqual([0, 0, 0, 1, 2], wrappers.positions_of(LEFT)[0].tolist())
        self.assertEqual([0, 1, 2], wrappers.positions_of(RIGHT)[0].tolist()[:3])

    def test_who_may_look_where(self):
        def seen(mask, causal):
            return (wrappers.attention_bias(mask, torch.float32, causal)[0, 0] == 0).int().tolist()

        self.assertEqual([[1, 0, 0], [1, 1, 0], [1, 1, 1]], seen(torch.tensor([[1, 1, 0]]), True)[:2]
                         + seen(torch.tensor([[1, 1, 1]]), True)[2:])
        self.assertEqual([[1, 1, 1], [0, 1, 1], [0, 1, 1]], seen(torch.tensor([[0, 1, 1]]), False))

    def test_half_precision_gives_no_nan_in_padding(self):
        bias = wrappers.attention_bias(LEFT, torch.float16, True).float()
        self.assertTrue(torch.isfinite((bias - 5).half().float().softmax(-1)).all())

    def test_pooling_leaves_out_nan_in_padding(self):
        hidden = torch.arange(20.0).reshape(2, 5, 2)
        hidden[0, :2] = float("nan")
        self.assertEqual([[6.0, 7.0], [14.0, 15.0]], wrappers.pool(hidden, LEFT, LEFT, "mean").tolist())
        self.assertEqual([[4.0, 5.0], [10.0, 11.0]], wrappers.pool(hidden, LEFT, LEFT, "cls").tolist())
        self.assertEqual([[8.0, 9.0], [18.0, 19.0]], wrappers.pool(hidden, LEFT, LEFT, "last").tolist())
        self.assertEqual([[8.0, 9.0], [18.0, 19.0]], wrappers.pool(hidden, LEFT, LEFT, "max").tolist())


class Modules(unittest.TestCase):
    def same_on_both_sides(self, module):
        with torch.no_grad():
            alone = module(*ALONE)[0]
            for side in ("left", "right"):
                torch.testing.assert_close(module(*padded(side))[0], alone)

    def test_padding_changes_nothing(self):
        for how in ("cls", "mean", "max", "last"):
            for tokens in (wrappers.Tokens(TinyCausal(), True), wrappers.FullTokens(TinyDecoder()),
                           wrappers.Tokens(TinyEncoder(), True)):
                with self.subTest(how=how, tokens=type(tokens).__name__):
                    self.same_on_both_sides(wrappers.Pooled(tokens, how, None, True))

    def test_a_classifier_that_reads_the_first_place(self):
        self.same_on_both_sides(wrappers.CrossEncoder(TinyClassifier()))

    def test_causal_and_full(self):
        ids, other = torch.tensor([[5, 6, 7]]), torch.tensor([[5, 6, 8]])
        for causal in (True, False):
            tokens = wrappers.HiddenStates(wrappers.Tokens(TinyCausal(), True) if causal else wrappers.FullTokens(TinyDecoder()))
            first = [tokens(row, ALONE[1])[0, 0] for row in (ids, other)]
            self.assertEqual(causal, torch.equal(*first))

    def test_yes_and_no(self):
        head = nn.Linear(8, 40)
        tokens = wrappers.Tokens(TinyCausal(), True)
        both = wrappers.YesNo(tokens, head, [11, 3])
        self.same_on_both_sides(both)
        full = head(tokens(*ALONE)[0, -1])
        torch.testing.assert_close(both(*ALONE)[0], full[[11, 3]])
        torch.testing.assert_close(wrappers.YesNo(tokens, head, [3])(*ALONE)[0], full[[3]])
        capped = wrappers.YesNo(tokens, head, [3], soft_cap=2.0)(*ALONE)[0]
        torch.testing.assert_close(capped, torch.tanh(full[[3]] / 2) * 2)

    def test_a_head_before_the_norm(self):
        state = {"w": torch.randn(4, 8), "b": torch.randn(4)}
        head = wrappers.linear_of(state, "w", "b", "tanh")
        tokens = wrappers.Tokens(TinyCausal(), True)
        vector = wrappers.Pooled(tokens, "mean", head, True)(*ALONE)[0]
        expected = torch.tanh(state["w"] @ tokens(*ALONE)[0].mean(0) + state["b"])
        torch.testing.assert_close(vector, expected / expected.norm())
        self.assertEqual((1, 3, 4), tuple(wrappers.HiddenStates(tokens, wrappers.linear_of(state, "w", None, "none"))(
            *ALONE).shape))

    def test_nv_embed_pools_over_its_mask(self):
        model = TinyNvEmbed()
        module = wrappers.NvEmbed(model, False)
        with torch.no_grad():
            alone = module(*ALONE, ALONE[1])[0]
            for side in ("left", "right"):
                ids, mask = padded(side)
                torch.testing.assert_close(module(ids, mask, mask)[0], alone)
            counted = module(*ALONE, torch.tensor([[0, 1, 1]]))[0]
            torch.testing.assert_close(counted, self.nv_embed_by_loops(model, [0, 1, 1]))

    def nv_embed_by_loops(self, model, counted):
        """The same, head by head."""
        latent = model.latent_attention_model
        attend, feed = latent.cross_attend_blocks
        hidden = model.embedding_model(*ALONE).last_hidden_state[0]
        query = attend.fn.to_q(attend.norm(hidden))
        key, value = attend.fn.to_kv(attend.norm_context(latent.latents)).chunk(2, -1)
        parts = []
        for one in range(2):
            part = slice(8 * one, 8 * one + 8)
            parts.append((query[:, part] @ key[:, part].T / 8 ** 0.5).softmax(-1) @ value[:, part])
        hidden = attend.fn.to_out(torch.cat(parts, -1)) + hidden
        hidden = feed(hidden) + hidden
        return hidden[[index for index, flag in enumerate(counted) if flag]].mean(0)

    def test_no_rotary(self):
        cosine, sine = wrappers.NoRotary(4)(torch.zeros(2, 3, 8), torch.zeros(2, 3, dtype=torch.int64))
        self.assertEqual((2, 3, 4), tuple(cosine.shape))
        self.assertTrue((cosine == 1).all() and (sine == 0).all())

    def test_adapters_are_merged(self):
        for tasks in (True, False):
            layer = nn.Module()
            down, up = nn.Linear(3, 2, bias=False), nn.Linear(2, 4, bias=False)
            layer.base_layer, layer.scaling = nn.Linear(3, 4), {"default": 0.5}
            layer.lora_A = nn.ModuleDict({"default": nn.ModuleDict({"retrieval": down}) if tasks else down})
            layer.lora_B = nn.ModuleDict({"default": nn.ModuleDict({"retrieval": up}) if tasks else up})
            model, hidden = nn.Sequential(layer), torch.randn(5, 3)
            expected = layer.base_layer(hidden) + 0.5 * up(down(hidden))
            self.assertEqual(1, wrappers.merge_adapter(model, "retrieval"))
            torch.testing.assert_close(model(hidden), expected)


if __name__ == "__main__":
    unittest.main()
