"""Writes src/test/resources/io/posbias/model/strategy: graphs of one attention, as they are and with calibrated attention.

python3 scripts/tests/calibrated_golden.py        # needs numpy and onnx; the bytes depend on onnx's version, the numbers do not

attention.onnx                the graph of stand_in()
attention-POOLING-....onnx    the same, calibrated by scripts/export_calibrated.py: pooling, basket, strength
"""
import math
import os
import sys
from pathlib import Path

import numpy
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import export_calibrated  # noqa: E402

OUT = "src/test/resources/io/posbias/model/strategy"
TOKENS = 13  # of the vocabulary of io.posbias.model.encode.StandIns: [CLS] is 2, [SEP] is 3, a to h are 5 to 12
CALIBRATED = [("cls", 2, 1), ("cls", 2, 0.25), ("last", 2, 1), ("mean", 2, 1)]


def stand_in(weights, softmax="Softmax", mask="attention_mask", masked=True, headless=False, narrow=False, opset=18):
    """One attention of one head whose vectors are its attention: number i of a token's vector is how much it attends to token i of the
    vocabulary, which is proportional to a weight of that token. masked: padding has no attention. headless: three axes instead of four.
    narrow: in 16 bits."""
    logits = numpy.zeros((TOKENS, 1), numpy.float32)
    for token, weight in weights.items():
        logits[token] = max(-200, math.log(weight)) if weight else -200
    kind = TensorProto.FLOAT16 if narrow else TensorProto.FLOAT
    nodes, tables = [], {"ones": numpy.ones((TOKENS, 1), numpy.float32), "logits": logits, "values": numpy.eye(TOKENS, dtype=numpy.float32)}

    def node(operator, inputs, output, **attributes):
        nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))

    def constant(name, value):
        tables[name] = numpy.asarray(value)
        return name

    shape = constant("shape", numpy.array([0, 0, -1] if headless else [0, 0, 1, -1]))
    for name, table, order in (("query", "ones", (0, 2, 1, 3)), ("key", "logits", (0, 2, 3, 1)), ("value", "values", (0, 2, 1, 3))):
        if headless:
            order = (0, 2, 1) if name == "key" else (0, 1, 2)
        node("Gather", [table, "input_ids"], name + "-rows")
        node("Cast", [name + "-rows"], name + "-cast", to=kind)
        node("Reshape", [name + "-cast", shape], name + "-heads")
        node("Transpose", [name + "-heads"], name, perm=order)
    node("MatMul", ["query", "key"], "product")
    node("Cast", [mask], "real", to=TensorProto.FLOAT)
    node("Sub", ["real", constant("one", numpy.float32(1))], "padding")
    node("Mul", ["padding", constant("much", numpy.float32(10_000 if masked else 0))], "hidden")
    node("Cast", ["hidden"], "bias-row", to=kind)
    node("Reshape", ["bias-row", constant("bias-shape", numpy.array([0, 1, -1] if headless else [0, 1, 1, -1]))], "bias")
    node("Add", ["product", "bias"], "scores")
    node(softmax, ["scores"], "attention", axis=-1)
    node("MatMul", ["attention", "value"], "mixed")
    node("Transpose", ["mixed"], "joined", perm=(0, 1, 2) if headless else (0, 2, 1, 3))
    node("Reshape", ["joined", constant("as-vectors", numpy.array([0, -1, TOKENS]))], "vectors")
    node("Cast", ["vectors"], "last_hidden_state", to=TensorProto.FLOAT)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in ("input_ids", mask)]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", TOKENS])
    constants = [numpy_helper.from_array(value, name) for name, value in tables.items()]
    return helper.make_model(helper.make_graph(nodes, "attention", inputs, [output], constants),
                             opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


# [CLS] a b c d e [SEP] attend to each other by 4, 6, 2, 1, 1, 1, 1 of 16.
WEIGHTS = {2: 4, 3: 1, 5: 6, 6: 2}


def main():
    os.makedirs(OUT, exist_ok=True)
    Path(OUT, "attention.onnx").write_bytes(stand_in(WEIGHTS).SerializeToString(deterministic=True))
    for pooling, basket, strength in CALIBRATED:
        model = stand_in(WEIGHTS)
        export_calibrated.calibrate(model, export_calibrated.Calibration(pooling, basket, strength, 1))
        Path(OUT, f"attention-{pooling}-{basket}-{strength}.onnx").write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
