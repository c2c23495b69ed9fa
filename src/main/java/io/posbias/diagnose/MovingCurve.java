package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.ScoredItem;
import io.posbias.stats.Clusters;
import io.posbias.stats.Interval;
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
 * @param units how many units they are of
 * @param peak the number of the place of the highest mean; of equal ones the first
 * @param lowest the number of the place of the lowest mean; of equal ones the first
 * @param peakMinusLowest difference of their means, never below 0
 * @param interval of that difference, paired by query; null for fewer than two queries. Both places were chosen by looking
 *     at these scores, so a p-value would be too small and there is none
 * @param places from the first to the last
 * @param tests each later place against place 1
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MovingCurve(
        int queries,
        int units,
        int peak,
        int lowest,
        double peakMinusLowest,
        @Nullable Interval interval,
        List<Place> places,
        List<PairTest> tests) {
    /**
     * One place.
     *
     * @param place its number, from 1
     * @param mean of the scores there
     * @param interval t interval of the mean; null for fewer than two queries
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Place(int place, double mean, @Nullable Interval interval) {}

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
        List<double[]> columns = scores.values().stream()
                .map(byQuery ->
                        byQuery.values().stream().mapToDouble(score -> score).toArray())
                .toList();
        Clusters clusters = ScoredItem.clusters(items.stream()
                .filter(scored -> scored.item().tag(EvidenceMover.POSITION).equals("1"))
                .toList());
        List<Place> places = scores.keySet().stream()
                .map(number -> place(number, columns.get(number - 1), clusters, confidence))
                .toList();
        double rounding = PairTest.ROUNDING
                * columns.stream().mapToDouble(PairTest::largest).max().orElse(0);
        int peak = first(places, place -> -place.mean(), rounding);
        int lowest = first(places, Place::mean, rounding);
        return new MovingCurve(
                columns.getFirst().length,
                clusters.count(),
                peak,
                lowest,
                places.get(peak - 1).mean() - places.get(lowest - 1).mean(),
                PairTest.of(
                                EvidenceMover.PROBE,
                                "",
                                columns.get(peak - 1),
                                columns.get(lowest - 1),
                                clusters,
                                confidence)
                        .interval(),
                places,
                ProbeResult.of(items, confidence).tests());
    }

    private static Place place(int number, double[] scores, Clusters clusters, double confidence) {
        Moments moments = Moments.of(scores, clusters);
        return new Place(
                number,
                moments.mean(),
                moments.isEstimable() ? moments.estimate(confidence).interval() : null);
    }

    /** The place of the least value; of several that are equal up to rounding, the first. */
    private static int first(List<Place> places, ToDoubleFunction<Place> value, double rounding) {
        double least = places.stream().mapToDouble(value).min().orElseThrow();
        return places.stream()
                .filter(place -> value.applyAsDouble(place) <= least + rounding)
                .findFirst()
                .map(Place::place)
                .orElseThrow();
    }
}
