package io.posbias.model.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.rank.BestHits;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.rank.SearchStat;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Late-interaction score: for each query token the largest inner product with any passage token, summed over the
 * query's tokens (Khattab and Zaharia 2020, arXiv:2004.12832, equation 3), or their mean.
 *
 * <p>Without padding: maxima are over a passage's own tokens, and a negative best match counts. The tokens of a block
 * of queries and of some passages are multiplied in one matrix product by ONNX Runtime. Safe for several threads with
 * a {@link Worker} each.
 */
final class MaxSim extends VectorIndex {
    /** Query tokens of a product. */
    static final int QUERY_TOKENS = 1024;

    /** Passage tokens of a product, except for a single longer passage: 300 x 1,024 scores stay in a core's cache. */
    static final int PASSAGE_TOKENS = 300;

    private final OrtSession graph;
    private final Vectors tokens;
    private final int dimension;
    private final Late kind;

    MaxSim(EncodedPassages passages, Late kind, Engine engine) {
        super(passages, engine.threads());
        this.tokens = passages.vectors();
        this.dimension = tokens.dimension();
        this.kind = kind;
        // Always on the CPU: the products are small, and maxima are taken in Java.
        this.graph = OnnxRuntime.besides(engine.device(), engine.session())
                .onCpu()
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

    /**
     * Late interaction.
     *
     * @param number format of the vectors' numbers
     * @param mean true to divide the sum by the number of query tokens (bge-m3)
     */
    record Late(VectorCache.VectorFormat number, boolean mean) implements VectorRetriever.Kind {}

    @Override
    Ranking[] search(Vectors queries, int k, Progress.Step step) {
        int[] all = IntStream.range(0, tokens.size()).toArray();
        int[] starts = IntStream.iterate(0, from -> from < queries.size(), from -> blockEnd(queries, from))
                .toArray();
        int kept = Math.min(k, all.length);
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, starts.length, 1, () -> {
            Worker worker = worker();
            return (first, last) -> {
                for (int b = first; b < last; b++) {
                    int from = starts[b];
                    int to = blockEnd(queries, from);
                    BestHits[] best = new BestHits[to - from];
                    Arrays.setAll(best, i -> BestHits.any(kept));
                    worker.load(queries, from, to, QUERY_TOKENS);
                    worker.score(all, (query, passage, score) -> best[query].offer(passage, score));
                    for (int q = from; q < to; q++) {
                        rankings[q] = best[q - from].take();
                    }
                    step.advance(to - from);
                }
            };
        });
        return rankings;
    }

    @Override
    Ranking[] score(Vectors queries, Run pool) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, rankings.length, 1, () -> {
            Worker worker = worker();
            return (first, last) -> {
                for (int q = first; q < last; q++) {
                    int[] candidates = passages.encoded(pool.ranking(q).passages());
                    int[] places =
                            Arrays.stream(candidates).map(passages::place).toArray();
                    float[] scores = new float[places.length];
                    int[] next = {0};
                    worker.load(queries, q, q + 1, 1);
                    worker.score(places, (query, passage, score) -> scores[next[0]++] = score);
                    rankings[q] = Ranking.of(candidates, scores);
                }
            };
        });
        return rankings;
    }

    @Override
    Map<String, Double> size() {
        Map<String, Double> size = new LinkedHashMap<>();
        IntStream.range(0, tokens.size()).mapToLong(tokens::rows).average().ifPresent(each -> {
            size.put(SearchStat.VECTORS.key(), each);
            size.put(SearchStat.BYTES.key(), each * dimension * kind.number.bytes());
        });
        return size;
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

        /** @param which indices among the passages' vectors */
        void score(int[] which, ScoreSink sink) {
            int from = 0;
            while (from < which.length) {
                int count = tokens.rows(which[from]);
                int to = from + 1;
                while (to < which.length && count + tokens.rows(which[to]) <= PASSAGE_TOKENS) {
                    count += tokens.rows(which[to++]);
                }
                if (count > 0) {
                    multiply(which, from, to, count);
                }
                int row = 0;
                for (int i = from; i < to; i++) {
                    int rows = tokens.rows(which[i]);
                    reduce(row, rows, which[i], sink);
                    row += rows;
                }
                from = to;
            }
        }

        private void multiply(int[] which, int from, int to, int count) {
            passageTokens = grown(passageTokens, (long) count * dimension);
            products = grown(products, (long) count * width);
            passageTokens.clear();
            for (int i = from; i < to; i++) {
                tokens.read(which[i], passageTokens);
            }
            passageTokens.flip();
            products.clear().limit(count * width);
            try (OnnxTensor left = ExactSearch.tensor(passageTokens, count, dimension);
                    OnnxTensor right = ExactSearch.tensor(queryTokens, width, dimension);
                    OnnxTensor out = ExactSearch.tensor(products, count, width);
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
            return (float) (kind.mean && to > from ? sum / (to - from) : sum);
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
