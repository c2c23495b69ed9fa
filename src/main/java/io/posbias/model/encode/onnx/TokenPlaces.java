package io.posbias.model.encode.onnx;

/**
 * Positions of a text's tokens, truncated ones included.
 *
 * @param starts in the text, in UTF-16 units
 * @param ends in the text, in UTF-16 units
 * @param first index of the first token in its row, after special tokens and prompt
 * @param shown number of tokens in the row
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record TokenPlaces(int[] starts, int[] ends, int first, int shown) {
    public static final int NO_TOKEN = -1;

    /** Returns the text's token at an index of its row; {@link #NO_TOKEN} for special tokens and the prompt. */
    public int token(int place) {
        return place >= first && place < first + shown ? place - first : NO_TOKEN;
    }

    /**
     * Returns the row index of the first token that begins at or after a UTF-16 unit, or the index after the last
     * token.
     */
    public int firstFrom(int unit) {
        int token = 0;
        while (token < shown && starts[token] < unit) {
            token++;
        }
        return first + token;
    }
}
