package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.retrieve.Ranking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fusion of rankings.
 *
 * @param k of reciprocal rank fusion
 * @param weights of the rankings, in their order; above 0
 */
record Fusion(Method method, int k, List<Double> weights) {
    static final List<String> FIELDS = List.of("method", "k", "weights");

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

    static Fusion of(Fields fields, int rankings) {
        Method method = fields.oneOf("method", Method.RRF, List.of(Method.values()));
        if (method != Method.RRF && fields.has("k")) {
            throw fields.bad("k", "has no meaning with method: min-max", "remove it");
        }
        Fields given = fields.places("weights");
        List<Double> weights = given.names().stream().map(given::number).toList();
        if (!weights.isEmpty() && weights.size() != rankings) {
            throw fields.bad("weights", "has " + weights.size() + " numbers", "there are " + rankings + " recipes");
        }
        if (weights.stream().anyMatch(weight -> weight <= 0)) {
            throw fields.bad("weights", "is " + weights, "each must be above 0");
        }
        List<Double> equal = IntStream.range(0, rankings).mapToObj(i -> 1.0).toList();
        return new Fusion(method, fields.positive("k", K), weights.isEmpty() ? equal : weights);
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
            add(rankings.get(i), weights.get(i), sums);
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
            double part = 1.0 / (k + shared + 1);
            if (method == Method.MIN_MAX) {
                double range = (double) ranking.score(0) - ranking.score(last);
                part = range == 0 ? 1 : ((double) ranking.score(rank) - ranking.score(last)) / range;
            }
            sums.merge(ranking.passage(rank), weight * part, Double::sum);
        }
    }
}
