package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Tested;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Mean score by place: of the evidence in its document, or of a segment in its text. Differences print times 1000, as in Table 5
 * of arXiv:2605.26578.
 *
 * @param peak place with the highest mean, the first of equals
 * @param lowest place with the lowest mean, the first of equals
 * @param interval of {@code peakMinusLowest}, paired; null for fewer than two values. It has no p-value, because both places were
 *     selected by these scores
 * @param tests each later place against place 1
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlaceCurve(
        int peak,
        int lowest,
        double peakMinusLowest,
        @Nullable Interval interval,
        List<Place> places,
        List<PairTest> tests) {
    /** The sets of the published curves. */
    static final String SETS =
            "MB, MM, ME, MU: trained on evidence at the beginning, in the middle, at the end, everywhere";

    /**
     * Mean at one place.
     *
     * @param place from 1
     * @param interval null for fewer than two values
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Place(
            @Meaning(value = "place of the evidence, from 1, the first", unit = "number")
            int place,

            @Meaning(value = "mean score with the evidence there", unit = "score")
            double mean,

            @Meaning(value = "both ends of the interval of `mean`", unit = "score") @Nullable
            Interval interval) {}

    /** A place with its difference to place 1, which has none. */
    record Line(
            @JsonUnwrapped Place place,

            @Meaning(
                    value =
                            "mean score minus that of place 1, over the same queries, with interval and p-value of the paired t test",
                    unit = "score")
            @JsonProperty("less_place_1")
            @Nullable
            Tested lessFirst) {}

    /** The curve of published means of a model after training on a set: that of a single text. */
    record Published(String model, String set, PlaceCurve curve) {
        /**
         * Reads means by place.
         *
         * @param file rows of model, configuration, place and cosine, in order of places
         */
        static List<Published> read(String file) {
            Map<List<String>, List<double[]>> curves = new LinkedHashMap<>();
            CsvRows.bundled(file)
                    .forEach(row -> curves.computeIfAbsent(
                                    List.of(row.text("model"), row.text("configuration")), name -> new ArrayList<>())
                            .add(new double[] {row.parsedNumber("cosine")}));
            List<Published> published = new ArrayList<>();
            curves.forEach((name, means) -> published.add(new Published(
                    name.getFirst(),
                    name.getLast(),
                    PlaceCurve.of(ProbeType.pairs("published"), means, Clusters.single(1), 0.5))));
            return published;
        }

        String name() {
            return model + " " + set;
        }
    }

    /**
     * The curve of scores.
     *
     * @param scores by place; of each place those of the same queries or texts, in one order
     */
    static PlaceCurve of(ProbeType probe, List<double[]> scores, Clusters clusters, double confidence) {
        List<Place> places = IntStream.range(0, scores.size())
                .mapToObj(i -> place(i + 1, Moments.of(scores.get(i), clusters), confidence))
                .toList();
        double rounding = PairTest.ROUNDING
                * scores.stream().mapToDouble(PairTest::largest).max().orElse(0);
        int peak = first(places, place -> -place.mean(), rounding);
        int lowest = first(places, Place::mean, rounding);
        IntFunction<PairTest> lessFirst = place ->
                PairTest.of(probe, place + " - 1", scores.get(place - 1), scores.getFirst(), clusters, confidence);
        return new PlaceCurve(
                peak,
                lowest,
                places.get(peak - 1).mean() - places.get(lowest - 1).mean(),
                PairTest.of(probe, "", scores.get(peak - 1), scores.get(lowest - 1), clusters, confidence)
                        .interval(),
                places,
                IntStream.rangeClosed(2, scores.size()).mapToObj(lessFirst).toList());
    }

    private static Place place(int number, Moments moments, double confidence) {
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

    List<Line> lines() {
        return places.stream()
                .map(place -> new Line(
                        place,
                        place.place() == 1 ? null : tests.get(place.place() - 2).tested()))
                .toList();
    }

    /** @param noun what a place is called: place, or segment */
    static Columns<PlaceCurve> peaks(String noun) {
        return new Columns<PlaceCurve>()
                .text(noun + "s", curve -> curve.places().size())
                .text("peak", PlaceCurve::peak)
                .text("lowest", PlaceCurve::lowest)
                .number("difference x 1000", NumberFormat.THOUSANDTHS, PlaceCurve::peakMinusLowest)
                .interval(NumberFormat.THOUSANDTHS, PlaceCurve::interval);
    }

    /** The note on the intervals of {@link #peaks}; %s is the confidence. */
    static String peaksNote(String noun) {
        return "interval: %s, paired t, of these two " + noun
                + "s; they are chosen by their means, so the difference is never below 0 and is not tested";
    }

    /**
     * A line for each place.
     *
     * @param unit what is paired: query, or text
     */
    Table table(String title, String noun, String unit, double confidence) {
        return new Columns<Line>()
                .text(noun, line -> line.place().place())
                .number("mean", NumberFormat.SCORE, line -> line.place().mean())
                .interval(NumberFormat.SCORE, line -> line.place().interval())
                .part(
                        Line::lessFirst,
                        new Columns<Tested>()
                                .number("minus " + noun + " 1, x 1000", NumberFormat.THOUSANDTHS, Tested::value)
                                .joined("its interval", less -> NumberFormat.THOUSANDTHS.print(less.interval()))
                                .number("p", NumberFormat.P, Tested::pValue))
                .table(
                        title,
                        lines(),
                        List.of("intervals: " + NumberFormat.percent(confidence) + ", t; minus " + noun
                                + " 1: paired by " + unit + ", p not corrected for the number of " + noun + "s"));
    }

    /** Adds a column for each place: its mean. */
    static <R> Columns<R> means(Columns<R> labels, int places, Function<R, PlaceCurve> curve) {
        for (int i = 0; i < places; i++) {
            int place = i;
            labels.number(
                    String.valueOf(i + 1),
                    NumberFormat.SCORE,
                    row -> curve.apply(row).places().get(place).mean());
        }
        return labels;
    }
}
