package io.posbias.retrieve;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.Progress;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.onnx.OnnxGraph;
import io.posbias.encode.onnx.OnnxRuntime;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Exact search that multiplies bytes first: the product of rounded vectors bounds every score, and only pairs that may be
 * among a query's best are scored in floats. Rankings are those of the search in floats, to the bit: no passage is lost,
 * because {@link ByteVectors} bounds what rounding changes, and {@link GemmProduct} adds in the order of the float product.
 *
 * <p>Queries for which this does not pay are left to the search in floats: passages whose scores are so close that bytes do
 * not tell them apart, and numbers that are not finite. See docs/adr/0025-screened-search.md.
 */
final class Screen implements AutoCloseable {
    /** More dimensions might overflow the sum of products of 255 and 127. */
    static final int MOST_DIMENSIONS = 65_536;

    /** Passages that guess where a query's best begin. */
    private static final int SAMPLE = ExactSearch.PASSAGES;

    /** One pair takes as long as 30 to 60 of a matrix product: of more than this share, the product is faster. */
    private static final int MOST_RESCORED = 32;

    /** So few queries left over are not worth a tile of the float product for each thread. */
    private static final int FEW = 8;

    private final OrtSession session;
    private final int dimension;

    /** Pairs that were scored in floats, one by one or by the product; of how many. */
    private long scored;

    private long pairs;

    Screen(OnnxRuntime runtime, int dimension) {
        this.dimension = dimension;
        this.session = runtime.load(
                "screening of exact search",
                new OnnxGraph()
                        .input("passages", OnnxGraph.Type.UINT8, "p", dimension)
                        .input("queries", OnnxGraph.Type.INT8, dimension, "q")
                        .node("MatMulInteger", List.of("passages", "queries"), List.of("sums"))
                        .output("sums", OnnxGraph.Type.INT32, "p", "q")
                        .toBytes());
    }

    /**
     * Multiplies bytes.
     *
     * @param passages {@code rows} vectors of unsigned bytes
     * @param queries signed bytes, as {@link #columns} makes them
     * @param sums takes a row for each passage and a column for each query
     */
    void multiply(ByteBuffer passages, int rows, OnnxTensor queries, int columns, IntBuffer sums) throws OrtException {
        sums.clear().limit(rows * columns);
        try (OnnxTensor left = OnnxTensor.createTensor(
                        OnnxRuntime.environment(), passages, new long[] {rows, dimension}, OnnxJavaType.UINT8);
                OnnxTensor out = OnnxTensor.createTensor(OnnxRuntime.environment(), sums, new long[] {rows, columns});
                OrtSession.Result result =
                        session.run(Map.of("passages", left, "queries", queries), Map.of("sums", out))) {
            assert result.size() == 1;
        }
    }

    /** Queries as the columns of a matrix of signed bytes. */
    OnnxTensor columns(ByteBuffer queries, int columns) throws OrtException {
        return OnnxTensor.createTensor(
                OnnxRuntime.environment(),
                queries.slice(0, columns * dimension),
                new long[] {dimension, columns},
                OnnxJavaType.INT8);
    }

    /**
     * Passages that are searched.
     *
     * @param values their vectors, one after another
     * @param bytes the same, rounded
     * @param sample some of them, from everywhere
     * @param begin the ordinal of the first
     */
    record Piece(FloatBuffer values, ByteVectors bytes, ByteVectors sample, int begin) {
        int size() {
            return bytes.size();
        }
    }

    /**
     * Searches a piece of the corpus.
     *
     * @param values the passages' vectors, one after another
     * @param bytes takes them rounded, in place of those of the piece before
     * @param begin the ordinal of the first passage
     * @param best take the best of each query
     * @param step told of each query that was searched
     * @return the queries that were not searched
     */
    int[] search(
            Vectors queries,
            FloatBuffer values,
            ByteVectors bytes,
            int begin,
            BestHits[] best,
            int k,
            int threads,
            Progress.Step step) {
        int count = values.remaining() / dimension;
        boolean[] searched = new boolean[queries.size()];
        AtomicInteger left = new AtomicInteger();
        if (bytes.round(values, count, threads)) {
            Piece piece = new Piece(values, bytes, bytes.sample(SAMPLE), begin);
            int most = Math.max(2 * k, count / MOST_RESCORED);
            int tiles = Math.ceilDiv(queries.size(), ExactSearch.QUERIES);
            Parallel.forChunks(threads, tiles, 1, () -> {
                ScreenWorker worker = new ScreenWorker(this, dimension, piece, k, most);
                return (first, last) -> {
                    for (int i = first; i < last; i++) {
                        int from = i * ExactSearch.QUERIES;
                        int tile = Math.min(ExactSearch.QUERIES, queries.size() - from);
                        // Where it does not pay for most of a tile, it is not tried for the next ones.
                        if (left.get() <= ExactSearch.QUERIES / 2 * threads) {
                            int done = tile(worker, queries, from, tile, best, searched);
                            step.advance(done);
                            left.addAndGet(tile - done);
                            add(worker.rescored());
                        }
                    }
                };
            });
        }
        int[] rest =
                IntStream.range(0, searched.length).filter(i -> !searched[i]).toArray();
        if (rest.length <= FEW * threads) {
            Parallel.forChunks(threads, rest.length, 1, () -> (first, last) -> {
                for (int i = first; i < last; i++) {
                    GemmProduct.all(queries.read(rest[i]), values, begin, best[rest[i]]);
                    step.advance(1);
                }
            });
        }
        pairs += (long) count * searched.length;
        add((long) count * rest.length);
        return rest.length <= FEW * threads ? new int[0] : rest;
    }

    private static int tile(
            ScreenWorker worker, Vectors queries, int from, int tile, BestHits[] best, boolean[] searched) {
        try {
            return worker.search(queries, from, tile, best, searched);
        } catch (OrtException failed) {
            throw new PosbiasException("screening of exact search failed: " + OnnxRuntime.line(failed), failed);
        }
    }

    private synchronized void add(long more) {
        scored += more;
    }

    /** The share of pairs of a query and a passage that were scored in floats. */
    synchronized double shareScored() {
        return pairs == 0 ? 0 : (double) scored / pairs;
    }

    @Override
    public void close() {
        OnnxRuntime.close("screening of exact search", session);
    }
}
