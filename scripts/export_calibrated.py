"""Attention calibration of an ONNX graph, for scripts/export_onnx.py --calibrated.

The tokens that become a text's vector attend as much to the text's end as to its beginning, without training: Schuhmacher et al. 2026,
arXiv:2601.16934, with a strength by Michail et al. 2026, arXiv:2606.02737.

Let a(1) ... a(n) be what a source token attends to each of a text's n tokens in one head of one layer; they sum to 1. The tokens are in
baskets of `basket` tokens in the text's order; the last may be shorter. With m(k) the sum of a over basket k, and K the number of baskets
that have any attention, each basket gets the same and keeps its proportions:

    a'(i) = a(i) / m(k) / K          for token i of basket k; 0 where m(k) = 0
    a"(i) = strength x a'(i) + (1 - strength) x a(i)

    pooling   source tokens                 tokens that are a basket by themselves
    cls       the first one                 the first one
    last      the last one                  the first and the last one
    mean      all, since all are pooled     none

The layer goes on with a" in the rows of the source tokens; other rows stay. That is done in all heads of the last
ceil(layers x number of layers) layers. A text whose other tokens fit into one basket is left as it is, as short queries are; padding is
in no basket. The authors' code (github.com/impresso/fair-sentence-transformers) has the same sources and baskets by pooling. It differs in
one length: with cls it calibrates a text whose content fills one basket exactly, and by that would give half of the attention to the first
token.

Attention is found by its form: a product of two computed matrices goes through pointwise operators into a softmax over the last of four
axes, which is multiplied by a computed matrix and transposed. Weights stay as they are, also those beside the graph.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, Callable, Dict, Iterable, List, Sequence, Set

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCES = ("cls", "last", "mean")
METADATA = "posbias.attention-calibration"  # checked by posbias's DenseEncoder
PREFIX = "posbias.calibration/"
MASK = "attention_mask"
LEAST_OPSET = 11  # GatherElements, CumSum
CASTS_LIKE = 15  # CastLike
SOFTMAX_OVER_LAST = 13  # by default
AXES = 4
SIXTEEN_BITS = (TensorProto.FLOAT16, TensorProto.BFLOAT16)
# Operators between a product and its softmax: scales, masks, biases, caps.
POINTWISE = {"Add", "Cast", "Clip", "Div", "Dropout", "Identity", "Max", "Min", "Mul", "Sub", "Tanh", "Where"}
# Operators between a softmax and the product with values; Where replaces rows that attend to nothing.
BEHIND = {"Cast", "Dropout", "Identity", "Where"}
ROUNDING = 1e-9  # keeps 0.1 of 30 layers at 3


@dataclass(frozen=True)
class Calibration:
    """What is done: pooling of SOURCES, tokens of a basket, strength above 0 up to 1, share of the layers above 0 up to 1."""

    pooling: str
    basket: int = 128
    strength: float = 0.5
    layers: float = 0.5

    @property
    def first(self) -> int:
        """Tokens at the beginning that are a basket by themselves."""
        return 0 if self.pooling == "mean" else 1

    @property
    def last(self) -> int:
        """The same at the end."""
        return int(self.pooling == "last")

    def first_layer(self, number: int) -> int:
        """The first calibrated layer, from 0."""
        return number - math.ceil(self.layers * number - ROUNDING)


def calibrate(model: onnx.ModelProto, calibration: Calibration) -> None:
    """Changes a graph in place; its metadata then say how. ValueError: why it cannot be changed."""
    softmaxes = attention_softmaxes(model)
    graph, tensors = model.graph, Tensors(PREFIX)
    shared = Shared(tensors, calibration)
    nodes, behind = tensors.take(), {}
    for layer in range(calibration.first_layer(len(softmaxes)), len(softmaxes)):
        output, tensors.prefix = softmaxes[layer].output[0], f"{PREFIX}{layer}."
        attention = softmaxes[layer].output[0] = tensors.prefix + "attention"
        shared.layer(attention, output, opset(model) >= CASTS_LIKE)
        behind[attention] = tensors.take()
    for node in graph.node:
        nodes += [node, *behind.get(node.output[0], ())]
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(kept)
    graph.initializer.extend(tensors.constants.values())
    helper.set_model_props(model, {**{one.key: one.value for one in model.metadata_props},
                                   METADATA: json.dumps(asdict(calibration))})


class Tensors:
    """Nodes and constants, by the names of what they give."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.nodes: List[onnx.NodeProto] = []
        self.constants: Dict[str, onnx.TensorProto] = {}

    def take(self) -> List[onnx.NodeProto]:
        """The nodes since the last call."""
        nodes, self.nodes = self.nodes, []
        return nodes

    def __call__(self, operator: str, *inputs: str, into: str = "", **attributes: Any) -> str:
        name = f"{self.prefix}{len(self.nodes)}-{operator}"
        self.nodes.append(helper.make_node(operator, inputs, [into or name], name=name, **attributes))
        return into or name

    def constant(self, value: Any, kind: type = numpy.int64) -> str:
        array = numpy.array(value, kind)
        name = f"{PREFIX}constant-{array.dtype}-{'x'.join(map(str, array.shape))}-{array.tolist()}".replace(" ", "")
        self.constants[name] = numpy_helper.from_array(array, name)
        return name


