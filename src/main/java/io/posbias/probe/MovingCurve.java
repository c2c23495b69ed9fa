package io.posbias.probe;

import io.posbias.stats.Estimate;
import io.posbias.stats.Moments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The mean score of documents by the place of their evidence: a row of Table 4 of the paper on training distributions,
 * with its uncertainty.
 *
 * @param queries how many, the same at every place
 * @param places from the first to the last
 * @param peak the number of the place of the highest mean; of equal ones the first
 * @param lowest the number of the place of the lowest mean; of equal ones the first
 * @param drop mean at the peak less mean at the lowest place, paired by query; null for fewer than two queries. Both
 *     places were chosen by looking at these scores, so its p-value would be too small and none is to be shown
 * @param againstFirst each later place against place 1
 */
public record MovingCurve(
        int queries,
        List<Place> places,
        int peak,
        int lowest,
        @Nullable Estimate drop,
        List<PairTest> againstFirst) {

    /** Copies the lists. */
    public MovingCurve {
        places = List.copyOf(places);
        againstFirst = List.copyOf(againstFirst);
    }

    /**
     * One place.
     *
     * @param number from 1
     * @param mean of the scores there
     * @param estimate the same with its t interval; null for fewer than two queries
     */
    public record Place(int number, double mean, @Nullable Estimate estimate) {}

    /** Peak less lowest mean. */
    public double difference() {
        return places.get(peak - 1).mean() - places.get(lowest - 1).mean();
    }

    /**
     * The curve of scored items of the probe "moving", every query at every place.
     *
     * @param confidence of intervals, between 0 and 1
     */
    public static MovingCurve of(List<ScoredItem> items, double confidence) {
        Map<Integer, Map<String, Double>> scores = new TreeMap<>();
        items.forEach(scored -> scores.computeIfAbsent(
                        Integer.valueOf(scored.item().tag(EvidenceMover.POSITION)), place -> new LinkedHashMap<>())
                .put(scored.item().id(), scored.score1()));
        List<double[]> columns =
                scores.values().stream().map(MovingCurve::column).toList();
        List<Place> places = scores.keySet().stream()
                .map(number -> place(number, columns.get(number - 1), confidence))
                .toList();
        double rounding = PairTest.ROUNDING
                * columns.stream().mapToDouble(PairTest::largest).max().orElse(0);
        int peak = first(places, place -> -place.mean(), rounding);
        int lowest = first(places, Place::mean, rounding);
        return new MovingCurve(
                columns.getFirst().length,
                places,
                peak,
                lowest,
                difference(columns.get(peak - 1), columns.get(lowest - 1), confidence),
                ProbeResult.of(items, confidence).tests());
    }

    private static double[] column(Map<String, Double> byQuery) {
        return byQuery.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Place place(int number, double[] scores, double confidence) {
        Moments moments = Moments.of(scores);
        return new Place(number, moments.mean(), moments.n() < 2 ? null : moments.estimate(confidence));
    }

    /** The place of the least value; of several that are equal up to rounding, the first. */
    private static int first(List<Place> places, ToDoubleFunction<Place> value, double rounding) {
        double least = places.stream().mapToDouble(value).min().orElseThrow();
        return places.stream()
                .filter(place -> value.applyAsDouble(place) <= least + rounding)
                .findFirst()
                .map(Place::number)
                .orElseThrow();
    }

    private static @Nullable Estimate difference(double[] first, double[] second, double confidence) {
        return PairTest.of(EvidenceMover.PROBE, "peak - lowest", first, second, confidence)
                .difference();
    }
}
