package io.posbias.rank.trec;

import io.posbias.rank.SearchStat;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Counts queries whose scores contradict the order in which their system ranked the passages. */
final class RunOrder {
    private int rising;
    private int contradicting;

    /**
     * Adds a query.
     *
     * @param scores in the order of the file
     * @param ranks in the order of the file; negative without a rank
     */
    void add(float[] scores, int[] ranks) {
        boolean ranked = IntStream.of(ranks).allMatch(rank -> rank >= 0);
        // Without ranks, passages in the order of rising scores are no accident, other orders may be.
        int[] best = IntStream.range(0, scores.length).toArray();
        if (ranked && IntStream.range(1, best.length).anyMatch(hit -> ranks[hit] < ranks[hit - 1])) {
            best = IntStream.range(0, scores.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(hit -> ranks[hit]))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        boolean falls = false;
        boolean rises = false;
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        for (int from = 0, to; from < best.length; from = to) {
            to = from + 1;
            while (ranked && to < best.length && ranks[best[to]] == ranks[best[from]]) {
                to++;
            }
            float low = Float.POSITIVE_INFINITY;
            float high = Float.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                low = Math.min(low, scores[best[i]]);
                high = Math.max(high, scores[best[i]]);
            }
            falls |= low < most;
            rises |= high > least;
            least = Math.min(least, low);
            most = Math.max(most, high);
        }
        if (rises && !falls && (ranked || best.length > 2)) {
            rising++;
        } else if (rises && ranked) {
            contradicting++;
        }
    }

    /**
     * Returns the counts that are not 0, as statistics of the search.
     *
     * @param others queries of the run that are not scored
     * @param lacking judged queries that the run lacks
     */
    Map<String, Double> stats(int others, int lacking) {
        Map<String, Double> stats = new LinkedHashMap<>();
        SearchStat.RISING.put(rising, stats);
        SearchStat.CONTRADICTING.put(contradicting, stats);
        SearchStat.OTHER_QUERIES.put(others, stats);
        SearchStat.LACKING.put(lacking, stats);
        return stats;
    }
}
