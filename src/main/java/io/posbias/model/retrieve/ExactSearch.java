package io.posbias.model.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.rank.BestHits;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Exact search by inner product: tiled matrix multiplication in ONNX Runtime, then the best k of each row.
 *
 * <p>All tiles have one size for any number of threads, and the last tile of a corpus overlaps the previous one. So
 * two vectors have the same score to the bit at any position, and equal passages tie. On the CPU, Java selects the
 * best of a tile, four times faster than the operator TopK; on a GPU, TopK avoids copying all scores.
 */
final class ExactSearch implements AutoCloseable {
    /** Queries of a tile; the passages' side is packed once for all of them. */
    static final int QUERIES = 256;

    /** Passages of a tile: 256 x 1,024 scores stay in a core's cache. */
    static final int PASSAGES = 1024;

    private static final int CUDA_QUERIES = 2048;
    private static final int CUDA_PASSAGES = 16_384;

    /** Size of a block of passages in memory, so that a corpus need not fit. */
    private static final long BLOCK_BYTES = 128L << 20;

    private final OrtSession session;
    private final int threads;
    private final int dimension;
    private final boolean topK;
    private final int queryTile;
    private final int passageTile;
    private final long blockBytes;

    /**
     * @param topK true to select the best k in the graph
     */
    ExactSearch(OnnxRuntime runtime, int threads, int dimension, boolean topK) {
        this(runtime, threads, dimension, topK, BLOCK_BYTES);
    }

