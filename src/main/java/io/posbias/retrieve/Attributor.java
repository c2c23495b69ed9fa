package io.posbias.retrieve;

import io.posbias.encode.model.TokenVectors;
import io.posbias.encode.onnx.TokenPlaces;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A loaded model that splits scores into what each token of a passage adds. Safe for several threads.
 *
 * @param passages gives the vectors of a passage
 * @param queries gives the vectors of a query, one after another
 * @param closing lets go of the model
 */
public record Attributor(
        Function<String, TokenVectors> passages, Function<String, float[]> queries, Splitter splitter, Runnable closing)
        implements AutoCloseable {
    /**
     * A score split into what each token of the passage adds.
     *
     * @param starts where each token of the passage begins in it, in UTF-16 units
     * @param ends where each ends
     * @param values what each adds, in the score's unit; 0 for tokens that were cut off or take no part
     * @param rest what special tokens and the prompt add
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
    public record Contributions(int[] starts, int[] ends, double[] values, double rest) {
        /** The score: the sum of all. */
        public double score() {
            return rest + Arrays.stream(values).sum();
        }
    }

    /** Splits the score of one query. */
    @FunctionalInterface
    public interface Splitter {
        /** Puts what each vector of the passage adds into {@code values}, which are all 0 before. */
        void split(float[] query, TokenVectors passage, double[] values);
    }

    /**
     * Splits the scores of some queries and one passage, which is encoded once.
     *
     * @return one for each query, in their order
     */
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

    /** The inner product with each vector of a passage whose vectors sum to its own. */
    static void byProduct(float[] query, TokenVectors passage, double[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = product(query, 0, passage.vectors(), i * passage.width(), passage.width());
        }
    }

    /**
     * Each query token's largest inner product, given to the vector where it is reached; of equal ones the first.
     *
     * @param mean whether the score is the mean over the query's tokens
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

    /** In double precision, so that sums of thousands stay those of the retriever. */
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
