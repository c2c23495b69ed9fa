package io.posbias.model.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import io.posbias.model.encode.onnx.OnnxRuntime;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Late-interaction score: for each query token the largest inner product with any passage token, summed over the
 * query's tokens (Khattab and Zaharia 2020, arXiv:2004.12832, equation 3), or their mean.
 *
 * <p>Without padding: maxima are over a passage's own tokens, and a negative best match counts. The tokens of a block
 * of queries and of some passages are multiplied in one matrix product by ONNX Runtime. Safe for several threads with
 * a {@link Worker} each.
 */
final class MaxSim implements AutoCloseable {
    /** Query tokens of a product. */
    static final int QUERY_TOKENS = 1024;

    /** Passage tokens of a product, except for a single longer passage: 300 x 1,024 scores stay in a core's cache. */
    static final int PASSAGE_TOKENS = 300;

    private final OrtSession graph;
    private final int dimension;
    private final boolean mean;

    /**
     * @param dimension of a token's vector
     * @param mean true to divide the sum by the number of query tokens (bge-m3)
     */
    MaxSim(int dimension, boolean mean, Session session) {
        this.dimension = dimension;
        this.mean = mean;
        // Always on the CPU: the products are small, and maxima are taken in Java.
        this.graph = OnnxRuntime.onCpu(session)
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
        /**
         * @param query index in the block
         */
        void score(int query, int passage, float score);
    }

    /** Returns the end of a block of queries that fits into {@link #QUERY_TOKENS}, with at least one query. */
    static int blockEnd(Vectors queries, int from) {
        int tokens = queries.rows(from);
        int end = from + 1;
        while (end < queries.size() && tokens + queries.rows(end) <= QUERY_TOKENS) {
            tokens += queries.rows(end++);
        }
        return end;
    }

    /** Buffers of one thread, for one block of queries at a time. */
    final class Worker {
        private FloatBuffer queryTokens = ExactSearch.direct((long) QUERY_TOKENS * dimension);
        private FloatBuffer passageTokens = ExactSearch.direct((long) PASSAGE_TOKENS * dimension);
        private FloatBuffer products = ExactSearch.direct((long) PASSAGE_TOKENS * QUERY_TOKENS);
        private float[] maxima = new float[QUERY_TOKENS];
        /** Start of each query's tokens in the block, and the end of the last one. */
        private int[] starts = new int[1];

        private int width = QUERY_TOKENS;

        /**
         * Loads a block of queries, padded with zeros: products of one width do not depend on the other queries.
         *
         * @param to as returned by {@link MaxSim#blockEnd}
         * @param least minimum width: {@link #QUERY_TOKENS} for a block, 1 for a single query
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
                            graph.run(Map.of("passages", left, "queries", right), Map.of("products", out))) {
                assert result.size() == 1;
            } catch (OrtException failed) {
                throw new PosbiasException("MaxSim failed: " + OnnxRuntime.line(failed), failed);
            }
        }

        private void reduce(int first, int rows, int passage, ScoreSink sink) {
            // A passage without tokens scores 0.
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

    /** A small method, so that the JIT vectorises it. */
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
        OnnxRuntime.close("MaxSim", graph);
    }
}
