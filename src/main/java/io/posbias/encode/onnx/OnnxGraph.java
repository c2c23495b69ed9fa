package io.posbias.encode.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
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

    private final Message graph = new Message().text(2, "posbias");

    /** Element types, by their number in ONNX. */
    public enum Type {
        /** 32-bit floats. */
        FLOAT(1),
        /** Unsigned bytes. */
        UINT8(2),
        /** Signed bytes. */
        INT8(3),
        /** 32-bit integers. */
        INT32(6),
        /** 64-bit integers. */
        INT64(7);

        private final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /** An attribute of a node: a whole number. */
    public record Attribute(String name, long value) {
        private static final int INT = 2;

        private Message message() {
            return new Message().text(1, name).number(3, value).number(20, INT);
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
        Message node = new Message();
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
        Message tensor = tensor(name, Type.FLOAT, dimensions);
        tensor.message(13, new Message().text(1, "location").text(2, file));
        tensor.message(13, new Message().text(1, "offset").text(2, "0"));
        tensor.message(13, new Message().text(1, "length").text(2, String.valueOf(bytes)));
        graph.message(5, tensor.number(14, 1));
        return this;
    }

    /** The model as a file holds it. */
    public byte[] toBytes() {
        return new Message()
                .number(1, IR_VERSION)
                .text(2, "posbias")
                .message(7, graph)
                .message(8, new Message().number(2, OPSET))
                .toBytes();
    }

    private static Message tensor(String name, Type type, long... dimensions) {
        Message tensor = new Message();
        for (long dimension : dimensions) {
            tensor.number(1, dimension);
        }
        return tensor.number(2, type.number).text(8, name);
    }

    private static Message value(String name, Type type, Object... dimensions) {
        Message shape = new Message();
        for (Object dimension : dimensions) {
            Message one = dimension instanceof Number number
                    ? new Message().number(1, number.longValue())
                    : new Message().text(2, String.valueOf(dimension));
            shape.message(1, one);
        }
        Message tensor = new Message().number(1, type.number).message(2, shape);
        return new Message().text(1, name).message(2, new Message().message(1, tensor));
    }

    /** A protocol buffer message that is being written. */
    private static final class Message {
        private static final int VARINT = 0;
        private static final int LENGTH = 2;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message number(int field, long value) {
            varint(((long) field << 3) | VARINT);
            varint(value);
            return this;
        }

        Message bytes(int field, byte[] bytes) {
            varint(((long) field << 3) | LENGTH);
            varint(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        Message text(int field, String text) {
            return bytes(field, text.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message message) {
            return bytes(field, message.toBytes());
        }

        byte[] toBytes() {
            return out.toByteArray();
        }

        /** Seven bits a byte, the lowest first; the eighth says that more follow. */
        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                out.write((int) ((rest & 0x7F) | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
        }
    }
}
