package io.posbias.model.retrieve;

import io.posbias.model.encode.model.TokenVectors;
import io.posbias.model.encode.onnx.TokenPlaces;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Loaded model that decomposes scores by passage tokens. Safe for several threads.
 *
 * @param queries returns a query's vectors, one after another
 * @param closing closes the model
 */
public record Attributor(
        Function<String, TokenVectors> passages, Function<String, float[]> queries, Splitter splitter, Runnable closing)
        implements AutoCloseable {
    /**
     * Score decomposed by the passage's tokens.
     *
     * @param starts of the tokens in the passage, in UTF-16 units
     * @param ends of the tokens, in UTF-16 units
     * @param values in the score's unit; 0 for truncated and excluded tokens
     * @param rest contribution of special tokens and prompt
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
    public record Contributions(int[] starts, int[] ends, double[] values, double rest) {
        public double score() {
            return rest + Arrays.stream(values).sum();
        }
    }

    /** Decomposition of one query's score. */
    @FunctionalInterface
    public interface Splitter {
        /** Adds each passage vector's contribution to {@code values}, initially 0. */
        void split(float[] query, TokenVectors passage, double[] values);
    }

    /** Decomposes the scores of a passage for several queries; encodes the passage once. */
    public List<Contributions> of(String passage, List<String> texts) {
        TokenVectors vectors = passages.apply(passage);
        return texts.stream()
                .map(text -> contributions(queries.apply(text), vectors))
                .toList();
    }

    private Contributions contributions(float[] query, TokenVectors vectors) {
        double[] byVector = new double[vectors.owners().length];
        splitter.split(query, vectors, byVector);
        double[] values = new double[vectors.starts().length];
        double rest = 0;
        for (int i = 0; i < byVector.length; i++) {
            int owner = vectors.owners()[i];
            if (owner == TokenPlaces.NO_TOKEN) {
                rest += byVector[i];
            } else {
                values[owner] += byVector[i];
            }
        }
        return new Contributions(vectors.starts(), vectors.ends(), values, rest);
    }

    /** Decomposes the inner product with a passage vector that is the sum of token vectors. */
    static void byProduct(float[] query, TokenVectors passage, double[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = product(query, 0, passage.vectors(), i * passage.width(), passage.width());
        }
    }

    /**
     * Decomposes MaxSim: each query token's largest inner product goes to the vector that reaches it, the first of
     * equal ones.
     *
     * @param mean true if the score is the mean over the query's tokens
     */
    static Splitter byMaximum(boolean mean) {
        return (query, passage, values) -> {
            int tokens = passage.width() == 0 ? 0 : query.length / passage.width();
            for (int token = 0; token < tokens; token++) {
                int best = 0;
                double most = Double.NEGATIVE_INFINITY;
                for (int i = 0; i < values.length; i++) {
                    double product = product(
                            query, token * passage.width(), passage.vectors(), i * passage.width(), passage.width());
                    if (product > most) {
                        most = product;
                        best = i;
                    }
                }
                values[best] += mean ? most / tokens : most;
            }
        };
    }

    /** Computes in double precision, so that sums of thousands equal the retriever's scores. */
    static double product(float[] a, int fromA, float[] b, int fromB, int width) {
        double sum = 0;
        for (int i = 0; i < width; i++) {
            sum += (double) a[fromA + i] * b[fromB + i];
        }
        return sum;
    }

    @Override
    public void close() {
        closing.run();
    }
}
