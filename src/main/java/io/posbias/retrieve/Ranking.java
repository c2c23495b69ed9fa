package io.posbias.retrieve;

import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What was found for one query, best first. Order is settled here and nowhere else: score descending, ties by passage id
 * descending, which is passage ordinal ascending and trec_eval's rule.
 *
 * <p>Scores are 32-bit floats, as in trec_eval: two scores that differ only beyond that are tied.
 */
public final class Ranking {
    /** Nothing was found. */
    public static final Ranking EMPTY = new Ranking(new int[0], new float[0]);

    private final int[] passages;
    private final float[] scores;

    /** A passage was found twice. */
    public static final class DuplicateException extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final int passage;

        DuplicateException(int passage) {
            super("passage " + passage + " found twice");
            this.passage = passage;
        }

        /** Its ordinal. */
        public int passage() {
            return passage;
        }
    }

    private Ranking(int[] passages, float[] scores) {
        this.passages = passages;
        this.scores = scores;
    }

    /**
     * Orders hits into a ranking.
     *
     * @param passages ordinals of the passages found, each once, in any order; kept by the ranking
     * @param scores their scores, as many; kept by the ranking
     * @throws PosbiasException on a score that is no finite number
     * @throws IllegalArgumentException on a passage found twice
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

    /** A ranking of hits that are in order and of different passages already, as {@link #key} makes them. */
    static Ranking ofKeys(long[] keys) {
        int[] passages = new int[keys.length];
        float[] scores = new float[keys.length];
        unpack(keys, passages, scores);
        return new Ranking(passages, scores);
    }

    /**
     * One number for a hit, smaller for a better one: the score's bits, made to descend, above the ordinal. Comparing
     * keys compares by score, then ordinal.
     */
    static long key(int passage, float score) {
        if (!Float.isFinite(score)) {
            throw new PosbiasException("a passage has the score " + score
                    + ": scores are finite numbers; is the model sound? 'posbias models check' looks at it");
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

    /** How many hits there are. */
    public int size() {
        return passages.length;
    }

    /** The ordinal of the passage at a rank, counted from 0. */
    public int passage(int rank) {
        return passages[rank];
    }

    /** The ordinals of all passages, best first; a copy. */
    public int[] passages() {
        return passages.clone();
    }

    /** The score of the hit at a rank, counted from 0. */
    public float score(int rank) {
        return scores[rank];
    }

    /** The same without some passages. */
    Ranking without(Set<Integer> left) {
        int[] kept = IntStream.range(0, passages.length)
                .filter(rank -> !left.contains(passages[rank]))
                .toArray();
        float[] theirs = new float[kept.length];
        for (int i = 0; i < kept.length; i++) {
            theirs[i] = scores[kept[i]];
        }
        return new Ranking(Arrays.stream(kept).map(rank -> passages[rank]).toArray(), theirs);
    }

    /** The first {@code k} hits. */
    public Ranking top(int k) {
        return k >= passages.length ? this : new Ranking(Arrays.copyOf(passages, k), Arrays.copyOf(scores, k));
    }
}
