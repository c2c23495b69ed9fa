"""Writes graphs that keep weights in another file, with onnx's own writer: src/test/resources/io/posbias/...

python3 scripts/tests/external_data_golden.py     # needs onnx, numpy; with onnxruntime it checks that each graph reads w.data

encode/onnx/external-data/PLACE.onnx   adds four numbers to its input. The numbers, or for sparse-indices their places, are
                                       in w.data, and the tensor that names this file is at another place of each graph:
                                       everywhere that onnx.proto allows a tensor
"""
import os
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = "src/test/resources/io/posbias"
OUT = os.path.join(ROOT, "encode/onnx/external-data")
FLOATS = helper.make_tensor_value_info("z", TensorProto.FLOAT, [4])
OPSET = [helper.make_opsetid("", 18)]


def external(file, name, kind, dims, size):
    tensor = TensorProto(name=name, data_type=kind, dims=dims, data_location=TensorProto.EXTERNAL)
    length = str(int(np.prod(dims)) * size)
    for key, value in (("location", file), ("offset", "0"), ("length", length)):
        tensor.external_data.add(key=key, value=value)
    return tensor


def beside(name="w", kind=TensorProto.FLOAT, size=4):
    return external("w.data", name, kind, [4], size)


def sparse(values, indices, size):
    return onnx.SparseTensorProto(values=values, indices=indices, dims=[size])


def constant(**value):
    return helper.make_node("Constant", [], ["w"], **value)


def add(left="x", out="y"):
    return helper.make_node("Add", [left, "w"], [out])


def model(nodes, initializers=(), sparse_initializers=(), functions=(), size=4):
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [size]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], initializers)
    graph.sparse_initializer.extend(sparse_initializers)
    own = [helper.make_opsetid("own", 1)] if functions else []
    return helper.make_model(graph, opset_imports=OPSET + own, functions=functions, ir_version=8)


def branch(nodes, initializers=()):
    """An If whose first branch has the nodes."""
    then = helper.make_graph(nodes, "then", [], [FLOATS], initializers)
    other = helper.make_graph([helper.make_node("Identity", ["x"], ["z"])], "else", [], [FLOATS])
    yes = numpy_helper.from_array(np.array(True))
    return [helper.make_node("Constant", [], ["yes"], value=yes),
            helper.make_node("If", ["yes"], ["y"], then_branch=then, else_branch=other)]


def function(nodes):
    body = helper.make_function("own", "Body", ["x"], ["y"], nodes, OPSET)
    return model([helper.make_node("Body", ["x"], ["y"], domain="own")], functions=[body])


ORDER = numpy_helper.from_array(np.arange(4, dtype=np.int64))
ONES = numpy_helper.from_array(np.ones(4, np.float32), "w")
MODELS = {
    "initializer": model([add()], [beside()]),
    "attribute": model([constant(value=beside()), add()]),
    "subgraph-initializer": model(branch([add(out="z")], [beside()])),
    "subgraph-attribute": model(branch([constant(value=beside()), add(out="z")])),
    "sparse-values": model([add()], sparse_initializers=[sparse(beside(), ORDER, 4)]),
    "sparse-indices": model([add()], sparse_initializers=[sparse(ONES, beside("i", TensorProto.INT64, 8), 8)], size=8),
    "sparse-attribute": model([constant(sparse_value=sparse(beside(), ORDER, 4)), add()]),
    "function": function([constant(value=beside()), add()]),
    "function-subgraph": function(branch([add(out="z")], [beside()])),
}


def outputs(name, graph):
    """What the graph gives with two contents of w.data."""
    import onnxruntime
    found = []
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(graph, os.path.join(folder, "model.onnx"))
        for first in (1, 2):
            numbers = np.arange(first, first + 4)
            with open(os.path.join(folder, "w.data"), "wb") as file:
                file.write(numbers.astype(np.int64 if name == "sparse-indices" else np.float32).tobytes())
            session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"))
            found.append(session.run(None, {"x": np.zeros(session.get_inputs()[0].shape, np.float32)})[0])
    return found


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for name, graph in MODELS.items():
        onnx.save(graph, os.path.join(OUT, name + ".onnx"))
        try:
            one, other = outputs(name, graph)
        except ImportError:
            continue
        assert not np.array_equal(one, other), name
