package io.posbias.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import io.posbias.encode.cache.Vectors;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * One thread's part of {@link Screen}: a tile of queries at a time meets all passages of a piece.
 *
 * <p>All numbers of a query are divided by its {@link ByteVectors#step}: estimates of scores, their bounds, thresholds.
 */
final class ScreenWorker {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EIGHT_BELOW = 0x0101_0101_0101_0101L;

    /** Vectors count as at least so long, so that what underflows is within the bound too. */
    private static final float SHORTEST = 1e-17f;

    private final Screen screen;
    private final int dimension;
    private final Screen.Piece piece;
    private final int k;
    private final int most;

    /**
     * How much a float product may differ from the exact one in relation to both lengths, and the bound's own rounding:
     * each addition and a few operations more round by at most 2^-24 of that (Higham, Accuracy and Stability of Numerical
     * Algorithms, section 3.1).
     */
    private final float rounding;

    private final ByteBuffer columns;
    private final IntBuffer sums = ByteBuffer.allocateDirect(Integer.BYTES * ExactSearch.QUERIES * ExactSearch.PASSAGES)
            .order(ByteOrder.nativeOrder())
            .asIntBuffer();
    private final float[][] sampled = new float[ExactSearch.QUERIES][ExactSearch.PASSAGES];
    private final byte[] rounded;

    // One for each query of the tile.
    private final float[][] queries;
    private final float[] step = new float[ExactSearch.QUERIES];
    private final float[] length = new float[ExactSearch.QUERIES];
    private final float[] lost = new float[ExactSearch.QUERIES];
    /** What the 128 in each of a passage's bytes add to the sums. */
    private final int[] offset = new int[ExactSearch.QUERIES];
    /** Passages with an upper bound below this are left out. */
    private final float[] threshold = new float[ExactSearch.QUERIES];

    private final int[] row = new int[ExactSearch.QUERIES];
    private final int[] signs = new int[ExactSearch.QUERIES];
    private final byte[] below = new byte[ExactSearch.QUERIES];
    private final Candidates[] candidates = new Candidates[ExactSearch.QUERIES];

    // Passages of one query that are scored.
    private final int[] starts = new int[GemmProduct.ROWS];
    private final float[] products = new float[GemmProduct.ROWS];
    private int[] scored = new int[64];
    private float[] scores = new float[64];
    private int count;
    private long rescored;

    /**
     * @param k how many passages a query keeps
     * @param most how many pairs of a query are worth scoring one by one
     */
    ScreenWorker(Screen screen, int dimension, Screen.Piece piece, int k, int most) {
        this.screen = screen;
        this.dimension = dimension;
        this.piece = piece;
        this.k = k;
        this.most = most;
        this.rounding = (dimension + 32) * 0x1.01p-24f;
        this.columns =
                ByteBuffer.allocateDirect(ExactSearch.QUERIES * dimension).order(ByteOrder.nativeOrder());
        this.rounded = new byte[dimension];
        this.queries = new float[ExactSearch.QUERIES][];
        Arrays.setAll(candidates, i -> new Candidates());
    }

    /** How many pairs were scored in floats since this was asked last. */
    long rescored() {
        long before = rescored;
        rescored = 0;
        return before;
    }

    /**
     * Searches the piece for queries in a row.
     *
     * @param best take the best of each query
     * @param searched set for queries that were searched; the others are not finite, or have too many candidates
     * @return how many were
     */
    int search(Vectors all, int from, int tile, BestHits[] best, boolean[] searched) throws OrtException {
        Arrays.fill(below, (byte) 1);
        boolean[] finite = new boolean[tile];
        for (int i = 0; i < tile; i++) {
            finite[i] = load(i, all.read(from + i), tile);
        }
        try (OnnxTensor right = screen.columns(columns, tile)) {
            sample(right, tile);
            for (int i = 0; i < tile; i++) {
                candidates[i].clear();
                threshold[i] = finite[i] ? threshold(i, best[from + i]) : Float.POSITIVE_INFINITY;
            }
            for (int at = 0; at < piece.size(); at += ExactSearch.PASSAGES) {
                screen(right, at, Math.min(ExactSearch.PASSAGES, piece.size() - at), tile);
                leaveOut(tile);
            }
        }
        int done = 0;
        for (int i = 0; i < tile; i++) {
            searched[from + i] = threshold[i] < Float.POSITIVE_INFINITY && rescore(i, best[from + i]);
            done += searched[from + i] ? 1 : 0;
        }
        return done;
    }

    /** Rounds a query into its column; false if that cannot be done. */
    private boolean load(int i, float[] query, int tile) {
        queries[i] = query;
        float unit = ByteVectors.step(query);
        boolean finite = unit > 0;
        step[i] = finite ? unit : 1;
        if (finite) {
            ByteVectors.round(query, unit, rounded);
        } else {
            Arrays.fill(rounded, (byte) 0);
        }
        int sum = 0;
        for (int d = 0; d < dimension; d++) {
            columns.put(d * tile + i, rounded[d]);
            sum += rounded[d];
        }
        offset[i] = 128 * sum;
        float rest = finite ? ByteVectors.lost(query, rounded, unit) : 0;
        length[i] = Math.max(SHORTEST, ByteVectors.kept(rounded, step[i]) + rest) / step[i];
        lost[i] = rest / step[i];
        return finite;
    }

    /** Estimates the scores of a sample of the passages. */
    private void sample(OnnxTensor right, int tile) throws OrtException {
        screen.multiply(
                piece.sample().bytes(0, piece.sample().size()), piece.sample().size(), right, tile, sums);
        for (int p = 0; p < piece.sample().size(); p++) {
            sums.get(p * tile, row, 0, tile);
            float unit = piece.sample().step(p);
            for (int i = 0; i < tile; i++) {
                sampled[i][p] = (row[i] - offset[i]) * unit;
            }
        }
    }

    /**
     * What the k-th best score is not below: known from the pieces before, or guessed from the sample. What a guess leaves
     * out counts as left out only if {@code k} passages turn out to be better. By more than three standard deviations of
     * the sample's count it is low enough; a query for which it is not is searched in floats.
     */
    private float threshold(int i, BestHits hits) {
        int size = piece.sample().size();
        double expected = (double) k * size / piece.size();
        int rank = (int) (expected + 3.5 * Math.sqrt(expected) + 2);
        return Math.max(known(i, hits), candidates[i].best(sampled[i], size, rank));
    }

    private float known(int i, BestHits hits) {
        return Math.nextDown(hits.kth() / step[i]);
    }

    private void screen(OnnxTensor right, int at, int rows, int tile) throws OrtException {
        screen.multiply(piece.bytes().bytes(at, rows), rows, right, tile, sums);
        for (int p = 0; p < rows; p++) {
            float unit = piece.bytes().step(at + p);
            float kept = piece.bytes().kept(at + p);
            float missing = piece.bytes().lost(at + p);
            // With what rounding of products may add.
            float rest = missing + rounding * Math.max(SHORTEST, kept + missing);
            sums.get(p * tile, row, 0, tile);
            compare(1 / unit, rest, kept, tile);
            for (int first = 0; first < tile; first += Long.BYTES) {
                long passing = (long) EIGHT.get(below, first) ^ EIGHT_BELOW;
                for (; passing != 0; passing &= passing - 1) {
                    int i = first + Long.numberOfTrailingZeros(passing) / Byte.SIZE;
                    float estimate = (row[i] - offset[i]) * unit;
                    candidates[i].add(at + p, estimate, estimate + (length[i] * rest + lost[i] * kept));
                }
            }
        }
    }

    /**
     * Sets 1 where the upper bound is below the threshold by more than a few units of the sums: halves cannot overflow,
     * and cutting fractions off only keeps more. Apart, on
     * arrays and in two loops, so that the compiler uses vector instructions.
     */
    private void compare(float units, float rest, float kept, int tile) {
        for (int i = 0; i < tile; i++) {
            float needed = (threshold[i] - (length[i] * rest + lost[i] * kept)) * units;
            signs[i] = (((row[i] - offset[i]) >> 1) - (((int) needed >> 1) - 2)) >>> 31;
        }
        for (int i = 0; i < tile; i++) {
            below[i] = (byte) signs[i];
        }
    }

    /** Queries whose candidates are far too many are given up early. */
    private void leaveOut(int tile) {
        for (int i = 0; i < tile; i++) {
            if (candidates[i].size() > 4 * most) {
                threshold[i] = Float.POSITIVE_INFINITY;
                candidates[i].clear();
            }
        }
    }

    /** First those that look best: they tell how good the others have to be. */
    private boolean rescore(int i, BestHits hits) {
        Candidates found = candidates[i];
        float first = found.best(k);
        count = 0;
        for (int c = 0; c < found.size(); c++) {
            if (found.estimate(c) >= first) {
                take(found.passage(c));
            }
        }
        int sure = count;
        score(i, 0);
        float least = Math.max(found.best(scores, count, k), hits.kth());
        // The scores of k passages prove the guess, unless pieces before this one have.
        if (known(i, hits) < threshold[i] && least < (double) threshold[i] * step[i]) {
            return false;
        }
        for (int c = 0; c < found.size(); c++) {
            if (found.estimate(c) < first && (double) found.atMost(c) * step[i] >= least) {
                take(found.passage(c));
            }
        }
        if (count > most) {
            return false;
        }
        score(i, sure);
        for (int c = 0; c < count; c++) {
            if (scores[c] >= least) {
                hits.offer(piece.begin() + scored[c], scores[c]);
            }
        }
        return true;
    }

    private void take(int passage) {
        if (count == scored.length) {
            scored = Arrays.copyOf(scored, 2 * count);
            scores = Arrays.copyOf(scores, 2 * count);
        }
        scored[count++] = passage;
    }

    /** Scores in floats what was taken from a place on. */
    private void score(int query, int from) {
        for (int c = from; c < count; c += GemmProduct.ROWS) {
            for (int j = 0; j < GemmProduct.ROWS; j++) {
                starts[j] = scored[Math.min(c + j, count - 1)] * dimension;
            }
            GemmProduct.multiply(queries[query], piece.values(), starts, products);
            System.arraycopy(products, 0, scores, c, Math.min(GemmProduct.ROWS, count - c));
        }
        rescored += count - from;
    }
}
