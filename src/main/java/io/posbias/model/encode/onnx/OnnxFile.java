package io.posbias.model.encode.onnx;

import io.posbias.base.process.PosbiasException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Contents of an ONNX file. Field numbers: <a
 * href="https://github.com/onnx/onnx/blob/main/onnx/onnx.proto">onnx.proto</a>.
 *
 * @param nodes in the order of the file
 * @param initializers constant tensors by name
 * @param inputs names of the graph's inputs
 * @param outputs sizes of the graph's outputs by name, in order; -1 for sizes known at run time
 */
record OnnxFile(
        List<Node> nodes,
        Map<String, Tensor> initializers,
        Set<String> inputs,
        SequencedMap<String, List<Integer>> outputs) {
    /**
     * Operator.
     *
     * @param name may be empty
     * @param domain empty for ONNX's own operators
     * @param inputs tensor names; empty for an omitted one
     * @param outputs tensor names
     * @param numbers integer attributes
     */
    record Node(
            String name,
            String domain,
            String operator,
            List<String> inputs,
            List<String> outputs,
            Map<String, List<Integer>> numbers) {
        int number(String attribute, int fallback) {
            List<Integer> values = numbers.getOrDefault(attribute, List.of());
            return values.isEmpty() ? fallback : values.getFirst();
        }

        String input() {
            return inputs.isEmpty() ? "" : inputs.getFirst();
        }

        String output() {
            return outputs.isEmpty() ? "" : outputs.getFirst();
        }
    }

    /**
     * Constant tensor.
     *
     * @param type ONNX's number of the element type
     * @param file path of the external data file, relative to this file; empty for none
     * @param from first byte of the values
     * @param bytes size of the values
     */
    record Tensor(int type, List<Integer> shape, String file, long from, long bytes) {
        double count() {
            return shape.stream().mapToDouble(size -> size).reduce(1, (a, b) -> a * b);
        }
    }

    /**
     * @param name in errors
     * @throws PosbiasException if it is not a complete ONNX file
     */
    static OnnxFile parse(String name, byte[] file) {
        List<Node> nodes = new ArrayList<>();
        Map<String, Tensor> initializers = new HashMap<>();
        Set<String> inputs = new HashSet<>();
        SequencedMap<String, List<Integer>> outputs = new LinkedHashMap<>();
        try {
            MessageReader model = new MessageReader(file, 0, file.length);
            while (model.next()) {
                if (model.field == 7) {
                    readGraph(model.message(), nodes, initializers, inputs, outputs);
                }
            }
        } catch (IndexOutOfBoundsException | NumberFormatException torn) {
            throw new PosbiasException(name + " is not a complete ONNX file", torn);
        }
        return new OnnxFile(nodes, initializers, inputs, outputs);
    }

    private static void readGraph(
            MessageReader graph,
            List<Node> nodes,
            Map<String, Tensor> initializers,
            Set<String> inputs,
            Map<String, List<Integer>> outputs) {
        while (graph.next()) {
            switch (graph.field) {
                case 1 -> nodes.add(node(graph.message()));
                case 5 -> readTensor(graph.message(), initializers);
                case 11 -> inputs.add(graph.message().textOf(1));
                case 12 -> readOutput(graph.message(), outputs);
                default -> {}
            }
        }
    }

    private static void readOutput(MessageReader value, Map<String, List<Integer>> into) {
        List<Integer> sizes = new ArrayList<>();
        String name = "";
        while (value.next()) {
            if (value.field == 1) {
                name = value.text();
            } else if (value.field == 2) {
                readType(value.message(), sizes);
            }
        }
        into.put(name, List.copyOf(sizes));
    }

    /** Type, tensor type, shape, dimension: one inside the other. */
    private static void readType(MessageReader type, List<Integer> sizes) {
        while (type.next()) {
            MessageReader tensor = type.message();
            while (tensor.next()) {
                if (tensor.field == 2) {
                    MessageReader shape = tensor.message();
                    while (shape.next()) {
                        sizes.add(size(shape.message()));
                    }
                }
            }
        }
    }

    private static int size(MessageReader dimension) {
        int size = -1;
        while (dimension.next()) {
            size = dimension.field == 1 ? (int) dimension.value : size;
        }
        return size;
    }

    private static Node node(MessageReader node) {
        List<String> inputs = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        Map<String, List<Integer>> numbers = new HashMap<>();
        String name = "";
        String domain = "";
        String operator = "";
        while (node.next()) {
            switch (node.field) {
                case 1 -> inputs.add(node.text());
                case 2 -> outputs.add(node.text());
                case 3 -> name = node.text();
                case 4 -> operator = node.text();
                case 5 -> readAttribute(node.message(), numbers);
                case 7 -> domain = node.text();
                default -> {}
            }
        }
        return new Node(name, domain, operator, inputs, outputs, numbers);
    }

    private static void readAttribute(MessageReader attribute, Map<String, List<Integer>> into) {
        List<Integer> values = new ArrayList<>();
        String name = "";
        while (attribute.next()) {
            switch (attribute.field) {
                case 1 -> name = attribute.text();
                case 3, 8 -> attribute.numbers(values);
                default -> {}
            }
        }
        if (!values.isEmpty()) {
            into.put(name, List.copyOf(values));
        }
    }

    private static void readTensor(MessageReader tensor, Map<String, Tensor> into) {
        List<Integer> shape = new ArrayList<>();
        Map<String, String> external = new HashMap<>();
        String name = "";
        int type = 0;
        int from = 0;
        int bytes = 0;
        while (tensor.next()) {
            switch (tensor.field) {
                case 1 -> tensor.numbers(shape);
                case 2 -> type = (int) tensor.value;
                // Floats one after another, packed or raw: the same bytes.
                case 4, 9 -> {
                    from = tensor.from;
                    bytes = tensor.to - tensor.from;
                }
                case 8 -> name = tensor.text();
                case 13 ->
                    external.put(tensor.message().textOf(1), tensor.message().textOf(2));
                default -> {}
            }
        }
        Tensor inside = new Tensor(type, List.copyOf(shape), "", from, bytes);
        into.put(name, external.isEmpty() ? inside : outside(inside, external));
    }

    /** Offset and length may be missing; by default the data begins at 0 and holds all elements as floats. */
    private static Tensor outside(Tensor tensor, Map<String, String> external) {
        String length = external.getOrDefault("length", String.valueOf((long) (tensor.count() * Float.BYTES)));
        return new Tensor(
                tensor.type,
                tensor.shape,
                external.getOrDefault("location", ""),
                Long.parseLong(external.getOrDefault("offset", "0")),
                Long.parseLong(length));
    }
}
