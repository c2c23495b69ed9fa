package io.posbias.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.PosbiasException;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.onnx.OnnxGraph;
import io.posbias.encode.onnx.OnnxGraph.Attribute;
import io.posbias.encode.onnx.OnnxRuntime;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The score of late interaction: for each query token the largest inner product with any of the passage's tokens, summed
 * over the query's tokens (Khattab and Zaharia 2020, arXiv:2004.12832, equation 3), or their mean.
 *
 * <p>Ragged: a passage's maxima are taken over its own tokens only, so no padding takes part, and a query whose best match
 * is negative keeps it. All tokens of a block of queries and a handful of passages meet in one matrix product by ONNX
 * Runtime; maxima and sums are taken from its rows. Safe for several threads, each with its own {@link Worker}.
 */
final class MaxSim implements AutoCloseable {
    /** Query tokens of a product. */
    static final int QUERY_TOKENS = 1024;

    /** Passage tokens of a product, unless one passage alone has more: 300 x 1,024 scores stay in a core's cache. */
    static final int PASSAGE_TOKENS = 300;

    private final OrtSession session;
    private final int dimension;
    private final boolean mean;

    /**
     * @param dimension numbers of a token's vector
     * @param mean whether the sum is divided by the number of query tokens (bge-m3)
     */
    MaxSim(int dimension, boolean mean) {
        this.dimension = dimension;
        this.mean = mean;
        // On the processor whatever the encoder runs on: the products are small, and maxima are taken here.
        this.session = OnnxRuntime.onCpu()
                .load(
                        "MaxSim",
                        new OnnxGraph()
                                .input("passages", OnnxGraph.Type.FLOAT, "t", dimension)
                                .input("queries", OnnxGraph.Type.FLOAT, "q", dimension)
                                .node(
                                        "Gemm",
                                        List.of("passages", "queries"),
                                        List.of("products"),
                                        new Attribute("transB", 1))
                                .output("products", OnnxGraph.Type.FLOAT, "t", "q")
                                .toBytes());
    }

    @FunctionalInterface
    interface ScoreSink {
        /** Takes a score; {@code query} is the query's place in the block. */
        void score(int query, int passage, float score);
    }

    /**
     * How many queries from {@code from} on go into one block: as many whole ones as {@link #QUERY_TOKENS} holds, at least
     * one.
     */
    static int blockEnd(Vectors queries, int from) {
        int tokens = queries.rows(from);
        int end = from + 1;
        while (end < queries.size() && tokens + queries.rows(end) <= QUERY_TOKENS) {
            tokens += queries.rows(end++);
        }
        return end;
    }

    /** One thread's buffers, holding one block of queries at a time. */
    final class Worker {
        private FloatBuffer queryTokens = ExactSearch.direct((long) QUERY_TOKENS * dimension);
        private FloatBuffer passageTokens = ExactSearch.direct((long) PASSAGE_TOKENS * dimension);
        private FloatBuffer products = ExactSearch.direct((long) PASSAGE_TOKENS * QUERY_TOKENS);
        private float[] maxima = new float[QUERY_TOKENS];
        /** Where each query's tokens begin in the block, and where the last one's end. */
        private int[] starts = new int[1];

        private int width = QUERY_TOKENS;

        /**
         * Loads a block of queries, filled up with zeros: products of one width are the same whoever is beside.
         *
         * @param to the one after the last, as {@link MaxSim#blockEnd} gives it
         * @param least how many tokens at least: {@link #QUERY_TOKENS} for a block, 1 for a query alone
         */
        void load(Vectors queries, int from, int to, int least) {
            starts = new int[to - from + 1];
            for (int q = from; q < to; q++) {
                starts[q - from + 1] = starts[q - from] + queries.rows(q);
            }
            width = Math.max(least, starts[to - from]);
            queryTokens = grown(queryTokens, (long) width * dimension);
            maxima = maxima.length < width ? new float[width] : maxima;
            queryTokens.clear();
            for (int q = from; q < to; q++) {
                queries.read(q, queryTokens);
            }
            while (queryTokens.position() < width * dimension) {
                queryTokens.put(0);
            }
            queryTokens.flip();
        }

        void score(Vectors passages, int[] which, ScoreSink sink) {
            int from = 0;
            while (from < which.length) {
                int tokens = passages.rows(which[from]);
                int to = from + 1;
                while (to < which.length && tokens + passages.rows(which[to]) <= PASSAGE_TOKENS) {
                    tokens += passages.rows(which[to++]);
                }
                if (tokens > 0) {
                    multiply(passages, which, from, to, tokens);
                }
                int row = 0;
                for (int i = from; i < to; i++) {
                    int rows = passages.rows(which[i]);
                    reduce(row, rows, which[i], sink);
                    row += rows;
                }
                from = to;
            }
        }

        private void multiply(Vectors passages, int[] which, int from, int to, int tokens) {
            passageTokens = grown(passageTokens, (long) tokens * dimension);
            products = grown(products, (long) tokens * width);
            passageTokens.clear();
            for (int i = from; i < to; i++) {
                passages.read(which[i], passageTokens);
            }
            passageTokens.flip();
            products.clear().limit(tokens * width);
            try (OnnxTensor left = ExactSearch.tensor(passageTokens, tokens, dimension);
                    OnnxTensor right = ExactSearch.tensor(queryTokens, width, dimension);
                    OnnxTensor out = ExactSearch.tensor(products, tokens, width);
                    OrtSession.Result result =
                            session.run(Map.of("passages", left, "queries", right), Map.of("products", out))) {
                assert result.size() == 1;
            } catch (OrtException failed) {
                throw new PosbiasException("MaxSim failed: " + OnnxRuntime.line(failed), failed);
            }
        }

        private void reduce(int first, int rows, int passage, ScoreSink sink) {
            // A passage without a token matches nothing.
            Arrays.fill(maxima, 0, width, rows == 0 ? 0 : Float.NEGATIVE_INFINITY);
            for (int row = first; row < first + rows; row++) {
                maximum(maxima, products, row * width, width);
            }
            for (int q = 0; q + 1 < starts.length; q++) {
                sink.score(q, passage, sum(starts[q], starts[q + 1]));
            }
        }

        private float sum(int from, int to) {
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += maxima[i];
            }
            return (float) (mean && to > from ? sum / (to - from) : sum);
        }
    }

    /** Kept small and apart, so that the compiler turns it into vector instructions. */
    private static void maximum(float[] maxima, FloatBuffer products, int from, int width) {
        for (int i = 0; i < width; i++) {
            maxima[i] = Math.max(maxima[i], products.get(from + i));
        }
    }

    private static FloatBuffer grown(FloatBuffer buffer, long floats) {
        return buffer.capacity() >= floats ? buffer : ExactSearch.direct(floats);
    }

    Worker worker() {
        return new Worker();
    }

    @Override
    public void close() {
        OnnxRuntime.close("MaxSim", session);
    }
}
