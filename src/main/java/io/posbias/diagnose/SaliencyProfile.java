package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.stats.Moments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
        List<Value> points,
        List<Value> bins,
        @JsonProperty("salient_pairs") int salient,
        List<Value> thirds,
        @JsonProperty("first_less_last") @Nullable Estimate firstMinusLast,
        @JsonProperty("first_less_last_against") @Nullable Contrast against,
        @Nullable EvidenceShare evidence) {
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
    public record Value(
            double mean,
            @JsonProperty("sd") @Nullable Double deviation,
            @Nullable Interval interval) {
        static Value of(double[] values, double confidence) {
            Moments moments = Moments.of(values);
            return moments.n() < 2
                    ? new Value(moments.mean(), null, null)
                    : new Value(
                            moments.mean(),
                            Math.sqrt(moments.variance()),
                            moments.estimate(confidence).interval());
        }
    }

    /**
     * The share of saliency in the evidence against its share of the length.
     *
     * @param pairs whose evidence is known
     * @param saliency mean share of the saliency above 0
     * @param length mean share of words or tokens
     * @param difference of the two, paired; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EvidenceShare(
            int pairs,
            Value saliency,
            Value length,
            @Nullable Estimate difference) {}

    /**
     * Gathers pairs.
     *
     * @param maps at least one
     * @param scale what each document is divided by in points and bins
     * @param confidence of intervals, between 0 and 1
     */
    public static SaliencyProfile of(List<SaliencyMap> maps, SaliencyScale scale, double confidence) {
        List<double[]> curves = maps.stream().map(map -> map.points(scale)).toList();
        List<double[]> thirds =
                maps.stream().map(SaliencyMap::thirds).flatMap(Optional::stream).toList();
        return new SaliencyProfile(
                maps.size(),
                columns(curves, SaliencyMap.POINTS, confidence),
                columns(curves.stream().map(SaliencyProfile::binned).toList(), BINS, confidence),
                thirds.size(),
                thirds.isEmpty() ? List.of() : columns(thirds, 3, confidence),
                estimate(thirds, SaliencyProfile::firstMinusLast, confidence),
                null,
                evidence(maps, confidence));
    }

    SaliencyProfile against(Contrast contrast) {
        return new SaliencyProfile(pairs, points, bins, salient, thirds, firstMinusLast, contrast, evidence);
    }

    /**
     * One model's share of the first third minus that of the last one minus the same of another model: what of it is not the
     * place of words that matter to both.
     *
     * @param model the other model
     * @param pairs with saliency above 0 for both
     * @param difference paired; null for fewer than two pairs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Contrast(
            String model, int pairs, @Nullable Estimate difference) {}

    /**
     * Compares two models on the same pairs.
     *
     * @param base of the other model, in the same order
     */
    public static Contrast contrast(List<SaliencyMap> maps, String model, List<SaliencyMap> base, double confidence) {
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < maps.size(); i++) {
            Optional<double[]> own = maps.get(i).thirds();
            Optional<double[]> other = base.get(i).thirds();
            if (own.isPresent() && other.isPresent()) {
                differences.add(firstMinusLast(own.get()) - firstMinusLast(other.get()));
            }
        }
        return new Contrast(model, differences.size(), estimate(differences, difference -> difference, confidence));
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

    private static List<Value> columns(List<double[]> rows, int columns, double confidence) {
        return IntStream.range(0, columns)
                .mapToObj(column -> value(rows, row -> row[column], confidence))
                .toList();
    }

    private static <T> Value value(List<T> rows, ToDoubleFunction<T> number, double confidence) {
        return Value.of(rows.stream().mapToDouble(number).toArray(), confidence);
    }

    private static <T> @Nullable Estimate estimate(List<T> list, ToDoubleFunction<T> value, double confidence) {
        return list.size() < 2
                ? null
                : Moments.of(list.stream().mapToDouble(value).toArray()).estimate(confidence);
    }

    private static @Nullable EvidenceShare evidence(List<SaliencyMap> maps, double confidence) {
        List<SaliencyMap.Share> shares = maps.stream()
                .map(SaliencyMap::evidenceShare)
                .flatMap(Optional::stream)
                .toList();
        return shares.isEmpty()
                ? null
                : new EvidenceShare(
                        shares.size(),
                        value(shares, SaliencyMap.Share::saliency, confidence),
                        value(shares, SaliencyMap.Share::length, confidence),
                        estimate(shares, share -> share.saliency() - share.length(), confidence));
    }
}
