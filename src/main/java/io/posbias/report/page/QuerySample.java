package io.posbias.report.page;

import io.posbias.dataset.Query;
import io.posbias.measure.Measure;
import io.posbias.measure.Placement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which queries a page shows one by one. From each bucket in turn comes the query on which the models' scores differ most
 * (the largest less the smallest); among equals the one with the lower mean score, then the one that comes first in
 * queries.csv. A query in several buckets counts in its first, one in no bucket as if that were a bucket after the last.
 */
public final class QuerySample {
    private final String measure;
    private final Map<String, Candidate> candidates = new LinkedHashMap<>();

    private QuerySample(List<CellQueries> cells, String measure) {
        this.measure = measure;
        cells.forEach(this::add);
    }

    /** A query with the scores that decide on it. */
    private static final class Candidate {
        final Query query;
        final Placement placement;
        final int place;
        final Map<String, Map<String, Double>> scores = new LinkedHashMap<>();
        final List<Double> deciding = new ArrayList<>();

        Candidate(Query query, Placement placement, int place) {
            this.query = query;
            this.placement = placement;
            this.place = place;
        }

        double spread() {
            return max()
                    - deciding.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        }

        private double max() {
            return deciding.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }

        double mean() {
            return deciding.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        }

        int bucket() {
            int[] buckets = placement.bucketsOf(place);
            return buckets.length == 0 ? Integer.MAX_VALUE : buckets[0];
        }

        SampledQuery sampled() {
            List<String> buckets = Arrays.stream(placement.bucketsOf(place))
                    .mapToObj(placement.bucketNames()::get)
                    .toList();
            return new SampledQuery(query.id(), buckets, placement.bandOf(place), query.evidence(), scores);
        }
    }

    /**
     * Chooses queries of one benchmark.
     *
     * @param cells models on that benchmark
     * @param measure the measure whose scores decide; cells without it do not take part in that
     * @param count how many at most
     */
    public static List<SampledQuery> choose(List<CellQueries> cells, String measure, int count) {
        return new QuerySample(cells, measure).take(count);
    }

    /** How many different queries some cells have. */
    public static int count(List<CellQueries> cells) {
        return (int) cells.stream()
                .flatMap(cell -> cell.scores().queries().stream())
                .map(Query::id)
                .distinct()
                .count();
    }

    private void add(CellQueries cell) {
        List<Measure> measures = cell.scores().measures();
        double[][] values =
                IntStream.range(0, measures.size()).mapToObj(cell.scores()::of).toArray(double[][]::new);
        int deciding = cell.indexOf(measure);
        List<Query> queries = cell.scores().queries();
        for (int q = 0; q < queries.size(); q++) {
            Query query = queries.get(q);
            int place = q;
            Candidate candidate =
                    candidates.computeIfAbsent(query.id(), id -> new Candidate(query, cell.placement(), place));
            Map<String, Double> scores = new LinkedHashMap<>();
            for (int m = 0; m < values.length; m++) {
                scores.put(measures.get(m).toString(), values[m][q]);
            }
            candidate.scores.put(cell.result().model(), scores);
            if (deciding >= 0) {
                candidate.deciding.add(values[deciding][q]);
            }
        }
    }

    private List<SampledQuery> take(int count) {
        Map<Integer, List<Candidate>> byBucket = new TreeMap<>();
        candidates
                .values()
                .forEach(candidate -> byBucket.computeIfAbsent(candidate.bucket(), bucket -> new ArrayList<>())
                        .add(candidate));
        // Sorting is stable, so what is equal stays in the file's order.
        byBucket.values()
                .forEach(bucket -> bucket.sort(
                        Comparator.comparingDouble(Candidate::spread).reversed().thenComparingDouble(Candidate::mean)));
        Deque<Deque<Candidate>> turns = new ArrayDeque<>();
        byBucket.values().forEach(bucket -> turns.add(new ArrayDeque<>(bucket)));
        List<SampledQuery> taken = new ArrayList<>();
        while (taken.size() < count && !turns.isEmpty()) {
            Deque<Candidate> bucket = turns.remove();
            taken.add(bucket.remove().sampled());
            if (!bucket.isEmpty()) {
                turns.add(bucket);
            }
        }
        return taken;
    }
}
