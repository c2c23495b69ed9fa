package io.posbias.rank;

import java.util.Arrays;
import org.apache.lucene.util.LongHeap;

/** Best {@code k} hits of one query at a time, with ties as in {@link Ranking}. */
public final class BestHits {
    private final int k;
    private final float least;
    /** Complements of {@link Ranking#key}, so that the worst hit is on top. */
    private final LongHeap heap;

    private float worst;

    private BestHits(int k, float least) {
        this.k = k;
        this.least = least;
        this.worst = least;
        this.heap = new LongHeap(Math.max(1, k));
    }

    /** Keeps hits of positive scores: for sums over matching terms, where 0 means no match. */
    public static BestHits positive(int k) {
        return new BestHits(k, Float.MIN_VALUE);
    }

    /** Keeps hits of any score: a cosine may be negative. */
    public static BestHits any(int k) {
        return new BestHits(k, -Float.MAX_VALUE);
    }

    /** Returns the minimum score to offer. */
    public float worst() {
        return worst;
    }

    /** Offers a hit; each passage at most once. */
    public void offer(int passage, float score) {
        if (score < worst) {
            return;
        }
        // NaN passes this comparison, and Ranking.key refuses it.
        if (heap.insertWithOverflow(~Ranking.key(passage, score)) && heap.size() == k) {
            worst = Ranking.score(~heap.top());
        }
    }

    /** Returns the best of all passages by their scores, as far as these are positive, and sets these to 0. */
    public Ranking takeBest(double[] scores) {
        double enough = Math.nextDown(worst);
        for (int ordinal = 0; ordinal < scores.length; ordinal++) {
            if (scores[ordinal] >= enough) {
                offer(ordinal, (float) scores[ordinal]);
                enough = Math.nextDown(worst);
            }
        }
        Arrays.fill(scores, 0);
        return take();
    }

    /** Returns the ranking of the kept hits and starts anew. */
    public Ranking take() {
        long[] keys = new long[heap.size()];
        for (int i = keys.length - 1; i >= 0; i--) {
            keys[i] = ~heap.pop();
        }
        worst = least;
        return Ranking.ofKeys(keys);
    }
}
