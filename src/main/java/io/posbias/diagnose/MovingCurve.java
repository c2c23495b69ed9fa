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
 * Mean score by place of the evidence: a row of Table 4 of arXiv:2605.26578 with its uncertainty.
 *
 * @param peak place with the highest mean, the first of equals
 * @param lowest place with the lowest mean, the first of equals
 * @param interval of {@code peakMinusLowest}, paired by query; null for fewer than two queries. It has no p-value, because both
 *     places were selected by these scores
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
     * Mean at one place.
     *
     * @param place from 1
     * @param interval null for fewer than two queries
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Place(int place, double mean, @Nullable Interval interval) {}

    /** The curve of the items of the probe "moving". */
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

    /** The first place with the lowest value, up to rounding. */
    private static int first(List<Place> places, ToDoubleFunction<Place> value, double rounding) {
        double least = places.stream().mapToDouble(value).min().orElseThrow();
        return places.stream()
                .filter(place -> value.applyAsDouble(place) <= least + rounding)
                .findFirst()
                .map(Place::place)
                .orElseThrow();
    }
}
