package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.position.Strata;
import io.posbias.stats.Clusters;
import io.posbias.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a measure depends on where the evidence lies, within one stratum of the queries.
 *
 * @param measure the measure's name
 * @param stratum {@code all} or a band of length
 * @param queries how many judged queries the stratum holds, in a bucket or not
 * @param clusters how many units they are of that do not depend on each other; null where that is not known
 * @param effectiveClusters G*, see {@link Clusters#effective}; null likewise
 * @param queryMean mean over these queries; null when there are none
 * @param queryInterval Student's t interval of it, cut to [0, 1]; null for fewer than two queries
 * @param bucketMean mean over the means of the buckets that hold a query, each bucket once; null when there are none
 * @param bucketInterval percentile bootstrap interval of it, queries drawn within their buckets; null without draws
 * @param psi the Position Sensitivity Index
 * @param buckets all buckets, in their order
 * @param direction how scores go with the position; null when there are too few queries with a position
 * @param power what the benchmark would show; null likewise
 * @param contentFixed what the position does where the content stays the same; null where that was not asked
 * @param unread the bucket of which the model read least; null where it read about all, where that is not known, and for
 *     bands of length, of which it is not counted
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

    /** Copies the buckets, and refuses what is no mean of a measure. */
    public Profile {
        BucketMean.refuseOutside(queryMean);
        BucketMean.refuseOutside(bucketMean);
        BucketMean.refuseOutside(queryInterval);
        BucketMean.refuseOutside(bucketInterval);
        buckets = List.copyOf(buckets);
    }

    /** A profile without intervals and direction: printed numbers, old results. */
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

    /** The same profile with what the position does where the content stays the same. */
    public Profile with(ContentFixed found) {
        return with(found, unread);
    }

    /** The same profile with what the model did not read, by the counts of its result. */
    public Profile with(List<Truncation> truncations) {
        return stratum.equals(Strata.ALL) ? with(contentFixed, Unread.of(truncations, buckets)) : this;
    }

    /** The {@link Bias} of the content held fixed, else the {@link Verdict} whether positions differ; null without draws. */
    public @Nullable Enum<?> word() {
        return contentFixed != null ? contentFixed.verdict() : direction == null ? null : direction.verdict();
    }

    /** The word with what was not read; null without draws. */
    public @Nullable String verdict() {
        Enum<?> word = word();
        return word == null ? null : word + truncated();
    }

    /** The end of the verdict that names what was not read; empty where it does not matter. */
    public String truncated() {
        Enum<?> word = word();
        return word == null ? "" : Unread.note(word, unread);
    }

    /** Whether the queries are of too few units for a verdict; so in no result that does not tell. */
    public boolean hasFewUnits() {
        return clusters != null
                && clusters > 0
                && (clusters < Clusters.FEW
                        || (effectiveClusters != null && effectiveClusters < Clusters.FEW_EFFECTIVE));
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
