package io.posbias.data.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads lines as bytes without decoding. Lines end at {@code \n}; one {@code \r} before it is dropped. */
public final class LineReader {
    /** A byte order mark, which may be before the first line. */
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private static final int MOST = 1 << 27;

    private final InputStream in;
    private byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    private int start;
    private int length;
    private long number;

    /** The caller closes the stream. */
    public LineReader(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line; false at the end. */
    public boolean next() throws IOException {
        int scanned = position;
        while (true) {
            for (int i = scanned; i < limit; i++) {
                if (buffer[i] == '\n') {
                    take(i, i + 1);
                    return true;
                }
            }
            scanned = limit - position;
            if (!fill()) {
                if (position == limit) {
                    return false;
                }
                take(limit, limit);
                return true;
            }
            scanned += position;
        }
    }

    /** Returns the buffer; valid until the next call of {@link #next()}. */
    public byte[] bytes() {
        return buffer;
    }

    /** In {@link #bytes()}. */
    public int start() {
        return start;
    }

    public int length() {
        return length;
    }

    /** The line, which is in UTF-8. */
    public String text() {
        return new String(buffer, start, length, StandardCharsets.UTF_8);
    }

    /** From 1. */
    public long number() {
        return number;
    }

    public boolean isBlank() {
        for (int i = start; i < start + length; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    private void take(int end, int next) {
        start = position;
        length = end - position;
        if (length > 0 && buffer[end - 1] == '\r') {
            length--;
        }
        number++;
        if (number == 1
                && length >= MARK.length
                && Arrays.equals(buffer, start, start + MARK.length, MARK, 0, MARK.length)) {
            start += MARK.length;
            length -= MARK.length;
        }
        position = next;
    }

    private boolean fill() throws IOException {
        if (position > 0) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            position = 0;
        }
        if (limit == buffer.length) {
            if (limit >= MOST) {
                throw new IOException("line " + (number + 1) + " is longer than " + MOST / (1 << 20)
                        + " MiB, the most that one may have");
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int read = in.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            return false;
        }
        limit += read;
        return true;
    }
}
