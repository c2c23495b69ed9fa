package io.posbias.retrieve;

import java.util.Arrays;

/**
 * Keeps the best {@code k} hits of many, ties decided as in {@link Ranking}. A binary heap with the
 * worst kept hit on top; hits are the numbers of {@link Ranking#key}.
 */
final class BestHits {
    private final long[] heap;
    private final float least;
    private int size;
    private float worst;

    private BestHits(int k, float least) {
        this.heap = new long[k];
        this.least = least;
        this.worst = least;
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

    /** Scores below this are not kept any more. */
    float worst() {
        return worst;
    }

    /** Offers a hit; each passage at most once. */
    void offer(int passage, float score) {
        if (score < least) {
            return;
        }
        if (size < heap.length) {
            sift(size++, Ranking.key(passage, score));
            worst = size == heap.length ? Ranking.score(heap[0]) : worst;
        } else if (!(score < worst)) {
            // A score that is no number gets here, and the key refuses it.
            long key = Ranking.key(passage, score);
            if (key < heap[0]) {
                sink(key);
                worst = Ranking.score(heap[0]);
            }
        }
    }

    /** The ranking of what was kept; empties the keeper for the next query. */
    Ranking take() {
        Arrays.sort(heap, 0, size);
        Ranking ranking = Ranking.ofKeys(heap, size);
        size = 0;
        worst = least;
        return ranking;
    }

    private void sift(int hole, long key) {
        int child = hole;
        while (child > 0) {
            int parent = (child - 1) >>> 1;
            if (heap[parent] >= key) {
                break;
            }
            heap[child] = heap[parent];
            child = parent;
        }
        heap[child] = key;
    }

    private void sink(long key) {
        int parent = 0;
        for (int child = 1; child < heap.length; child = 2 * parent + 1) {
            if (child + 1 < heap.length && heap[child + 1] > heap[child]) {
                child++;
            }
            if (heap[child] <= key) {
                break;
            }
            heap[parent] = heap[child];
            parent = child;
        }
        heap[parent] = key;
    }
}
