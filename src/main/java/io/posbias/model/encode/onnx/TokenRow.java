package io.posbias.model.encode.onnx;

import io.posbias.model.encode.TextEncoder;
import java.nio.IntBuffer;

/**
 * Row of a batch: the graph's input for a text or pair.
 *
 * @param ids special tokens and prompt included
 * @param types token types
 * @param hidden tokens at the end that are masked in attention; above 0 only in ColBERT's query expansion
 * @param prompt number of leading tokens of template and prompt
 * @param seen UTF-16 units of the text in the row, or {@link #WHOLE}
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record TokenRow(int[] ids, int[] types, int hidden, int prompt, int seen) {
    /** The text was not truncated. */
    public static final int WHOLE = TextEncoder.WHOLE;

    /** What the graph reads; rows of equal inputs have equal vectors. */
    public record Input(IntBuffer ids, IntBuffer types, int hidden) {}

    public Input input() {
        return new Input(IntBuffer.wrap(ids), IntBuffer.wrap(types), hidden);
    }

    public int size() {
        return ids.length;
    }
}
