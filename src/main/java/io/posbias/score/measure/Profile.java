package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Truncation.Unread;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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
 * @param unread the most truncated bucket; null if little is truncated, if truncation is unknown, and for bands of length
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
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Unread unread) {

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
                null);
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

    /** Adds the content-fixed result. */
    public Profile with(ContentFixed found) {
        return with(found, unread);
    }

    /** Adds the truncation counts of the result. */
    public Profile with(List<Truncation> truncations) {
        return stratum.equals(Strata.ALL) ? with(contentFixed, Unread.of(truncations, buckets)) : this;
    }

    /** The {@link Bias} with the content held fixed, otherwise the {@link Verdict}; null without draws. */
    public @Nullable Enum<?> word() {
        return contentFixed != null ? contentFixed.verdict() : direction == null ? null : direction.verdict();
    }

    /** The verdict with its truncation note in parentheses; null without draws. */
    public @Nullable String verdict() {
        Enum<?> word = word();
        String note = truncated();
        return word == null ? null : note.isEmpty() ? word.toString() : word + " (" + note + ")";
    }

    /** Explains the verdict, without its truncation note, with its thresholds; empty without draws. */
    public String meaning(double confidence) {
        if (contentFixed != null) {
            return contentFixed.verdict().meaning(confidence, contentFixed.equivalence());
        }
        Verdict verdict = direction == null ? null : direction.verdict();
        return verdict == null ? "" : verdict.meaning(confidence);
    }

    /** The truncation note of the verdict; empty if it does not apply. */
    public String truncated() {
        Enum<?> word = word();
        return word == null ? "" : Unread.note(word, unread);
    }

    /** Returns true if there are too few clusters for a verdict. */
    public boolean hasFewUnits() {
        return clusters != null
                && clusters > 0
                && (clusters < Clusters.FEW
                        || (effectiveClusters != null && effectiveClusters < Clusters.FEW_EFFECTIVE));
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

    private Profile with(@Nullable ContentFixed fixed, @Nullable Unread most) {
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
                most);
    }
}
