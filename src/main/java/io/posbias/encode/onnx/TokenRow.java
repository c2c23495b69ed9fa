package io.posbias.encode.onnx;

import io.posbias.encode.TextEncoder;

/**
 * One row of a batch: what a graph gets of one text or pair.
 *
 * @param ids token ids, special tokens and prompt included
 * @param types token types, as many
 * @param hidden tokens at the end that attention does not see; 0 but for ColBERT's query expansion
 * @param prompt how many tokens at the beginning are the template's and the prompt's
 * @param seen how many UTF-16 units of the text made it into the row, or {@link #WHOLE}
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record TokenRow(int[] ids, int[] types, int hidden, int prompt, int seen) {
    /** Nothing was cut off. */
    public static final int WHOLE = TextEncoder.WHOLE;

    /** How many tokens there are. */
    public int size() {
        return ids.length;
    }
}