class Shared:
    """What all layers use: each token's basket as 0/1 matrices, the source token, the texts of several baskets."""

    def __init__(self, tensors: Tensors, calibration: Calibration) -> None:
        self.add, self.how, number = tensors, calibration, tensors.constant
        mask = tensors("Cast", MASK, to=TensorProto.INT64)
        counts = tensors("CumSum", mask, number(1))
        places = tensors("Mul", counts, mask)  # from 1, for padding on either side; padding has 0
        length = tensors("Gather", counts, number([-1]), axis=1)  # [rows, 1]
        self.source = "" if calibration.pooling == "mean" else self.column(mask, length)
        self.baskets(mask, places, length)
        content = tensors("Sub", length, number([calibration.first + calibration.last]))
        self.applies = tensors("Reshape", tensors("Less", number([calibration.basket]), content), number([-1, 1, 1, 1]))

    def column(self, mask: str, length: str) -> str:
        """The source token's index, [rows, 1, 1, 1]."""
        add, number = self.add, self.add.constant
        column = add("ArgMax", add("Cast", mask, to=TensorProto.FLOAT), axis=1, keepdims=1)
        if self.how.last:
            column = add("Sub", add("Add", column, length), number([1]))
        return add("Reshape", column, number([-1, 1, 1, 1]))

    def baskets(self, mask: str, places: str, length: str) -> None:
        """Each token's basket, from 0; -1 for padding. A separate last token is in the highest one."""
        add, number, first, basket = self.add, self.add.constant, self.how.first, self.how.basket
        before = add("Sub", places, number([1]))
        steps = add("Div", add("Sub", places, number([1 + first])), number([basket]))
        of = add("Where", add("Less", number([first]), places), add("Add", steps, number([first])), before)
        columns = add("Gather", add("Shape", mask), number(1), axis=0)
        many = add("Add", add("Div", columns, number(basket)), number(3))
        if self.how.last:
            of = add("Where", add("Equal", places, length), add("Sub", many, number(1)), of)
        numbers = add("Range", number(0), many, number(1))

        def matrix(tokens: List[int], over: List[int], kind: int) -> str:
            """[rows, 1, tokens, baskets] or turned."""
            return add("Cast", add("Equal", add("Reshape", of, number(tokens)), add("Reshape", numbers, number(over))), to=kind)

        self.tokens_by_baskets = matrix([0, 1, -1, 1], [1, 1, 1, -1], TensorProto.DOUBLE)
        self.baskets_by_tokens = matrix([0, 1, 1, -1], [1, 1, -1, 1], TensorProto.FLOAT)
        shape = add("Concat", add("Reshape", many, number([-1])), number([1]), axis=0)
        self.ones = add("Expand", number(1, numpy.float32), shape)

    def layer(self, attention: str, calibrated: str, casts: bool) -> None:
        """Calibrates a softmax's output, [rows, heads, columns, columns]. With casts it may have 16 bits."""
        add, number = self.add, self.add.constant
        rows = attention
        if self.source:
            shape = add("Shape", attention)
            heads, columns = add("Gather", shape, number([0, 1]), axis=0), add("Gather", shape, number([3]), axis=0)
            source = add("Expand", self.source, add("Concat", heads, number([1]), columns, axis=0))
            rows = add("GatherElements", attention, source, axis=2)
        mixed = self.mixed(add("Cast", rows, to=TensorProto.FLOAT))
        if casts:
            mixed = add("CastLike", mixed, attention)
        if self.source:
            add("ScatterElements", attention, source, mixed, into=calibrated, axis=2)
        else:
            add("Identity", mixed, into=calibrated)

    def mixed(self, row: str) -> str:
        """Rows of attention in which all baskets have equal shares, mixed with the original ones. Sums are in doubles: in floats
        they would depend on the padding, and with it a text's bits on its batch."""
        add, strength = self.add, numpy.float32(self.how.strength)
        none, unit = add.constant(0, numpy.float32), add.constant(1, numpy.float32)
        sums = add("Cast", add("MatMul", add("Cast", row, to=TensorProto.DOUBLE), self.tokens_by_baskets), to=TensorProto.FLOAT)
        mass = add("MatMul", sums, self.baskets_by_tokens)
        some = add("Less", none, mass)
        # A basket without attention stays without; padding has none.
        share = add("Where", some, add("Div", row, add("Where", some, mass, unit)), none)
        filled = add("MatMul", add("Cast", add("Less", none, sums), to=TensorProto.FLOAT), self.ones)
        equal = add("Div", share, add("Max", filled, unit))
        new = add("Mul", equal, add.constant([strength], numpy.float32))
        old = add("Mul", row, add.constant([numpy.float32(1) - strength], numpy.float32))
        return add("Where", self.applies, add("Add", new, old), row)


