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
        varint(((long) field << 3) | LENGTH);
        varint(bytes.length);
        out.writeBytes(bytes);
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
