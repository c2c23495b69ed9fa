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
 * best of a tile, four times faster than the operator TopK, and looks only at groups of scores whose greatest, which the graph
 * gives, is good enough; on a GPU, TopK avoids copying all scores.
 */
final class ExactSearch extends VectorIndex {
    /** Queries of a tile; the passages' side is packed once for all of them. */
    static final int QUERIES = 256;

    /** Passages of a tile: 256 x 1,024 scores stay in a core's cache. */
    static final int PASSAGES = 1024;

    /** Scores of a group. */
    private static final int GROUP = 64;

    private static final int CUDA_QUERIES = 2048;
    private static final int CUDA_PASSAGES = 16_384;

    /** Size of a block of passages in memory, so that a corpus need not fit. */
    private static final long BLOCK_BYTES = 128L << 20;

    private final OrtSession session;
    private final int dimension;
    private final boolean topK;
    private final int group;
    private final int queryTile;
    private final int tile;

    /** Passages of a block: whole tiles. */
    private final int blockSize;

    /**
     * @param topK true to select the best k in the graph, for searches only
     */
    ExactSearch(OnnxRuntime runtime, int threads, EncodedPassages passages, boolean topK) {
        this(runtime, threads, passages, topK, BLOCK_BYTES);
    }

    ExactSearch(OnnxRuntime runtime, int threads, EncodedPassages passages, boolean topK, long blockBytes) {
        super(passages, topK ? 1 : threads);
        boolean isCuda = runtime.device().isCuda();
        this.dimension = passages.vectors().dimension();
        this.topK = topK;
        this.queryTile = isCuda ? CUDA_QUERIES : QUERIES;
        this.tile = Math.clamp(passages.vectors().size(), 1, isCuda ? CUDA_PASSAGES : PASSAGES);
        this.blockSize = (int) Math.max(1, blockBytes / ((long) dimension * Float.BYTES) / tile) * tile;
        this.group = tile % GROUP == 0 ? GROUP : tile;
        this.session = runtime.load("exact search", graph(dimension, group, topK));
    }

    private static byte[] graph(int dimension, int group, boolean topK) {
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
        return graph.constant("groups", new long[] {0, -1, group}, 3)
                .constant("last", new long[] {2}, 1)
                .node("Reshape", List.of("scores", "groups"), List.of("grouped"))
                .node("ReduceMax", List.of("grouped", "last"), List.of("greatest"), new Attribute("keepdims", 0))
                .output("scores", OnnxGraph.Type.FLOAT, "q", "p")
                .output("greatest", OnnxGraph.Type.FLOAT, "q", "g")
                .toBytes();
    }

    @Override
    Ranking[] search(Vectors queries, int k, Progress.Step step) {
        BestHits[] best = new BestHits[queries.size()];
        int end = passages.vectors().size();
        int kept = Math.min(k, end);
        Arrays.setAll(best, i -> BestHits.any(kept));
        FloatBuffer buffer = direct((long) Math.min(blockSize, Math.max(tile, end)) * dimension);
        for (int from = 0; from < end; from += blockSize) {
            // The last block begins earlier, to hold a whole tile; passages before "from" are not offered again.
            int to = Math.min(from + blockSize, end);
            int begin = Math.max(0, Math.min(from, to - tile));
            gather(begin, to, buffer);
            Block block = new Block(queries, best, kept, buffer, begin, from, to);
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

    /** For each tile of queries, all of their candidates are multiplied. */
    @Override
    Ranking[] score(Vectors queries, Run pool) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, Math.ceilDiv(queries.size(), queryTile), 1, () -> {
            Scorer scorer = new Scorer(queries);
            return (first, last) -> {
                for (int i = first; i < last; i++) {
                    int from = i * queryTile;
                    scorer.score(pool, from, Math.min(queries.size(), from + queryTile), rankings);
                }
            };
        });
        return rankings;
    }

    /** Returns the number of blocks. */
    @Override
    long pieces() {
        return Math.ceilDiv(passages.vectors().size(), blockSize);
    }

    /**
     * Passages in memory and their queries.
     *
     * @param best collects {@code k} hits of each query
     * @param values the passages' vectors
     * @param begin ordinal of the first passage in memory
     * @param from ordinal of the first unsearched passage
     * @param to ordinal after the last
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Block(Vectors queries, BestHits[] best, int k, FloatBuffer values, int begin, int from, int to) {}

    private void gather(int from, int to, FloatBuffer buffer) {
        Parallel.forChunks(threads, to - from, 256, () -> (first, last) -> {
            FloatBuffer into = buffer.duplicate();
            for (int i = first; i < last; i++) {
                into.position(i * dimension);
                passages.vectors().read(from + i, into);
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

    /** Scores of a tile, a row for each query, and the greatest of each group. */
    private final class Product {
        private final FloatBuffer scores = direct(topK ? 0 : (long) queryTile * tile);
        private final FloatBuffer greatest = direct(topK ? 0 : (long) queryTile * (tile / group));

