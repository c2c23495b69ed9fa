package io.posbias.model.encode.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Writer of small ONNX models: search, linear heads, reference encoders. Field numbers: <a
 * href="https://github.com/onnx/onnx/blob/main/onnx/onnx.proto">onnx.proto</a>.
 */
public final class OnnxGraph {
    /** Operators of ONNX 1.13, supported since ONNX Runtime 1.14. */
    private static final int OPSET = 18;

    private static final int IR_VERSION = 8;

    private final MessageWriter graph = new MessageWriter().text(2, "posbias");

    /** Element types with their number in ONNX. */
    public enum Type {
        FLOAT(1),
        INT32(6),
        INT64(7);

        private final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /** Integer attribute of a node, or a list of integers. */
    public record Attribute(String name, List<Long> values, boolean isList) {
        private static final int INT = 2;
        private static final int INTS = 7;

        public Attribute(String name, long value) {
            this(name, List.of(value), false);
        }

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
     * @param dimensions a number for a fixed size, a name for one known at run time
     */
    public OnnxGraph input(String name, Type type, Object... dimensions) {
        graph.message(11, value(name, type, dimensions));
        return this;
    }

    public OnnxGraph output(String name, Type type, Object... dimensions) {
        graph.message(12, value(name, type, dimensions));
        return this;
    }

    /** Adds an operator, after those that compute its inputs. */
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

    public OnnxGraph constant(String name, float[] values, long... dimensions) {
        ByteBuffer raw = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(values);
        graph.message(5, tensor(name, Type.FLOAT, dimensions).bytes(9, raw.array()));
        return this;
    }

    public OnnxGraph constant(String name, long[] values, long... dimensions) {
        ByteBuffer raw = ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asLongBuffer().put(values);
        graph.message(5, tensor(name, Type.INT64, dimensions).bytes(9, raw.array()));
        return this;
    }

    /**
     * Adds constant floats in an external file, as in graphs over 2 GiB.
     *
     * @param bytes from the beginning of the file
     */
    public OnnxGraph external(String name, String file, long bytes, long... dimensions) {
        MessageWriter tensor = tensor(name, Type.FLOAT, dimensions);
        tensor.message(13, new MessageWriter().text(1, "location").text(2, file));
        tensor.message(13, new MessageWriter().text(1, "offset").text(2, "0"));
        tensor.message(13, new MessageWriter().text(1, "length").text(2, String.valueOf(bytes)));
        graph.message(5, tensor.number(14, 1));
        return this;
    }

    /** Returns the content of an ONNX file. */
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
