package io.posbias.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.Progress;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.onnx.OnnxGraph;
import io.posbias.encode.onnx.OnnxGraph.Attribute;
import io.posbias.encode.onnx.OnnxRuntime;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The best passages by inner product, exactly: a matrix product by ONNX Runtime, tile by tile, and the best of every row.
 *
 * <p>Tiles have one size, whatever the number of threads, and the last one of a corpus overlaps the one before: the same
 * two vectors give the same bits wherever they are, so that equal passages tie. On the processor the best of a tile are
 * picked here, which is four times faster than the operator TopK; on a card TopK saves carrying the scores over.
 *
 * <p>On the processor a {@link Screen} comes first where that is faster; rankings are the same to the bit with it and without.
 */
final class ExactSearch implements AutoCloseable {
    /** Queries of a tile; the passages' side is packed once for all of them. */
    static final int QUERIES = 256;

    /** Passages of a tile: 256 x 1,024 scores stay in a core's cache. */
    static final int PASSAGES = 1024;

    /** Whether pairs are screened before they are scored in floats. */
    enum Screening {
        /** Where it is faster, as far as sizes and a measurement tell. */
        WHERE_FASTER,
        /** Wherever it is possible. */
        ALWAYS,
        /** Nowhere. */
        NEVER
    }

    private static final int CUDA_QUERIES = 2048;
    private static final int CUDA_PASSAGES = 16_384;

    /** Passages are gathered from disk in pieces of this size, so that a corpus need not fit in memory. */
    static final long CHUNK_BYTES = 128L << 20;

    // Screening takes a check of the processor, 0.1 s, and pays where a query's best are few of many.
    private static final int LEAST_PASSAGES = 4 * PASSAGES;
    private static final double LARGEST_SHARE = 1.0 / 64;
    private static final double LEAST_WORK = 2e10;

    private final OrtSession session;
    private final int threads;
    private final int dimension;
    private final boolean topK;
    private final int queryTile;
    private final int passageTile;
    private final Screening screening;
    private final long chunkBytes;
    private @Nullable Screen screen;
    private boolean screenChecked;

    /**
     * @param topK whether the graph picks the best itself
     */
    ExactSearch(OnnxRuntime runtime, int threads, int dimension, boolean topK) {
        this(runtime, threads, dimension, topK, Screening.WHERE_FASTER, CHUNK_BYTES);
    }

    /**
     * @param screening where pairs are screened; never on a card, or where the graph picks the best
     * @param chunkBytes how much of the passages is in memory at a time
     */
    ExactSearch(OnnxRuntime runtime, int threads, int dimension, boolean topK, Screening screening, long chunkBytes) {
        this.threads = topK ? 1 : threads;
        this.dimension = dimension;
        this.topK = topK;
        this.queryTile = runtime.device().isCuda() ? CUDA_QUERIES : QUERIES;
        this.passageTile = runtime.device().isCuda() ? CUDA_PASSAGES : PASSAGES;
        this.screening = topK || runtime.device().isCuda() ? Screening.NEVER : screening;
        this.chunkBytes = chunkBytes;
        this.session = runtime.load("exact search", graph(dimension, topK));
    }

    private static byte[] graph(int dimension, boolean topK) {
        OnnxGraph graph = new OnnxGraph()
                .input("queries", OnnxGraph.Type.FLOAT, "q", dimension)
                .input("passages", OnnxGraph.Type.FLOAT, "p", dimension)
                .node("Gemm", List.of("queries", "passages"), List.of("scores"), new Attribute("transB", 1));
        if (topK) {
            return graph.input("k", OnnxGraph.Type.INT64, 1)
                    .node("TopK", List.of("scores", "k"), List.of("best", "places"))
                    .output("best", OnnxGraph.Type.FLOAT, "q", "k")
                    .output("places", OnnxGraph.Type.INT64, "q", "k")
                    .toBytes();
        }
        return graph.output("scores", OnnxGraph.Type.FLOAT, "q", "p").toBytes();
    }

    /**
     * Ranks all passages for each query.
     *
     * @param k how many to keep, at least 1
     * @param step told of queries, each once for every piece of the corpus
     */
    Ranking[] search(Vectors queries, Vectors passages, int k, Progress.Step step) {
        return search(queries, passages, 0, passages.size(), k, step);
    }

