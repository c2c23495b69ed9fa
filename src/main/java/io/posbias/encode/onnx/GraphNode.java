package io.posbias.encode.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node of an ONNX file.
 *
 * @param name may be empty
 * @param domain of the operator; empty for ONNX's own
 * @param operator what it does
 * @param inputs names of tensors; empty for one that is left out
 * @param outputs the same
 * @param numbers its attributes that are whole numbers or lists of them
 * @param start the first byte of its field in the file
 * @param end the byte after its last
 */
record GraphNode(
        String name,
        String domain,
        String operator,
        List<String> inputs,
        List<String> outputs,
        Map<String, List<Integer>> numbers,
        int start,
        int end) {
    /**
     * Reads the node that a reader of a graph is at.
     *
     * @throws IndexOutOfBoundsException if it is torn
     */
    static GraphNode of(MessageReader graph) {
        MessageReader node = new MessageReader(graph.file, graph.from, graph.to);
        List<String> inputs = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        Map<String, List<Integer>> numbers = new HashMap<>();
        String called = "";
        String domain = "";
        String operator = "";
        while (node.next()) {
            switch (node.field) {
                case 1 -> inputs.add(node.text());
                case 2 -> outputs.add(node.text());
                case 3 -> called = node.text();
                case 4 -> operator = node.text();
                case 5 -> attribute(new MessageReader(node.file, node.from, node.to), numbers);
                case 7 -> domain = node.text();
                default -> {}
            }
        }
        return new GraphNode(called, domain, operator, inputs, outputs, numbers, graph.start, graph.end());
    }

    private static void attribute(MessageReader attribute, Map<String, List<Integer>> into) {
        List<Integer> values = new ArrayList<>();
        String called = "";
        while (attribute.next()) {
            switch (attribute.field) {
                case 1 -> called = attribute.text();
                case 3, 8 -> attribute.numbers(values);
                default -> {}
            }
        }
        if (!values.isEmpty()) {
            into.put(called, List.copyOf(values));
        }
    }

    /** An attribute that is one number. */
    int number(String attribute, int fallback) {
        List<Integer> values = numbers.getOrDefault(attribute, List.of());
        return values.isEmpty() ? fallback : values.getFirst();
    }

    /** Its first output. */
    String output() {
        return outputs.isEmpty() ? "" : outputs.getFirst();
    }
}
