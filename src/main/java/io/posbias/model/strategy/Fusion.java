package io.posbias.model.strategy;

import io.posbias.base.json.Setting;
import io.posbias.rank.Ranking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fusion of rankings.
 *
 * @param k of reciprocal rank fusion; null for the usual one, and without it
 * @param weights of the rankings, in their order; empty for equal ones
 */
record Fusion(
        @Setting(usual = "rrf") Method method,
        @Setting(least = 1) @Nullable Integer k,
        @Setting(usual = "[]", above = 0) List<Double> weights) {
    /** As in Cormack, Clarke and Büttcher 2009. */
    private static final int K = 60;

    enum Method {
        /**
         * Reciprocal rank fusion: the sum of weight / (k + rank), ranks from 1 (Cormack, Clarke and Büttcher 2009).
         * Passages of equal scores share the best of their ranks. A passage missing in a ranking gets 0 from it.
         */
        RRF,
        /**
         * The sum of weight * (score - min) / (max - min) over each ranking's scores (CombSUM of min-max normalised
         * scores, Fox and Shaw 1994). Equal scores count 1; a passage missing in a ranking gets 0 from it.
         */
        MIN_MAX
    }

    Fusion {
        if (method != Method.RRF && k != null) {
            throw new Setting.Wrong("k", "has no meaning with method: min-max", "remove it");
        }
    }

    /**
     * @param passages to rank; null for all passages of the rankings
     */
    Ranking fuse(List<Ranking> rankings, int @Nullable [] passages) {
        Map<Integer, Double> sums = new HashMap<>();
        if (passages != null) {
            for (int passage : passages) {
                sums.put(passage, 0.0);
            }
        }
        for (int i = 0; i < rankings.size(); i++) {
            add(rankings.get(i), weights.isEmpty() ? 1 : weights.get(i), sums);
        }
        int[] found =
                sums.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        float[] scores = new float[found.length];
        for (int i = 0; i < found.length; i++) {
            scores[i] = sums.getOrDefault(found[i], 0.0).floatValue();
        }
        return Ranking.of(found, scores);
    }

    private void add(Ranking ranking, double weight, Map<Integer, Double> sums) {
        int last = ranking.size() - 1;
        int shared = 0;
        for (int rank = 0; rank <= last; rank++) {
            shared = ranking.score(rank) == ranking.score(shared) ? shared : rank;
            double part = 1.0 / (Objects.requireNonNullElse(k, K) + shared + 1);
            if (method == Method.MIN_MAX) {
                double range = (double) ranking.score(0) - ranking.score(last);
                part = range == 0 ? 1 : ((double) ranking.score(rank) - ranking.score(last)) / range;
            }
            sums.merge(ranking.passage(rank), weight * part, Double::sum);
        }
    }
}
