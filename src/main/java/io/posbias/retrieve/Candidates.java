package io.posbias.retrieve;

import java.util.Arrays;

/** Passages that may be among the best of one query: an estimate of each one's score, and what it is at most. */
final class Candidates {
    private static final int BINS = 128;

    private final int[] bins = new int[BINS];
    private int[] passages = new int[64];
    private float[] estimates = new float[64];
    private float[] atMost = new float[64];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    int passage(int i) {
        return passages[i];
    }

    float estimate(int i) {
        return estimates[i];
    }

    /** The upper bound of a candidate's score. */
    float atMost(int i) {
        return atMost[i];
    }

    void add(int passage, float estimate, float bound) {
        if (size == passages.length) {
            passages = Arrays.copyOf(passages, 2 * size);
            estimates = Arrays.copyOf(estimates, 2 * size);
            atMost = Arrays.copyOf(atMost, 2 * size);
        }
        passages[size] = passage;
        estimates[size] = estimate;
        atMost[size++] = bound;
    }

    /** An estimate that at least {@code count} candidates have, and few more; none if there are not so many. */
    float best(int count) {
        return best(estimates, size, count);
    }

    /**
     * A value that at least {@code wanted} of the first {@code size} values reach, and few more: exact but for those that
     * share a bin with it.
     */
    float best(float[] values, int size, int wanted) {
        if (size < wanted) {
            return Float.NEGATIVE_INFINITY;
        }
        float min = Float.POSITIVE_INFINITY;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        float scale = BINS / (max - min);
        Arrays.fill(bins, 0);
        for (int i = 0; i < size; i++) {
            bins[bin(values[i], min, scale)]++;
        }
        int bin = BINS;
        for (int above = 0; above < wanted; ) {
            above += bins[--bin];
        }
        float least = max;
        for (int i = 0; i < size; i++) {
            least = bin(values[i], min, scale) >= bin ? Math.min(least, values[i]) : least;
        }
        return least;
    }

    /** Equal values give 0 times infinity, which is no number, and its bin the first. */
    private static int bin(float value, float min, float scale) {
        return Math.min(BINS - 1, (int) ((value - min) * scale));
    }
}
