package io.posbias.encode.onnx;

/**
 * Where a text's own tokens are, those that were cut off as well.
 *
 * @param starts where each begins in the text, in UTF-16 units
 * @param ends where each ends
 * @param first the place of the first one in its row, behind special tokens and prompt
 * @param shown how many of them are in the row
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record TokenPlaces(int[] starts, int[] ends, int first, int shown) {
    /** The number of a token that is none of the text's. */
    public static final int NO_TOKEN = -1;

    /** The text's token at a place of its row; {@link #NO_TOKEN} for special tokens and the prompt's. */
    public int token(int place) {
        return place >= first && place < first + shown ? place - first : NO_TOKEN;
    }

    /** The place in its row of the first token that begins at a place of the text or behind it, or of the end of the text. */
    public int firstFrom(int unit) {
        int token = 0;
        while (token < shown && starts[token] < unit) {
            token++;
        }
        return first + token;
    }
}
