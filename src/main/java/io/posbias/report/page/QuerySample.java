package io.posbias.report.page;

import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.result.CellQueries;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Chooses queries for a page: from each bucket in turn the query with the largest difference of scores between models, then
 * the lower mean score, then the order of queries.csv. A query of several buckets counts in its first, a query of none in a
 * bucket after the last.
 */
public final class QuerySample {
    private QuerySample() {}

    private record Candidate(SampledQuery query, int bucket, List<Double> deciding) {
        static Candidate of(Query query, QueryBuckets placement, int place) {
            int[] buckets = placement.bucketsOf(place);
            Evidence evidence = query.evidence();
            SampledQuery sampled = new SampledQuery(
                    query.id(),
                    placement.bucketNamesOf(place),
                    placement.bandOf(place),
                    evidence == null || !evidence.isPlaced()
                            ? null
                            : List.of(evidence.start(), evidence.end(), evidence.textLength()),
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    null);
            return new Candidate(sampled, buckets.length == 0 ? Integer.MAX_VALUE : buckets[0], new ArrayList<>());
        }

        double spread() {
            return deciding.isEmpty() ? 0 : Collections.max(deciding) - Collections.min(deciding);
        }

        double mean() {
            return deciding.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        }
    }

    /**
     * Chooses queries of one benchmark.
     *
     * @param measure whose scores decide; cells without it are ignored
     * @return without ranks and texts
     */
    public static List<SampledQuery> choose(List<CellQueries> cells, String measure, int count) {
        Map<String, Candidate> candidates = new LinkedHashMap<>();
        cells.forEach(cell -> add(cell, measure, candidates));
        // Sorting is stable, so what is equal stays in the file's order.
        Map<Integer, Deque<Candidate>> byBucket = candidates.values().stream()
                .sorted(Comparator.comparingDouble(Candidate::spread).reversed().thenComparingDouble(Candidate::mean))
                .collect(Collectors.groupingBy(
                        Candidate::bucket, TreeMap::new, Collectors.toCollection(ArrayDeque::new)));
        Deque<Deque<Candidate>> turns = new ArrayDeque<>(byBucket.values());
        List<SampledQuery> taken = new ArrayList<>();
        while (taken.size() < count && !turns.isEmpty()) {
            Deque<Candidate> bucket = turns.remove();
            taken.add(bucket.remove().query());
            if (!bucket.isEmpty()) {
                turns.add(bucket);
            }
        }
        return taken;
    }

    public static int count(List<CellQueries> cells) {
        return (int) cells.stream()
                .flatMap(cell -> cell.scores().queries().stream())
                .map(Query::id)
                .distinct()
                .count();
    }

    private static void add(CellQueries cell, String measure, Map<String, Candidate> candidates) {
        double[] deciding = cell.of(measure);
        List<Query> queries = cell.scores().queries();
        for (int q = 0; q < queries.size(); q++) {
            int place = q;
            Candidate candidate = candidates.computeIfAbsent(
                    queries.get(q).id(), id -> Candidate.of(queries.get(place), cell.placement(), place));
            Map<String, Double> scores = cell.scores().ofQuery(q);
            scores.replaceAll((name, score) -> PageData.rounded(score.doubleValue()));
            candidate.query().scores().put(cell.result().model(), scores);
            if (deciding != null) {
                candidate.deciding().add(deciding[q]);
            }
        }
    }
}
