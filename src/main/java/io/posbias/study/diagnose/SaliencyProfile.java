package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.table.Meaning;
import io.posbias.study.diagnose.SaliencyDiagnosis.SaliencyFound;
import io.posbias.study.diagnose.SaliencySettings.SaliencyMethod;
import io.posbias.study.diagnose.SaliencySettings.SaliencyScale;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Saliency by position in the document, over many pairs.
 *
 * @param salient pairs with positive saliency, which the shares below are of
 * @param thirds mean shares; empty if no pair has any
 * @param firstMinusLast paired; null for fewer than two pairs
 * @param against contrast with the reference; null for the reference itself
 * @param evidence null if no pair has an evidence span
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SaliencyProfile(
        int pairs,
        List<SaliencyMean> points,
        List<SaliencyMean> bins,
        @JsonProperty("salient_pairs") int salient,
        List<SaliencyMean> thirds,
        @JsonProperty("first_less_last") @Nullable Estimate firstMinusLast,
        @JsonProperty("first_less_last_against") @Nullable SaliencyContrast against,
        @Nullable EvidenceSaliency evidence) {
    /** Number of bins of the compact curve. */
    public static final int BINS = 10;

    /**
     * Mean over pairs.
     *
     * @param deviation standard deviation over pairs; null for fewer than two
     * @param interval t interval; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SaliencyMean(
            @Meaning(value = "mean saliency there", unit = "score")
            double mean,

            @Meaning(value = "its standard deviation over pairs", unit = "score") @JsonProperty("sd") @Nullable
            Double deviation,

            @Meaning(value = "both ends of the interval of `mean`", unit = "score") @Nullable
            Interval interval) {}

    /**
     * Share of positive saliency in the evidence against its share of the length.
     *
     * @param difference paired; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EvidenceSaliency(
            int pairs,
            SaliencyMean saliency,
            SaliencyMean length,
            @Nullable Estimate difference) {}

    /**
     * Averages pairs.
     *
     * @param maps at least one
     */
    public static SaliencyProfile of(List<SaliencyMap> maps, SaliencyScale scale, double confidence) {
        PairValues<double[]> curves = PairValues.of(maps, confidence, map -> Optional.of(map.points(scale)));
        PairValues<double[]> thirds = PairValues.of(maps, confidence, SaliencyMap::thirds);
        return new SaliencyProfile(
                maps.size(),
                columns(curves, SaliencyMap.POINTS),
                columns(
                        new PairValues<>(
                                curves.all().stream()
                                        .map(SaliencyProfile::binned)
                                        .toList(),
                                curves.clusters(),
                                confidence),
                        BINS),
                thirds.all().size(),
                thirds.all().isEmpty() ? List.of() : columns(thirds, 3),
                thirds.estimate(SaliencyProfile::firstMinusLast),
                null,
                evidence(PairValues.of(maps, confidence, SaliencyMap::evidenceShare)));
    }

    /** Printed means by point, without thirds. */
    static SaliencyProfile published(List<SaliencyMean> points, int pairs) {
        double[] means = points.stream().mapToDouble(SaliencyMean::mean).toArray();
        List<SaliencyMean> bins = Arrays.stream(binned(means))
                .mapToObj(mean -> new SaliencyMean(mean, null, null))
                .toList();
        return new SaliencyProfile(pairs, points, bins, 0, List.of(), null, null, null);
    }

    private record PairValues<T>(List<T> all, Clusters clusters, double confidence) {
        static <T> PairValues<T> of(
                List<SaliencyMap> maps, double confidence, Function<SaliencyMap, Optional<T>> value) {
            List<Optional<T>> values = maps.stream().map(value).toList();
            int[] there = IntStream.range(0, values.size())
                    .filter(i -> values.get(i).isPresent())
                    .toArray();
            Clusters clusters = Clusters.named(
                    maps.stream().map(map -> map.pair().cluster()).toList());
            return new PairValues<>(values.stream().flatMap(Optional::stream).toList(), clusters.at(there), confidence);
        }

        private Moments moments(ToDoubleFunction<T> number) {
            return Moments.of(all.stream().mapToDouble(number).toArray(), clusters);
        }

        SaliencyMean value(ToDoubleFunction<T> number) {
            Moments moments = moments(number);
            if (!moments.isEstimable()) {
                return new SaliencyMean(moments.mean(), null, null);
            }
            double deviation = Math.sqrt(
                    Moments.of(all.stream().mapToDouble(number).toArray()).variance());
            return new SaliencyMean(
                    moments.mean(), deviation, moments.estimate(confidence).interval());
        }

        @Nullable
        Estimate estimate(ToDoubleFunction<T> number) {
            Moments moments = moments(number);
            return moments.isEstimable() ? moments.estimate(confidence) : null;
        }
    }

    SaliencyProfile against(SaliencyContrast contrast) {
        return new SaliencyProfile(pairs, points, bins, salient, thirds, firstMinusLast, contrast, evidence);
    }

    /**
     * A model's first minus last third, minus that of the reference over the same pairs: removes the effect of where words that
     * matter to both are.
     *
     * @param method of the reference; null if equal to this model's
     * @param difference paired; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SaliencyContrast(
            String model,
            @Nullable SaliencyMethod method,
            int pairs,
            @Nullable Estimate difference) {}

    /** Reference of contrasts, with maps of the same pairs in the same order. */
    public record SaliencyBaseline(String model, SaliencyMethod method, List<SaliencyMap> maps) {
        SaliencyBaseline of(String text) {
            return new SaliencyBaseline(model, method, SaliencyFound.of(text, maps));
        }

        public SaliencyContrast contrast(List<SaliencyMap> own, SaliencyMethod by, double confidence) {
            Iterator<SaliencyMap> others = maps.iterator();
            PairValues<Double> differences = PairValues.of(own, confidence, map -> {
                Optional<double[]> other = others.next().thirds();
                return map.thirds().flatMap(mine -> other.map(base -> firstMinusLast(mine) - firstMinusLast(base)));
            });
            return new SaliencyContrast(
                    model,
                    method == by ? null : method,
                    differences.all().size(),
                    differences.estimate(difference -> difference));
        }
    }

    private static double firstMinusLast(double[] thirds) {
        return thirds[0] - thirds[2];
    }

    private static double[] binned(double[] points) {
        int size = points.length / BINS;
        return IntStream.range(0, BINS)
                .mapToDouble(bin -> Arrays.stream(points, bin * size, (bin + 1) * size)
                        .average()
                        .orElseThrow())
                .toArray();
    }

    private static List<SaliencyMean> columns(PairValues<double[]> rows, int columns) {
        return IntStream.range(0, columns)
                .mapToObj(column -> rows.value(row -> row[column]))
                .toList();
    }

    private static @Nullable EvidenceSaliency evidence(PairValues<SaliencyMap.EvidencePart> shares) {
        return shares.all().isEmpty()
                ? null
                : new EvidenceSaliency(
                        shares.all().size(),
                        shares.value(SaliencyMap.EvidencePart::saliency),
                        shares.value(SaliencyMap.EvidencePart::length),
                        shares.estimate(share -> share.saliency() - share.length()));
    }
}
