package io.posbias.retrieve;

import java.util.Arrays;

/**
 * Keeps the best {@code k} hits of many, ties decided as in {@link Ranking}. Hits that may be among them are only put down;
 * when there is no more room, the best {@code k} are selected and the others forgotten (Hoare's selection, 1961). A heap
 * would order each hit that comes, at twice the cost.
 */
final class BestHits {
    /** Room for more than k: a k-th part of it, and a few. */
    private static final int MORE = 2;

    private static final int FEW = 32;

    /** What needs more rounds to select from is in an unlucky order, and sorted. */
    private static final int MOST_ROUNDS = 64;

    private final int k;
    private final float least;
    /** {@link Ranking#key} of each hit: smaller for a better one. */
    private final long[] keys;

    private int size;
    private float worst;
    /** The k-th key when they were last selected; larger ones are not among the best. */
    private long last = Long.MAX_VALUE;

    private BestHits(int k, float least) {
        this.k = k;
        this.least = least;
        this.worst = least;
        this.keys = new long[k + k / MORE + FEW];
    }

    /** Keeps at most {@code k} hits with a positive score: for sums over matching terms, where 0 is no match. */
    static BestHits positive(int k) {
        return new BestHits(k, Float.MIN_VALUE);
    }

    /** Keeps at most {@code k} hits of any score: a cosine may be negative. */
    static BestHits any(int k) {
        return new BestHits(k, -Float.MAX_VALUE);
    }

    /**
     * A bound for sums in double precision: those below it need not be offered. A sum just below the worst kept score may
     * still round up to it, hence the step down.
     */
    double leastWanted() {
        return Math.nextDown(worst);
    }

    /** Scores below this are not kept any more; it may lag behind the score of the k-th best. */
    float worst() {
        return worst;
    }

    /** Offers a hit; each passage at most once. */
    void offer(int passage, float score) {
        if (score < worst) {
            return;
        }
        // A score that is no number gets here, and the key refuses it.
        long key = Ranking.key(passage, score);
        if (key < last) {
            keys[size++] = key;
            if (size == keys.length) {
                select();
            }
        }
    }

    /** The ranking of what was kept; empties the keeper for the next query. */
    Ranking take() {
        if (size > k) {
            select();
        }
        long[] best = Arrays.copyOf(keys, size);
        Arrays.sort(best);
        size = 0;
        worst = least;
        last = Long.MAX_VALUE;
        return Ranking.ofKeys(best);
    }

    /** Forgets all but the best k, of at least as many. */
    private void select() {
        if (k > 0) {
            arrange();
            last = keys[k - 1];
            worst = Ranking.score(last);
        }
        size = k;
    }

    /** Puts the k-th smallest key in its place, smaller ones before it. */
    private void arrange() {
        int from = 0;
        int to = size - 1;
        for (int round = 0; from < to; round++) {
            if (round == MOST_ROUNDS) {
                Arrays.sort(keys, from, to + 1);
                return;
            }
            int middle = divide(from, to);
            if (middle == k - 1) {
                return;
            }
            if (middle < k - 1) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
    }

    /** Puts keys that are smaller than one of them before it; returns its place. Lomuto's way, which needs no jumps. */
    private int divide(int from, int to) {
        int chosen = middleOf(from, (from + to) >>> 1, to);
        long pivot = keys[chosen];
        keys[chosen] = keys[to];
        int place = from;
        for (int i = from; i < to; i++) {
            long key = keys[i];
            keys[i] = keys[place];
            keys[place] = key;
            place += less(key, pivot);
        }
        keys[to] = keys[place];
        keys[place] = pivot;
        return place;
    }

    /**
     * 1 if a number is less than another, else 0: the sign of their difference, or of the first where that overflows. A jump
     * would go either way about as often, and no processor foresees it.
     */
    private static int less(long number, long other) {
        long difference = number - other;
        return (int) ((difference ^ ((number ^ other) & (difference ^ number))) >>> 63);
    }

    private int middleOf(int first, int second, int third) {
        boolean rising = keys[first] < keys[second];
        if (rising == keys[second] < keys[third]) {
            return second;
        }
        return rising == keys[first] < keys[third] ? third : first;
    }
}
