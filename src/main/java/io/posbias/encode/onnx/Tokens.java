package io.posbias.encode.onnx;

/**
 * A text as a tokenizer sees it, with no special tokens.
 *
 * @param ids one for each token
 * @param starts where each token begins in the text, in UTF-16 units
 * @param ends where each token ends, in UTF-16 units
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record Tokens(int[] ids, int[] starts, int[] ends) {
    /** How many tokens there are. */
    public int size() {
        return ids.length;
    }
}
