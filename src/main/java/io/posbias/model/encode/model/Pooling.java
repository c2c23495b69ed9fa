package io.posbias.model.encode.model;

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
    /** The sum over the tokens, divided by the square root of their number. */
    MEAN_SQRT_LEN,
    /** The mean over the tokens, each weighted by its place in the row, 1 for the first (SGPT, arXiv:2202.08904). */
    WEIGHTED_MEAN,
    /** The graph has done it. */
    NONE;

    /** Returns true if a part of the tokens can be left out. */
    boolean isOverTokens() {
        return this == MEAN || this == MAX || this == MEAN_SQRT_LEN || this == WEIGHTED_MEAN;
    }

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
            case MEAN_SQRT_LEN -> {
                mean(values, first, from, to, vector);
                scale(vector, Math.sqrt(Math.max(1, to - from)));
            }
            case WEIGHTED_MEAN -> weightedMean(values, first, from, to, vector);
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

    private static void weightedMean(FloatBuffer values, int first, int from, int to, float[] vector) {
        double[] sums = new double[vector.length];
        double weights = 0;
        for (int token = from; token < to; token++) {
            int weight = token + 1;
            weights += weight;
            for (int i = 0; i < vector.length; i++) {
                sums[i] += weight * (double) values.get(first + token * vector.length + i);
            }
        }
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) (sums[i] / Math.max(1, weights));
        }
    }

    private static void scale(float[] vector, double factor) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) (vector[i] * factor);
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
