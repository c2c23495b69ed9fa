package io.posbias.model.encode.onnx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reader of a protocol buffer message, for example an ONNX file. A truncated message throws IndexOutOfBoundsException.
 */
final class MessageReader {
    private static final int TAG_BITS = 32;

    private final ByteBuffer file;
    private final int end;
    private int at;
    /** First byte of the field's header. */
    int start;

    int field;
    long value;
    int from;
    int to;

    MessageReader(byte[] file, int from, int to) {
        this(ByteBuffer.wrap(file), from, to);
    }

    /** Reads a part of a buffer, by absolute positions. */
    MessageReader(ByteBuffer file, int from, int to) {
        this.file = file;
        this.at = from;
        this.end = to;
    }

    boolean next() {
        if (at >= end) {
            return false;
        }
        start = at;
        long key = varint();
        if (key >>> TAG_BITS != 0) {
            throw new IndexOutOfBoundsException(start);
        }
        field = (int) (key >>> 3);
        switch ((int) (key & 7)) {
            case 0 -> value = varint();
            case 1 -> skip(Long.BYTES);
            case 2 -> skip(varint());
            case 5 -> skip(Integer.BYTES);
            default -> throw new IndexOutOfBoundsException(at);
        }
        return true;
    }

    private void skip(long bytes) {
        if (bytes < 0 || bytes > end - at) {
            throw new IndexOutOfBoundsException(at);
        }
        from = at;
        at += (int) bytes;
        to = at;
    }

    private long varint() {
        long read = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = file.get(at++);
            read |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return read;
            }
        }
        throw new IndexOutOfBoundsException(at);
    }

    MessageReader message() {
        return new MessageReader(file, from, to);
    }

    /** Reads to the end and returns the text of the last field with a number, or "". */
    String textOf(int wanted) {
        String text = "";
        while (next()) {
            text = field == wanted ? text() : text;
        }
        return text;
    }

    /** Adds a number, or several packed ones. */
    void numbers(List<Integer> into) {
        if (from < to && to == at) {
            int back = at;
            at = from;
            while (at < back) {
                into.add((int) varint());
            }
        } else {
            into.add((int) value);
        }
    }

    String text() {
        return StandardCharsets.UTF_8.decode(file.slice(from, to - from)).toString();
    }
}
