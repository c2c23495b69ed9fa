package io.posbias.model.encode.onnx;

/**
 * A text's tokens without special tokens.
 *
 * @param starts in the text, in UTF-16 units
 * @param ends in the text, in UTF-16 units
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record Tokens(int[] ids, int[] starts, int[] ends) {
    public int size() {
        return ids.length;
    }
}
