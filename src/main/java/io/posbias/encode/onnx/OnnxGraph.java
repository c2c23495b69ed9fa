package io.posbias.encode.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Writes small ONNX models: the matrix products behind search, linear heads, and the reference encoders of tests and
 * calibration. An ONNX file is a protocol buffer, and what is written here is the few messages of it that such graphs
 * need (field numbers: <a href="https://github.com/onnx/onnx/blob/main/onnx/onnx.proto">onnx.proto</a>).
 */
public final class OnnxGraph {
    /** Operators as of ONNX 1.13; every ONNX Runtime since 1.14 knows them. */
    private static final int OPSET = 18;

    private static final int IR_VERSION = 8;

    private final MessageWriter graph;

    /** A model of its own. */
    public OnnxGraph() {
        this(new MessageWriter().text(2, "posbias"));
    }

    private OnnxGraph(MessageWriter graph) {
        this.graph = graph;
    }

    /** Nodes and constants that go into another graph, by {@link #fields}. */
    static OnnxGraph part() {
        return new OnnxGraph(new MessageWriter());
    }

    /** Element types, by their number in ONNX. */
    public enum Type {
        /** 32-bit floats. */
        FLOAT(1),
        /** 32-bit integers. */
        INT32(6),
        /** 64-bit integers. */
        INT64(7);

        private final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /** An attribute of a node: a whole number, or several. */
    public record Attribute(String name, List<Long> values, boolean isList) {
        private static final int INT = 2;
        private static final int INTS = 7;

        /** A number. */
        public Attribute(String name, long value) {
            this(name, List.of(value), false);
        }

        /** A list of numbers, such as the order of axes of a transposition. */
        public static Attribute list(String name, Long... values) {
            return new Attribute(name, List.of(values), true);
        }

        private MessageWriter message() {
            MessageWriter message = new MessageWriter().text(1, name);
            values.forEach(value -> message.number(isList ? 8 : 3, value));
            return message.number(20, isList ? INTS : INT);
        }
    }

    /**
     * Declares an input.
     *
     * @param dimensions a number for a fixed size, a word for one that is known when it runs
     */
    public OnnxGraph input(String name, Type type, Object... dimensions) {
        graph.message(11, value(name, type, dimensions));
        return this;
    }

    /** Declares an output, as {@link #input}. */
    public OnnxGraph output(String name, Type type, Object... dimensions) {
        graph.message(12, value(name, type, dimensions));
        return this;
    }

    /** Adds an operator; nodes are added in an order in which each finds its inputs made. */
    public OnnxGraph node(String operator, List<String> inputs, List<String> outputs, Attribute... attributes) {
        MessageWriter node = new MessageWriter();
        inputs.forEach(input -> node.text(1, input));
        outputs.forEach(output -> node.text(2, output));
        node.text(4, operator);
        for (Attribute attribute : attributes) {
            node.message(5, attribute.message());
        }
        graph.message(1, node);
        return this;
    }

    /** Adds constant floats. */
    public OnnxGraph constant(String name, float[] values, long... dimensions) {
        ByteBuffer raw = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(values);
        graph.message(5, tensor(name, Type.FLOAT, dimensions).bytes(9, raw.array()));
        return this;
    }

    /** Adds constant whole numbers. */
    public OnnxGraph constant(String name, long[] values, long... dimensions) {
        ByteBuffer raw = ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asLongBuffer().put(values);
        graph.message(5, tensor(name, Type.INT64, dimensions).bytes(9, raw.array()));
        return this;
    }

    /**
     * Adds constant floats that are in a file beside the model, as graphs over 2 GiB keep them.
     *
     * @param file the file's name
     * @param bytes how many bytes of it, from its beginning
     */
    public OnnxGraph external(String name, String file, long bytes, long... dimensions) {
        MessageWriter tensor = tensor(name, Type.FLOAT, dimensions);
        tensor.message(13, new MessageWriter().text(1, "location").text(2, file));
        tensor.message(13, new MessageWriter().text(1, "offset").text(2, "0"));
        tensor.message(13, new MessageWriter().text(1, "length").text(2, String.valueOf(bytes)));
        graph.message(5, tensor.number(14, 1));
        return this;
    }

    /** What was added so far, as the fields of a graph: they may stand anywhere in one. */
    byte[] fields() {
        return graph.toBytes();
    }

    /** The model as a file holds it. */
    public byte[] toBytes() {
        return new MessageWriter()
                .number(1, IR_VERSION)
                .text(2, "posbias")
                .message(7, graph)
                .message(8, new MessageWriter().number(2, OPSET))
                .toBytes();
    }

    private static MessageWriter tensor(String name, Type type, long... dimensions) {
        MessageWriter tensor = new MessageWriter();
        for (long dimension : dimensions) {
            tensor.number(1, dimension);
        }
        return tensor.number(2, type.number).text(8, name);
    }

    private static MessageWriter value(String name, Type type, Object... dimensions) {
        MessageWriter shape = new MessageWriter();
        for (Object dimension : dimensions) {
            MessageWriter one = dimension instanceof Number number
                    ? new MessageWriter().number(1, number.longValue())
                    : new MessageWriter().text(2, String.valueOf(dimension));
            shape.message(1, one);
        }
        MessageWriter tensor = new MessageWriter().number(1, type.number).message(2, shape);
        return new MessageWriter().text(1, name).message(2, new MessageWriter().message(1, tensor));
    }
}