    /**
     * The same among some passages of a corpus; a score does not depend on which.
     *
     * @param start the ordinal of the first
     * @param end the one behind the last
     */
    Ranking[] search(Vectors queries, Vectors passages, int start, int end, int k, Progress.Step step) {
        BestHits[] best = new BestHits[queries.size()];
        int kept = Math.min(k, end - start);
        Arrays.setAll(best, i -> BestHits.any(kept));
        int tile = tile(passages);
        int chunk = chunk(tile);
        int most = Math.min(chunk, Math.max(tile, end - start));
        FloatBuffer buffer = direct((long) most * dimension);
        Screen first = screenFor(queries.size(), end - start, kept);
        ByteVectors bytes = new ByteVectors(first == null ? 0 : most, dimension);
        int[] all = IntStream.range(0, queries.size()).toArray();
        for (int from = start; from < end; from += chunk) {
            // The last piece reaches back for a whole tile; what was seen before is not offered again.
            int to = Math.min(from + chunk, end);
            int begin = Math.max(0, Math.min(from, to - tile));
            gather(passages, begin, to, buffer);
            FloatBuffer fresh = buffer.slice((from - begin) * dimension, (to - from) * dimension);
            int[] rest = first == null ? all : first.search(queries, fresh, bytes, from, best, kept, threads, step);
            multiply(new Piece(queries, rest, best, kept, buffer, begin, from, to, tile), step);
        }
        if (first != null) {
            step.note(String.format(Locale.ROOT, "%.2f %% of pairs scored in floats", 100 * first.shareScored()));
        }
        return Arrays.stream(best).map(BestHits::take).toArray(Ranking[]::new);
    }

    private void multiply(Piece piece, Progress.Step step) {
        int tiles = Math.ceilDiv(piece.which.length, queryTile);
        Parallel.forChunks(threads, tiles, 1, () -> {
            Worker worker = new Worker(piece);
            return (first, last) -> {
                for (int i = first; i < last; i++) {
                    worker.search(i * queryTile);
                    step.advance(Math.min(queryTile, piece.which.length - i * queryTile));
                }
            };
        });
    }

    /** The share of pairs that were scored in floats so far; 1 if none were screened. */
    double shareScored() {
        return screen == null ? 1 : screen.shareScored();
    }

    /** What screens a search of this size; null if floats alone are to be multiplied. */
    private @Nullable Screen screenFor(int queries, int passages, int k) {
        boolean tried = screening == Screening.ALWAYS
                || (screening == Screening.WHERE_FASTER
                        && passages >= LEAST_PASSAGES
                        && (double) k / passages <= LARGEST_SHARE
                        && (double) queries * passages * dimension >= LEAST_WORK);
        if (!tried || passages < PASSAGES || dimension > Screen.MOST_DIMENSIONS) {
            return null;
        }
        if (!screenChecked) {
            screenChecked = true;
            screen = ScreenCheck.open(dimension, this::multiply, screening == Screening.WHERE_FASTER);
        }
        return screen;
    }

    /** Multiplies a tile of queries and a tile of passages. */
    private void multiply(OnnxTensor queries, OnnxTensor passages, OnnxTensor scores) throws OrtException {
        try (OrtSession.Result result =
                session.run(Map.of("queries", queries, "passages", passages), Map.of("scores", scores))) {
            assert result.size() == 1;
        }
    }

    /** How often every query is told to {@code step}. */
    long pieces(Vectors passages) {
        return Math.ceilDiv(passages.size(), chunk(tile(passages)));
    }

    private int tile(Vectors passages) {
        return Math.max(1, Math.min(passageTile, passages.size()));
    }

    /** How many passages a piece of the corpus has: whole tiles. */
    private int chunk(int tile) {
        return (int) Math.max(1, chunkBytes / ((long) dimension * Float.BYTES) / tile) * tile;
    }

