package io.posbias.model.encode.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writer of a protocol buffer message, for example an ONNX file. */
final class MessageWriter {
    private static final int VARINT = 0;
    private static final int LENGTH = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    MessageWriter number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    MessageWriter bytes(int field, byte[] bytes) {
        header(field, bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    /** Appends encoded fields. */
    MessageWriter fields(byte[] written) {
        out.writeBytes(written);
        return this;
    }

    /** Appends the header of a field of bytes: its number and length. */
    MessageWriter header(int field, int length) {
        varint(((long) field << 3) | LENGTH);
        varint(length);
        return this;
    }

    /** Appends encoded fields of another message. */
    MessageWriter copy(byte[] file, int from, int to) {
        out.write(file, from, to - from);
        return this;
    }

    MessageWriter text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    MessageWriter message(int field, MessageWriter message) {
        return bytes(field, message.toBytes());
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    /** Writes seven bits per byte, the lowest first; the eighth bit marks that more bytes follow. */
    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
