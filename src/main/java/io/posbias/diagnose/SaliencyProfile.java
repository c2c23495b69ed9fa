package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.stats.Clusters;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.stats.Moments;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Saliency by place in the document, over many pairs of query and document.
 *
 * @param pairs how many
 * @param points {@value SaliencyMap#POINTS} of them, from the beginning to the end
 * @param bins ten, each of ten points
 * @param salient pairs with any saliency above 0; the shares below are of these
 * @param thirds the mean share of the first, middle and last third; empty where no pair has any
 * @param firstMinusLast the first third's share minus the last one's, paired; null for fewer than two pairs
 * @param against the same minus that of another model; null for that model itself
 * @param evidence what lies in the evidence; null where no pair knows it
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
    /** How many bins a compact curve has. */
    public static final int BINS = 10;

    /**
     * A mean over pairs.
     *
     * @param mean the mean
     * @param deviation standard deviation over pairs; null for fewer than two
     * @param interval t interval of the mean; null likewise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SaliencyMean(
            double mean,
            @JsonProperty("sd") @Nullable Double deviation,
            @Nullable Interval interval) {}

    /**
     * The share of saliency in the evidence against its share of the length.
     *
     * @param pairs whose evidence is known
     * @param saliency mean share of the saliency above 0
     * @param length mean share of words or tokens
     * @param difference of the two, paired; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EvidenceSaliency(
            int pairs,
            SaliencyMean saliency,
            SaliencyMean length,
            @Nullable Estimate difference) {}

    /**
     * Gathers pairs.
     *
     * @param maps at least one
     * @param scale what each document is divided by in points and bins
     * @param confidence of intervals, between 0 and 1
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

    /** Values of pairs, and which of these count as one. */
    private record PairValues<T>(List<T> all, Clusters clusters, double confidence) {
        /** Of the pairs that have one. */
        static <T> PairValues<T> of(
                List<SaliencyMap> maps, double confidence, Function<SaliencyMap, Optional<T>> value) {
            List<Optional<T>> values = maps.stream().map(value).toList();
            int[] there = IntStream.range(0, values.size())
                    .filter(i -> values.get(i).isPresent())
                    .toArray();
            Clusters clusters =
                    Clusters.named(maps.stream().map(map -> map.pair().unit()).toList());
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
     * One model's share of the first third minus that of the last one minus the same of another model: what of it is not the
     * place of words that matter to both.
     *
     * @param model the other model
     * @param method how its saliency was found; null where that is how this model's was
     * @param pairs with saliency above 0 for both
     * @param difference paired; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SaliencyContrast(
            String model,
            @Nullable SaliencyMethod method,
            int pairs,
            @Nullable Estimate difference) {}

    /**
     * What others are compared with.
     *
     * @param maps of the same pairs as theirs, in the same order
     */
    public record SaliencyBaseline(String model, SaliencyMethod method, List<SaliencyMap> maps) {
        /** Restricts it to one text of each item. */
        SaliencyBaseline of(String text) {
            return new SaliencyBaseline(model, method, SaliencyFound.of(text, maps));
        }

        /**
         * Compares one with it.
         *
         * @param by how its saliency was found
         */
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
