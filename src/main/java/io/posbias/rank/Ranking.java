package io.posbias.rank;

import io.posbias.base.process.PosbiasException;
import java.io.Serial;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Ranking of one query, best first: score descending, ties by passage id descending, which is ordinal ascending and
 * trec_eval's rule. Scores are 32-bit floats, as in trec_eval: smaller differences are ties.
 */
public final class Ranking {
    public static final Ranking EMPTY = new Ranking(new int[0], new float[0]);

    private final int[] passages;
    private final float[] scores;

    /** A passage occurs twice. */
    public static final class DuplicateException extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final int passage;

        DuplicateException(int passage) {
            super("passage " + passage + " found twice");
            this.passage = passage;
        }

        /** Returns its ordinal. */
        public int passage() {
            return passage;
        }
    }

    private Ranking(int[] passages, float[] scores) {
        this.passages = passages;
        this.scores = scores;
    }

    /**
     * Sorts hits.
     *
     * @param passages ordinals, each once, in any order; kept by the ranking
     * @param scores kept by the ranking
     * @throws PosbiasException on a score that is not finite
     * @throws IllegalArgumentException on a repeated passage
     */
    public static Ranking of(int[] passages, float[] scores) {
        if (passages.length != scores.length) {
            throw new IllegalArgumentException(passages.length + " passages, " + scores.length + " scores");
        }
        long[] keys = new long[passages.length];
        boolean ordered = true;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key(passages[i], scores[i]);
            ordered &= i == 0 || keys[i - 1] < keys[i];
        }
        if (!ordered) {
            Arrays.sort(keys);
            unpack(keys, passages, scores);
        }
        refuseDuplicates(passages);
        return new Ranking(passages, scores);
    }

    /**
     * Creates a ranking of distinct hits in order.
     *
     * @param keys by {@link #key}
     */
    static Ranking ofKeys(long[] keys) {
        int[] passages = new int[keys.length];
        float[] scores = new float[keys.length];
        unpack(keys, passages, scores);
        return new Ranking(passages, scores);
    }

    /** Encodes a hit as one number, smaller for a better hit: the score's bits, made to descend, above the ordinal. */
    static long key(int passage, float score) {
        if (!Float.isFinite(score)) {
            throw new PosbiasException("a passage has the score " + score
                    + ": scores must be finite; 'posbias models check' tests the model");
        }
        // Adding 0 turns -0 into 0. Of two negative floats the larger has the smaller bits, hence the flip.
        int bits = Float.floatToRawIntBits(score + 0f);
        int ascending = bits < 0 ? ~bits ^ Integer.MIN_VALUE : bits;
        return ((long) ~ascending << 32) | passage;
    }

    private static void unpack(long[] keys, int[] passages, float[] scores) {
        for (int i = 0; i < keys.length; i++) {
            passages[i] = (int) keys[i];
            scores[i] = score(keys[i]);
        }
    }

    static float score(long key) {
        int ascending = ~(int) (key >> 32);
        return Float.intBitsToFloat(ascending < 0 ? ~(ascending ^ Integer.MIN_VALUE) : ascending);
    }

    private static void refuseDuplicates(int[] passages) {
        int[] sorted = passages.clone();
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw new DuplicateException(sorted[i]);
            }
        }
    }

    public int size() {
        return passages.length;
    }

    /** Returns the ordinal of the passage at a rank from 0. */
    public int passage(int rank) {
        return passages[rank];
    }

    /** Returns a copy of the ordinals, best first. */
    public int[] passages() {
        return passages.clone();
    }

    public float score(int rank) {
        return scores[rank];
    }

    public Ranking without(Set<Integer> left) {
        int[] kept = IntStream.range(0, passages.length)
                .filter(rank -> !left.contains(passages[rank]))
                .toArray();
        float[] theirs = new float[kept.length];
        for (int i = 0; i < kept.length; i++) {
            theirs[i] = scores[kept[i]];
        }
        return new Ranking(Arrays.stream(kept).map(rank -> passages[rank]).toArray(), theirs);
    }

    /** Returns the first {@code k} hits. */
    public Ranking top(int k) {
        return k >= passages.length ? this : new Ranking(Arrays.copyOf(passages, k), Arrays.copyOf(scores, k));
    }
}
