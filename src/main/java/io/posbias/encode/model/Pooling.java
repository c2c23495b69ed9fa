package io.posbias.encode.model;

import java.nio.FloatBuffer;

/** Methods of combining the vectors of a text's tokens into one. */
public enum Pooling {
    /** The first token's, whatever it is called: [CLS], {@code <s>}. */
    CLS,
    /** The mean over the tokens, special ones included. */
    MEAN,
    /** The greatest number over the tokens in each place, special ones included: max pooling. */
    MAX,
    /** The last token's that is not padding. */
    LAST,
    /** The graph has done it. */
    NONE;

    /**
     * Pools the tokens of a row.
     *
     * @param values vectors, one after another
     * @param first offset of the row's first vector
     * @param from the first token that counts
     * @param to the token after the last that counts
     * @param width the size of a vector
     */
    float[] pool(FloatBuffer values, int first, int from, int to, int width) {
        float[] vector = new float[width];
        switch (this) {
            case CLS, NONE -> values.get(first, vector);
            case LAST -> values.get(first + Math.max(0, to - 1) * width, vector);
            case MEAN -> mean(values, first, from, to, vector);
            case MAX -> max(values, first, from, to, vector);
        }
        return vector;
    }

    /** Sums in double precision: the mean of 8,192 floats must not depend on their order. */
    private static void mean(FloatBuffer values, int first, int from, int to, float[] vector) {
        int width = vector.length;
        double[] sums = new double[width];
        float[] one = new float[width];
        for (int token = from; token < to; token++) {
            // Out of the buffer at once: the sum below then runs on vectors.
            values.get(first + token * width, one);
            for (int i = 0; i < width; i++) {
                sums[i] += one[i];
            }
        }
        for (int i = 0; i < width; i++) {
            vector[i] = (float) (sums[i] / Math.max(1, to - from));
        }
    }

    private static void max(FloatBuffer values, int first, int from, int to, float[] vector) {
        int width = vector.length;
        float[] one = new float[width];
        values.get(first + from * width, vector);
        for (int token = from + 1; token < to; token++) {
            values.get(first + token * width, one);
            for (int i = 0; i < width; i++) {
                vector[i] = Math.max(vector[i], one[i]);
            }
        }
    }

    /** Scales a part of an array to length 1; a vector of zeros stays. */
    public static void normalise(float[] vectors, int from, int width) {
        double squares = 0;
        for (int i = from; i < from + width; i++) {
            squares += (double) vectors[i] * vectors[i];
        }
        if (squares > 0) {
            double scale = 1 / Math.sqrt(squares);
            for (int i = from; i < from + width; i++) {
                vectors[i] = (float) (vectors[i] * scale);
            }
        }
    }
}
