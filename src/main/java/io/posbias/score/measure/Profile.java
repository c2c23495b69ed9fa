package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.base.json.Setting;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Dependence of a measure on the evidence's position, within one stratum of the queries.
 *
 * @param stratum {@code all} or a band of length
 * @param queries judged queries, in a bucket or not
 * @param clusters null if unknown
 * @param effectiveClusters G*, see {@link Clusters#effective}; null if unknown
 * @param queryMean null without queries
 * @param queryInterval t interval, clipped to [0, 1]; null for fewer than two queries
 * @param bucketMean unweighted mean over non-empty buckets; null without one
 * @param bucketInterval t interval, clipped to [0, 1]; null for a bucket of one cluster
 * @param direction null with too few positions
 * @param power null with too few positions
 * @param contentFixed null if not requested
 * @param unread null if all evidence is read, or if that is unknown
 * @param verdicts empty without draws or evidence positions
 */
@JsonPropertyOrder({
    "measure",
    "stratum",
    "queries",
    "clusters",
    "effective_clusters",
    "query_mean",
    "query_mean_interval",
    "bucket_mean",
    "bucket_mean_interval",
    "verdicts",
    "psi",
    "direction",
    "power",
    "content_fixed",
    "unread",
    "buckets"
})
public record Profile(
        String measure,
        String stratum,
        int queries,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer clusters,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double effectiveClusters,
        @Nullable Double queryMean,

        @JsonProperty("query_mean_interval") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Interval queryInterval,

        @Nullable Double bucketMean,

        @JsonProperty("bucket_mean_interval") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Interval bucketInterval,

        Psi psi,
        List<BucketMean> buckets,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Direction direction,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Power power,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ContentFixed contentFixed,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Unread unread,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Setting(usual = "[]")
        List<Verdict> verdicts) {
    /**
     * Queries whose evidence begins past what a model reads. That they score lower may be because they are harder; {@link LossParts}
     * and {@link UnreadContrast} say what not reading costs.
     *
     * @param queries with a known evidence span
     * @param unread queries whose evidence begins past the cut
     */
    public record Unread(int queries, int unread) {
        /**
         * Counts the queries.
         *
         * @param members queries to count, by index
         * @return null if truncation is unknown, or nothing is unread
         */
        static @Nullable Unread of(int[] members, EvidenceCuts cuts) {
            int located =
                    (int) Arrays.stream(members).filter(cuts.located()::get).count();
            int unread =
                    (int) Arrays.stream(members).filter(cuts.startsPast()::get).count();
            return !cuts.known() || unread == 0 ? null : new Unread(located, unread);
        }

        public double share() {
            return (double) unread / queries;
        }
    }

    /** Note below tables that leave out a PSI for {@link #hasThinPsi}. */
    public static final String THIN_PSI =
            "no PSI where the lowest or the highest bucket has few queries (--thin-below)";

    /** Checks the ranges, because results are read from files. */
    public Profile {
        BucketMean.refuseOutside(queryMean);
        BucketMean.refuseOutside(bucketMean);
        BucketMean.refuseOutside(queryInterval);
        BucketMean.refuseOutside(bucketInterval);
        BucketMean.refuseNull(queryMean, queries);
        BucketMean.refuseNull(
                bucketMean, buckets.stream().mapToInt(BucketMean::queries).sum());
        buckets = List.copyOf(buckets);
        verdicts = List.copyOf(verdicts);
    }

    /** A profile without intervals and direction: published rows, old results. */
    public Profile(
            String measure,
            String stratum,
            int queries,
            @Nullable Double queryMean,
            @Nullable Double bucketMean,
            Psi psi,
            List<BucketMean> buckets) {
        this(
                measure,
                stratum,
                queries,
                null,
                null,
                queryMean,
                null,
                bucketMean,
                null,
                psi,
                buckets,
                null,
                null,
                null,
                null,
                List.of());
    }

    /** Returns true if PSI depends on few queries: its lowest or its highest bucket is thin. */
    public boolean hasThinPsi() {
        List<BucketMean> held =
                buckets.stream().filter(bucket -> bucket.mean() != null).toList();
        Comparator<BucketMean> byMean = Comparator.comparingDouble(bucket -> Objects.requireNonNull(bucket.mean()));
        return !held.isEmpty()
                && (Collections.min(held, byMean).thin()
                        || Collections.max(held, byMean).thin());
    }

    /** PSI as tables, figures and the page print it: without a value if it depends on few queries. */
    public Psi printedPsi() {
        return hasThinPsi() ? psi.withoutValue("it depends on a bucket of few queries") : psi;
    }

    /** Returns the outcome of the tests of PSI and direction; null without a direction. */
    public @Nullable TestOutcome outcome() {
        return direction == null ? null : direction.outcome();
    }

    /** Returns true if each query is a cluster by itself, as far as is known. */
    public boolean isOfSingles() {
        return clusters == null || clusters == queries;
    }

    /** Adds the content-fixed result; the verdict is decided by {@link #judged}. */
    public Profile with(ContentFixed found) {
        return with(found, List.of());
    }

    /**
     * Decides the verdict.
     *
     * @param isBlind true for a position-blind model
     */
    public Profile judged(boolean isBlind) {
        return with(contentFixed, verdicts(isBlind, null));
    }

    /**
     * Decides the verdicts: one, or both {@link Verdict#UNREAD} and {@link Verdict#POSITION}, the larger first.
     *
     * @param isBlind true for a position-blind model
     * @param beside the loss where evidence is not read beyond that of a blind model; null without one
     * @return empty without draws or evidence positions
     */
    public List<Verdict> verdicts(boolean isBlind, @Nullable UnreadContrast beside) {
        ContentFixed moved = contentFixed;
        TestOutcome observed = outcome();
        if (moved == null && observed == null) {
            return List.of();
        }
        Verdict early = moved == null
                ? Verdict.early(
                        observed == TestOutcome.TOO_FEW,
                        buckets.stream()
                                .map(BucketMean::mean)
                                .filter(Objects::nonNull)
                                .mapToDouble(Double::doubleValue)
                                .summaryStatistics())
                : moved.early();
        if (early != null) {
            return List.of(early);
        }
        List<Verdict> causes = moved == null ? List.of() : moved.causes();
        if (!causes.isEmpty()) {
            return causes;
        }
        if (beside != null && beside.isLoss() && (moved == null || !moved.isTold())) {
            return List.of(Verdict.UNREAD);
        }
        boolean isEven = moved == null ? observed == TestOutcome.EVEN : moved.isEven();
        boolean isContent = observed == TestOutcome.DIFFER && (isBlind || (moved != null && isEven));
        return List.of(isContent ? Verdict.CONTENT : isEven ? Verdict.EVEN : Verdict.OPEN);
    }

    /** Returns the first verdict; null without one. */
    public @Nullable Verdict verdict() {
        return verdicts.isEmpty() ? null : verdicts.getFirst();
    }

    /**
     * Number of queries with which the verdict would be {@code differ} for a loss from the first bucket to the last, on a straight
     * line; {@code posbias plan} simulates the same.
     *
     * @param loss as a fraction
     * @return null if unknown
     */
    public @Nullable Integer queriesFor(double loss, double confidence) {
        if (power == null || direction == null || bucketMean == null) {
            return null;
        }
        double filled = buckets.stream().filter(bucket -> bucket.queries() > 0).count();
        double fall = direction.position() == Direction.Scale.RELATIVE ? filled / (filled - 1) : 1;
        Double factor = power.factor(loss, direction.slope(), fall, bucketMean, confidence);
        return factor == null ? null : (Integer) (int) Math.min(Integer.MAX_VALUE, Math.ceil(queries * factor));
    }

    private Profile with(@Nullable ContentFixed fixed, List<Verdict> judged) {
        return new Profile(
                measure,
                stratum,
                queries,
                clusters,
                effectiveClusters,
                queryMean,
                queryInterval,
                bucketMean,
                bucketInterval,
                psi,
                buckets,
                direction,
                power,
                fixed,
                unread,
                judged);
    }

    /** Plain mean over benchmarks; null if a number is missing. */
    public static @Nullable Double mean(List<Profile> profiles, Function<Profile, @Nullable Double> number) {
        List<Double> numbers =
                profiles.stream().map(number).filter(Objects::nonNull).toList();
        return numbers.isEmpty() || numbers.size() < profiles.size()
                ? null
                : (Double) (numbers.stream().mapToDouble(Double::doubleValue).sum() / numbers.size());
    }

    /** True if PosIR's average is the query mean, as over all queries; in a band of length it is the bucket mean. */
    public boolean averagesQueries() {
        return stratum.equals(Strata.ALL);
    }

    /** PosIR's average. */
    public @Nullable Double average() {
        return averagesQueries() ? queryMean : bucketMean;
    }
}