# Where attention is


def opset(model: onnx.ModelProto) -> int:
    return max((one.version for one in model.opset_import if one.domain in ("", "ai.onnx")), default=0)


def attention_softmaxes(model: onnx.ModelProto) -> List[onnx.NodeProto]:
    """The attention softmax of each layer, in the order of the layers."""
    nodes, version = model.graph.node, opset(model)
    fused: Dict[str, int] = {}
    for node in nodes:
        if node.op_type.endswith("Attention") or node.op_type == "BiasSoftmax":
            fused[node.op_type] = fused.get(node.op_type, 0) + 1
    if fused:
        raise ValueError(f"has attention in operators that cannot be opened ({', '.join(map('{} x {}'.format, fused.values(), fused))}): "
                         "a graph exported without fused attention is needed")
    if MASK not in [one.name for one in model.graph.input]:
        raise ValueError(f"has no input {MASK}, which says what is padding")
    narrow = any(len(one.dims) > 1 and one.data_type in SIXTEEN_BITS for one in model.graph.initializer)
    least = CASTS_LIKE if narrow else LEAST_OPSET
    if version < least:
        raise ValueError(f"has operators of ONNX {version}: export it with version {least} or later")
    walk = Walk(nodes)
    found = [node for node in nodes if node.op_type == "Softmax" and walk.scores(node)]
    if not found:
        raise ValueError("has no attention of the form MatMul, Softmax, MatMul, Transpose")
    for node in found:
        axis = next((one.i for one in node.attribute if one.name == "axis"), -1 if version >= SOFTMAX_OVER_LAST else 1)
        if axis not in (-1, AXES - 1) or not walk.weighs_values(node):
            raise ValueError("has attention of another form than rows x heads x tokens x tokens at "
                             + (node.name or node.output[0]))
    return found


class Walk:
    """Paths between nodes."""

    def __init__(self, nodes: Iterable[onnx.NodeProto]) -> None:
        self.producers: Dict[str, onnx.NodeProto] = {}
        self.consumers: Dict[str, List[onnx.NodeProto]] = {}
        for node in nodes:
            self.producers.update((name, node) for name in node.output)
            for name in node.input:
                self.consumers.setdefault(name, []).append(node)

    def computed(self, tensor: str) -> bool:
        return tensor in self.producers and self.producers[tensor].op_type != "Constant"

    def before(self, node: onnx.NodeProto) -> List[onnx.NodeProto]:
        return [self.producers[name] for name in node.input if name in self.producers]

    def behind(self, node: onnx.NodeProto) -> List[onnx.NodeProto]:
        return self.consumers.get(node.output[0], [])

    def scores(self, softmax: onnx.NodeProto) -> bool:
        """Whether a softmax is over products of two computed matrices."""
        return reaches(softmax, self.before, POINTWISE, lambda node: node.op_type == "MatMul" and all(map(self.computed, node.input)))

    def weighs_values(self, softmax: onnx.NodeProto) -> bool:
        """Whether the softmax is multiplied by a computed matrix and the product's four axes are transposed."""
        def turns(node: onnx.NodeProto) -> bool:
            return node.op_type == "Transpose" and any(len(one.ints) == AXES for one in node.attribute if one.name == "perm")

        return reaches(softmax, self.behind, BEHIND, lambda node: node.op_type == "MatMul" and self.computed(node.input[-1])
                       and reaches(node, self.behind, {"Cast", "Identity"}, turns))


def reaches(start: onnx.NodeProto, steps: Callable[[onnx.NodeProto], Sequence[onnx.NodeProto]], through: Set[str],
            wanted: Callable[[onnx.NodeProto], bool]) -> bool:
    """Whether a path from a node reaches a wanted one through the given operators alone."""
    seen, waiting = set(), list(steps(start))
    while waiting:
        node = waiting.pop()
        if wanted(node):
            return True
        if node.op_type in through and node.output[0] not in seen:
            seen.add(node.output[0])
            waiting += steps(node)
    return False
