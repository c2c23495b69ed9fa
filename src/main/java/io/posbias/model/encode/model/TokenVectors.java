package io.posbias.model.encode.model;

import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.onnx.TokenPlaces;

/**
 * The vectors of a passage's tokens that take part in its score.
 *
 * @param starts where each token of the text begins in it, in UTF-16 units; also those that were cut off or left out
 * @param ends where each ends
 * @param vectors one after another
 * @param owners for each vector the number of its token, or {@link TokenPlaces#NO_TOKEN}
 * @param width numbers of a vector
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every number
public record TokenVectors(int[] starts, int[] ends, float[] vectors, int[] owners, int width) {
    public static TokenVectors of(TokenPlaces places, int[] rowPlaces, float[] vectors) {
        int[] owners = new int[rowPlaces.length];
        for (int i = 0; i < owners.length; i++) {
            owners[i] = places.token(rowPlaces[i]);
        }
        int width = owners.length == 0 ? 0 : vectors.length / owners.length;
        return new TokenVectors(places.starts(), places.ends(), vectors, owners, width);
    }

    /** Rounds the vectors as {@linkplain VectorCache.VectorFormat#FLOAT16 16-bit floats} do. */
    public TokenVectors rounded(boolean half) {
        return new TokenVectors(starts, ends, rounded(vectors, half), owners, width);
    }

    /** Numbers as they are after being kept as 16-bit floats. */
    public static float[] rounded(float[] vectors, boolean half) {
        float[] rounded = vectors.clone();
        for (int i = 0; half && i < rounded.length; i++) {
            rounded[i] = Float.float16ToFloat(Float.floatToFloat16(rounded[i]));
        }
        return rounded;
    }
}
