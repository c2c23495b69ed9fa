package io.posbias.model.encode.worker;

import io.posbias.base.json.Json;
import io.posbias.base.text.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One message: the letters {@value #MAGIC}, the header's size in bytes as a little-endian integer of 32 bits, the header
 * in JSON (UTF-8), and as many little-endian floats of 32 bits as the header's field {@value #NUMBERS} says, 0 without it.
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; a list would box every number
record Frame(JsonNode header, float[] numbers) {
    static final String MAGIC = "PBW1";
    static final String NUMBERS = "numbers";

    private static final int MOST_HEADER = 64 << 20;
    private static final int MOST_NUMBERS = Integer.MAX_VALUE / Float.BYTES - 1;
    private static final int SHOWN = 60;

    /** Bytes that are not a message. */
    static final class WrongFrameException extends IOException {
        private static final long serialVersionUID = 1;
        private final String reason;

        WrongFrameException(String reason) {
            super(reason);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** Returns a message without numbers. */
    static byte[] of(Map<String, ?> header) {
        byte[] json = Json.mapper().writeValueAsBytes(header);
        return little(new byte[MAGIC.length() + Integer.BYTES + json.length])
                .put(MAGIC.getBytes(StandardCharsets.US_ASCII))
                .putInt(json.length)
                .put(json)
                .array();
    }

    /**
     * Reads a message.
     *
     * @throws EOFException at the end of the stream
     * @throws WrongFrameException if the bytes are not a message
     */
    static Frame read(InputStream in) throws IOException {
        byte[] start = in.readNBytes(MAGIC.length());
        if (start.length == 0) {
            throw new EOFException();
        }
        if (!new String(start, StandardCharsets.ISO_8859_1).equals(MAGIC)) {
            throw new WrongFrameException(
                    "it printed \"" + printed(start, in) + "\" to standard output, which is for answers alone");
        }
        int size = little(whole(in, Integer.BYTES)).getInt();
        if (size < 0 || size > MOST_HEADER) {
            throw new WrongFrameException("the header of its answer has " + Integer.toUnsignedString(size) + " bytes");
        }
        JsonNode header = header(whole(in, size));
        JsonNode count = header.path(NUMBERS);
        long numbers = count.isMissingNode() ? 0 : whole(count, -1);
        if (numbers < 0 || numbers > MOST_NUMBERS) {
            throw new WrongFrameException("its answer announces " + Printable.cut(count.toString()) + " numbers");
        }
        // The memory is taken as the bytes come, not as they are announced.
        ByteBuffer bytes = little(whole(in, (int) numbers * Float.BYTES));
        float[] values = new float[(int) numbers];
        bytes.asFloatBuffer().get(values);
        return new Frame(header, values);
    }

    /** Returns a whole number, also one written as 2.0; the other value for anything else. */
    static long whole(JsonNode node, long other) {
        double number = node.isNumber() ? node.doubleValue() : Double.NaN;
        return number == Math.rint(number) && Math.abs(number) < 1L << 53 ? (long) number : other;
    }

    private static JsonNode header(byte[] json) throws IOException {
        try {
            JsonNode header = Json.mapper().readTree(json);
            if (header.isObject()) {
                return header;
            }
        } catch (JacksonException wrong) {
            // Said below.
        }
        throw new WrongFrameException("the header of its answer is not a JSON object: "
                + new String(json, 0, Math.min(json.length, SHOWN), StandardCharsets.UTF_8));
    }

    private static byte[] whole(InputStream in, int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException();
        }
        return bytes;
    }

    private static String printed(byte[] start, InputStream in) throws IOException {
        byte[] more = in.readNBytes(Math.min(SHOWN, in.available()));
        String text = new String(start, StandardCharsets.UTF_8) + new String(more, StandardCharsets.UTF_8);
        return text.lines().findFirst().orElse("").strip();
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
