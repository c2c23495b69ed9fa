package io.posbias.model.encode.onnx;

import java.util.Arrays;

/**
 * Special tokens before, between and after texts, and the token type of every part; found by encoding a text of one
 * letter.
 *
 * @param between empty for one text
 * @param types of the five parts: before, first text, between, second text, after
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record Template(int[] before, int[] between, int[] after, int[] types) {
    /** Only the text. */
    public static final Template NONE = new Template(new int[0], new int[0], new int[0], new int[5]);

    /** Returns the number of special tokens. */
    public int size() {
        return before.length + between.length + after.length;
    }

    /** Adds tokens at the end, unless the template has them. */
    Template append(int[] more) {
        int[] last = after.length < more.length
                ? new int[0]
                : Arrays.copyOfRange(after, after.length - more.length, after.length);
        if (more.length == 0 || Arrays.equals(last, more)) {
            return this;
        }
        int[] longer = Arrays.copyOf(after, after.length + more.length);
        System.arraycopy(more, 0, longer, after.length, more.length);
        return new Template(before, between, longer, types);
    }

    int[] around(int[] text) {
        return join(before, text, after);
    }

    int[] around(int[] first, int[] second) {
        return join(before, first, between, second, after);
    }

    /** Returns the token types of {@link #around(int[], int[])}. */
    int[] typesAround(int first, int second) {
        int[] lengths = {before.length, first, between.length, second, after.length};
        int[] all = new int[Arrays.stream(lengths).sum()];
        int at = 0;
        for (int part = 0; part < lengths.length; part++) {
            Arrays.fill(all, at, at + lengths[part], types[part]);
            at += lengths[part];
        }
        return all;
    }

    private static int[] join(int[]... parts) {
        int[] all = new int[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (int[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}