    ExactSearch(OnnxRuntime runtime, int threads, int dimension, boolean topK, long blockBytes) {
        this.threads = topK ? 1 : threads;
        this.dimension = dimension;
        this.topK = topK;
        this.queryTile = runtime.device().isCuda() ? CUDA_QUERIES : QUERIES;
        this.passageTile = runtime.device().isCuda() ? CUDA_PASSAGES : PASSAGES;
        this.blockBytes = blockBytes;
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
     * @param k at least 1
     * @param step advanced by all queries for each block of passages
     */
    Ranking[] search(Vectors queries, Vectors passages, int k, Progress.Step step) {
        BestHits[] best = new BestHits[queries.size()];
        int end = passages.size();
        int kept = Math.min(k, end);
        Arrays.setAll(best, i -> BestHits.any(kept));
        int tile = tile(passages);
        int size = blockSize(tile);
        FloatBuffer buffer = direct((long) Math.min(size, Math.max(tile, end)) * dimension);
        for (int from = 0; from < end; from += size) {
            // The last block begins earlier, to hold a whole tile; passages before "from" are not offered again.
            int to = Math.min(from + size, end);
            int begin = Math.max(0, Math.min(from, to - tile));
            gather(passages, begin, to, buffer);
            Block block = new Block(queries, best, kept, buffer, begin, from, to, tile);
            Parallel.forChunks(threads, Math.ceilDiv(queries.size(), queryTile), 1, () -> {
                Worker worker = new Worker(block);
                return (first, last) -> {
                    for (int i = first; i < last; i++) {
                        step.advance(worker.search(i * queryTile));
                    }
                };
            });
        }
        return Arrays.stream(best).map(BestHits::take).toArray(Ranking[]::new);
    }

    /** Scores candidates: for each tile of queries, all of their candidates are multiplied. */
    List<Ranking> score(Vectors queries, EncodedPassages passages, Run pool) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, Math.ceilDiv(queries.size(), queryTile), 1, () -> {
            Scorer scorer = new Scorer(queries, passages);
            return (first, last) -> {
                for (int i = first; i < last; i++) {
                    int from = i * queryTile;
                    scorer.score(pool, from, Math.min(queries.size(), from + queryTile), rankings);
                }
            };
        });
        return Arrays.asList(rankings);
    }

    /** Returns the number of blocks: how often {@code step} is advanced by each query. */
    long pieces(Vectors passages) {
        return Math.ceilDiv(passages.size(), blockSize(tile(passages)));
    }

    private int tile(Vectors passages) {
        return Math.max(1, Math.min(passageTile, passages.size()));
    }

    private int blockSize(int tile) {
        return (int) Math.max(1, blockBytes / ((long) dimension * Float.BYTES) / tile) * tile;
    }

    /**
     * Passages in memory and their queries.
     *
     * @param best collects {@code k} hits of each query
     * @param values the passages' vectors
     * @param begin ordinal of the first passage in memory
     * @param from ordinal of the first unsearched passage
     * @param to ordinal after the last
     * @param tile passages of a product
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Block(
            Vectors queries, BestHits[] best, int k, FloatBuffer values, int begin, int from, int to, int tile) {}

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

    /**
     * @param scores receives a row for each query of a tile
     */
    private void multiply(OnnxTensor queries, OnnxTensor passages, FloatBuffer scores, int tile) throws OrtException {
        try (OnnxTensor out = tensor(scores, queryTile, tile);
                OrtSession.Result result =
                        session.run(Map.of("queries", queries, "passages", passages), Map.of("scores", out))) {
            assert result.size() == 1;
        }
    }

    private final class Worker {
        private final Block block;
        private final FloatBuffer rows = direct((long) queryTile * dimension);
        private final FloatBuffer scores;
        private final float[] row;

        Worker(Block block) {
            this.block = block;
            this.row = new float[block.tile];
            this.scores = direct(topK ? 0 : (long) queryTile * block.tile);
        }

        /** Searches the block for a tile of queries and returns their number; rows of the last tile may be stale. */
        int search(int from) {
            int count = Math.min(queryTile, block.queries.size() - from);
            rows.clear();
            for (int i = 0; i < count; i++) {
                block.queries.read(from + i, rows);
            }
            rows.clear();
            try (OnnxTensor left = tensor(rows, queryTile, dimension)) {
                for (int at = block.from; at < block.to; at += block.tile) {
                    int begin = Math.max(block.begin, Math.min(at, block.to - block.tile));
                    product(left, begin, at, from, count);
                }
            } catch (OrtException failed) {
                throw new PosbiasException("exact search failed: " + OnnxRuntime.line(failed), failed);
            }
            return count;
        }

        private void product(OnnxTensor left, int begin, int fresh, int from, int count) throws OrtException {
            FloatBuffer part = block.values.slice((begin - block.begin) * dimension, block.tile * dimension);
            try (OnnxTensor right = tensor(part, block.tile, dimension)) {
                if (topK) {
                    select(left, right, begin, fresh, from, count);
                    return;
                }
                multiply(left, right, scores, block.tile);
                for (int i = 0; i < count; i++) {
                    offer(block.best[from + i], i * block.tile, begin, fresh);
                }
            }
        }

        private void offer(BestHits hits, int first, int begin, int fresh) {
            // Copied out of the buffer at once: the loop then runs without its checks.
            scores.get(first, row);
            float worst = hits.worst();
            for (int i = fresh - begin; i < row.length; i++) {
                float score = row[i];
                // Not "score >= worst": NaN must reach the check of Ranking.key.
                if (!(score < worst)) {
                    hits.offer(begin + i, score);
                    worst = hits.worst();
                }
            }
        }

        private void select(OnnxTensor left, OnnxTensor right, int begin, int fresh, int from, int count)
                throws OrtException {
            // Some of the best may be in the previous tile: request as many more.
            int asked = Math.min(block.tile, block.k + fresh - begin);
            try (OnnxTensor depth = OnnxTensor.createTensor(OnnxRuntime.environment(), new long[] {asked});
                    OrtSession.Result result = session.run(Map.of("queries", left, "passages", right, "k", depth))) {
                FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
                LongBuffer places = ((OnnxTensor) result.get(1)).getLongBuffer();
                for (int i = 0; i < count * asked; i++) {
                    int passage = begin + (int) places.get(i);
                    if (passage >= fresh) {
                        block.best[from + i / asked].offer(passage, values.get(i));
                    }
                }
            }
        }
    }

    /** Scores candidates in tiles of the same size as a search. */
    private final class Scorer {
        private final Vectors queries;
        private final EncodedPassages passages;
        private final int tile;
        private final FloatBuffer rows = direct((long) queryTile * dimension);
        private final FloatBuffer columns;
        private final FloatBuffer scores;

        Scorer(Vectors queries, EncodedPassages passages) {
            this.queries = queries;
            this.passages = passages;
            this.tile = Math.max(1, Math.min(passageTile, passages.places().length));
            this.columns = direct((long) tile * dimension);
            this.scores = direct((long) queryTile * tile);
        }

        void score(Run pool, int from, int to, Ranking[] rankings) {
            read(queries, IntStream.range(from, to).toArray(), rows);
            float[][] values = new float[to - from][];
            Arrays.setAll(values, i -> new float[pool.ranking(from + i).size()]);
            int[] members = IntStream.range(from, to)
                    .flatMap(query -> Arrays.stream(pool.ranking(query).passages()))
                    .filter(passage -> passages.places()[passage] >= 0)
                    .sorted()
                    .distinct()
                    .toArray();
            int[] column = new int[passages.places().length];
            try (OnnxTensor left = tensor(rows, queryTile, dimension)) {
                for (int at = 0; at < members.length; at += tile) {
                    int[] part = Arrays.copyOfRange(members, at, Math.min(at + tile, members.length));
                    read(
                            passages.vectors(),
                            Arrays.stream(part)
                                    .map(passage -> passages.places()[passage])
                                    .toArray(),
                            columns);
                    for (int i = 0; i < part.length; i++) {
                        column[part[i]] = i + 1;
                    }
                    try (OnnxTensor right = tensor(columns, tile, dimension)) {
                        multiply(left, right, scores, tile);
                    }
                    for (int i = 0; i < values.length; i++) {
                        Ranking candidates = pool.ranking(from + i);
                        for (int rank = 0; rank < values[i].length; rank++) {
                            int place = column[candidates.passage(rank)];
                            if (place > 0) {
                                values[i][rank] = scores.get(i * tile + place - 1);
                            }
                        }
                    }
                    for (int passage : part) {
                        column[passage] = 0;
                    }
                }
            } catch (OrtException failed) {
                throw new PosbiasException("exact search failed: " + OnnxRuntime.line(failed), failed);
            }
            for (int i = 0; i < values.length; i++) {
                rankings[from + i] = ranking(pool.ranking(from + i).passages(), values[i]);
            }
        }

        /** Ranks the candidates that have a vector. */
        private Ranking ranking(int[] candidates, float[] values) {
            int count = 0;
            for (int i = 0; i < candidates.length; i++) {
                if (passages.places()[candidates[i]] >= 0) {
                    candidates[count] = candidates[i];
                    values[count++] = values[i];
                }
            }
            return Ranking.of(Arrays.copyOf(candidates, count), Arrays.copyOf(values, count));
        }

        /** Fills the first rows; the others keep their content. */
        private static void read(Vectors vectors, int[] texts, FloatBuffer into) {
            into.clear();
            for (int text : texts) {
                vectors.read(text, into);
            }
            into.clear();
        }
    }

    @Override
    public void close() {
        OnnxRuntime.close("exact search", session);
    }
}