    /**
     * Passages that are in memory, and what they are searched for.
     *
     * @param which the queries
     * @param best takes the best {@code k} of each query
     * @param values the passages' vectors
     * @param begin the ordinal of the first
     * @param from the first that has not been searched before
     * @param to the one after the last
     * @param tile how many go into one product
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Piece(
            Vectors queries,
            int[] which,
            BestHits[] best,
            int k,
            FloatBuffer values,
            int begin,
            int from,
            int to,
            int tile) {}

    private void gather(Vectors passages, int from, int to, FloatBuffer buffer) {
        Parallel.forChunks(threads, to - from, 256, () -> (first, last) -> {
            FloatBuffer into = buffer.duplicate();
            for (int i = first; i < last; i++) {
                into.position(i * dimension);
                passages.read(from + i, into);
            }
        });
    }

    static FloatBuffer direct(long floats) {
        return ByteBuffer.allocateDirect(Math.toIntExact(floats * Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    static OnnxTensor tensor(FloatBuffer values, int rows, int columns) throws OrtException {
        return OnnxTensor.createTensor(OnnxRuntime.environment(), values, new long[] {rows, columns});
    }

    private final class Worker {
        private final Piece piece;
        private final FloatBuffer rows = direct((long) queryTile * dimension);
        private final FloatBuffer scores;
        private final float[] row;

        Worker(Piece piece) {
            this.piece = piece;
            this.row = new float[piece.tile];
            this.scores = direct(topK ? 0 : (long) queryTile * piece.tile);
        }

        /** Searches the piece for a tile of queries; the last tile is filled up with what the one before left. */
        void search(int from) {
            int count = Math.min(queryTile, piece.which.length - from);
            rows.clear();
            for (int i = 0; i < count; i++) {
                piece.queries.read(piece.which[from + i], rows);
            }
            rows.clear();
            try (OnnxTensor left = tensor(rows, queryTile, dimension)) {
                for (int at = piece.from; at < piece.to; at += piece.tile) {
                    int begin = Math.max(piece.begin, Math.min(at, piece.to - piece.tile));
                    product(left, begin, at, from, count);
                }
            } catch (OrtException failed) {
                throw new PosbiasException("exact search failed: " + OnnxRuntime.line(failed), failed);
            }
        }

        private void product(OnnxTensor left, int begin, int fresh, int from, int count) throws OrtException {
            FloatBuffer part = piece.values.slice((begin - piece.begin) * dimension, piece.tile * dimension);
            try (OnnxTensor right = tensor(part, piece.tile, dimension)) {
                if (topK) {
                    pick(left, right, begin, fresh, from, count);
                    return;
                }
                try (OnnxTensor out = tensor(scores, queryTile, piece.tile)) {
                    multiply(left, right, out);
                }
                for (int i = 0; i < count; i++) {
                    offer(piece.best[piece.which[from + i]], i * piece.tile, begin, fresh);
                }
            }
        }

        private void offer(BestHits hits, int first, int begin, int fresh) {
            // Out of the buffer at once: the loop then runs without its checks.
            scores.get(first, row);
            float worst = hits.worst();
            for (int i = fresh - begin; i < row.length; i++) {
                float score = row[i];
                // Not "score >= worst": a score that is no number must not slip through.
                if (!(score < worst)) {
                    hits.offer(begin + i, score);
                    worst = hits.worst();
                }
            }
        }

        private void pick(OnnxTensor left, OnnxTensor right, int begin, int fresh, int from, int count)
                throws OrtException {
            // Some of the best may have been seen in the tile before: ask for as many more.
            int asked = Math.min(piece.tile, piece.k + fresh - begin);
            try (OnnxTensor depth = OnnxTensor.createTensor(OnnxRuntime.environment(), new long[] {asked});
                    OrtSession.Result result = session.run(Map.of("queries", left, "passages", right, "k", depth))) {
                FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
                LongBuffer places = ((OnnxTensor) result.get(1)).getLongBuffer();
                for (int i = 0; i < count * asked; i++) {
                    int passage = begin + (int) places.get(i);
                    if (passage >= fresh) {
                        piece.best[piece.which[from + i / asked]].offer(passage, values.get(i));
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        if (screen != null) {
            screen.close();
        }
        OnnxRuntime.close("exact search", session);
    }
}