        void multiply(OnnxTensor left, OnnxTensor right) throws OrtException {
            try (OnnxTensor all = tensor(scores, queryTile, tile);
                    OnnxTensor best = tensor(greatest, queryTile, tile / group);
                    OrtSession.Result result = session.run(
                            Map.of("queries", left, "passages", right), Map.of("scores", all, "greatest", best))) {
                assert result.size() == 2;
            }
        }
    }

    private final class Worker {
        private final Block block;
        private final FloatBuffer rows = direct((long) queryTile * dimension);
        private final Product product = new Product();
        private final float[] row = new float[group];
        private final float[] best = new float[tile / group];

        Worker(Block block) {
            this.block = block;
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
                for (int at = block.from; at < block.to; at += tile) {
                    int begin = Math.max(block.begin, Math.min(at, block.to - tile));
                    product(left, begin, at, from, count);
                }
            } catch (OrtException failed) {
                throw new PosbiasException("exact search failed: " + OnnxRuntime.line(failed), failed);
            }
            return count;
        }

        private void product(OnnxTensor left, int begin, int fresh, int from, int count) throws OrtException {
            FloatBuffer part = block.values.slice((begin - block.begin) * dimension, tile * dimension);
            try (OnnxTensor right = tensor(part, tile, dimension)) {
                if (topK) {
                    select(left, right, begin, fresh, from, count);
                    return;
                }
                product.multiply(left, right);
                for (int i = 0; i < count; i++) {
                    offer(block.best[from + i], i, begin, fresh);
                }
            }
        }

        private void offer(BestHits hits, int query, int begin, int fresh) {
            // Copied out of the buffer at once: the loops then run without its checks.
            product.greatest.get(query * best.length, best);
            float worst = hits.worst();
            for (int part = 0; part < best.length; part++) {
                // Not "best >= worst": NaN must reach the check of Ranking.key.
                if (best[part] < worst) {
                    continue;
                }
                int first = part * group;
                product.scores.get(query * tile + first, row);
                for (int i = Math.max(0, fresh - begin - first); i < group; i++) {
                    if (!(row[i] < worst)) {
                        hits.offer(begin + first + i, row[i]);
                        worst = hits.worst();
                    }
                }
            }
        }

        private void select(OnnxTensor left, OnnxTensor right, int begin, int fresh, int from, int count)
                throws OrtException {
            // Some of the best may be in the previous tile: request as many more.
            int asked = Math.min(tile, block.k + fresh - begin);
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
        private final FloatBuffer rows = direct((long) queryTile * dimension);
        private final FloatBuffer columns = direct((long) tile * dimension);
        private final Product product = new Product();

        /** By passage: one more than its column in the product; 0 for none. */
        private final int[] column = new int[passages.vectors().size()];

        Scorer(Vectors queries) {
            this.queries = queries;
        }

        void score(Run pool, int from, int to, Ranking[] rankings) {
            read(queries, IntStream.range(from, to).toArray(), rows);
            int[][] candidates = new int[to - from][];
            float[][] values = new float[to - from][];
            for (int i = 0; i < values.length; i++) {
                candidates[i] = passages.encoded(pool.ranking(from + i).passages());
                values[i] = new float[candidates[i].length];
            }
            int[] members = Arrays.stream(candidates)
                    .flatMapToInt(Arrays::stream)
                    .map(passages::place)
                    .sorted()
                    .distinct()
                    .toArray();
            try (OnnxTensor left = tensor(rows, queryTile, dimension)) {
                for (int at = 0; at < members.length; at += tile) {
                    int[] part = Arrays.copyOfRange(members, at, Math.min(at + tile, members.length));
                    read(passages.vectors(), part, columns);
                    for (int i = 0; i < part.length; i++) {
                        column[part[i]] = i + 1;
                    }
                    try (OnnxTensor right = tensor(columns, tile, dimension)) {
                        product.multiply(left, right);
                    }
                    for (int i = 0; i < values.length; i++) {
                        for (int j = 0; j < values[i].length; j++) {
                            int place = column[passages.place(candidates[i][j])];
                            if (place > 0) {
                                values[i][j] = product.scores.get(i * tile + place - 1);
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
                rankings[from + i] = Ranking.of(candidates[i], values[i]);
            }
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
