package io.posbias.retrieve;

import java.util.Arrays;
import org.apache.lucene.util.LongHeap;

/**
 * Keeps the best {@code k} hits of many, ties decided as in {@link Ranking}. The worst kept hit
 * is on top of the heap, which holds the complements of the numbers of {@link Ranking#key}: it has the smallest on top.
 */
final class BestHits {
    private final int k;
    private final LongHeap heap;
    private final float least;
    private float worst;

    private BestHits(int k, float least) {
        this.k = k;
        this.heap = new LongHeap(Math.max(1, k));
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
        if (heap.size() < k) {
            heap.push(~Ranking.key(passage, score));
            worst = heap.size() == k ? Ranking.score(~heap.top()) : worst;
        } else if (!(score < worst)) {
            // A score that is no number gets here, and the key refuses it.
            long key = Ranking.key(passage, score);
            if (key < ~heap.top()) {
                worst = Ranking.score(~heap.updateTop(~key));
            }
        }
    }

    /** The ranking of what was kept; empties the keeper for the next query. */
    Ranking take() {
        long[] keys = new long[heap.size()];
        Arrays.setAll(keys, i -> ~heap.get(i + 1));
        Arrays.sort(keys);
        heap.clear();
        worst = least;
        return Ranking.ofKeys(keys);
    }
}
