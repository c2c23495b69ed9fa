package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Effect of the evidence's position with the content held fixed: each query is scored with its evidence at K places of
 * its passage, all other passages unchanged. Estimated by {@link ContentFixedFit}.
 *
 * @param method {@code rotation}, {@code moving}, {@code windows} or {@value #OF_BENCHMARK}
 * @param effectiveClusters G*, see {@link io.posbias.base.stats.Clusters#effective}; null in earlier results
 * @param observed mean score on the original passages
 * @param cpsi 1 - min / max over the means of places
 * @param loss null in earlier results
 * @param frontMinusBack mean of the first {@link #ends} places minus that of the last
 * @param middleMinusEnds mean of the places between minus the mean of both ends; position-blind models that read a window
 *     prefer the middle, see {@link Bias}
 * @param natural effect of the unchanged text; null if it cannot be separated from places
 * @param broken effect of one broken pair of neighbouring sentences; null if all texts have the same number
 * @param read contrasts over queries whose evidence is read at all places; null if all is read or truncation is unknown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ContentFixed(
        String measure,
        String method,
        int queries,
        int clusters,
        @Nullable Double effectiveClusters,
        double observed,
        Psi cpsi,
        @Nullable PositionLoss loss,
        Estimate frontMinusBack,
        Estimate middleMinusEnds,
        @Nullable Estimate natural,
        @Nullable Estimate broken,
        Bias outcome,
        @Nullable Read read,
        Power power,
        List<Place> places,
        List<Bucket> buckets) {
    /** Method of a benchmark whose own queries are at all places. */
    public static final String OF_BENCHMARK = "windows of the benchmark";

    /** Largest number of places of one end. */
    public static final int ENDS = 3;

    /** Minimum number of places, so that some are left between the ends. */
    public static final int LEAST_PLACES = 2 * ENDS + 1;

    /**
     * Mean at one place.
     *
     * @param place from 1
     * @param mean adjusted for the controls
     * @param interval of the difference from the mean of all places, around {@code mean}
     * @param unread share of queries whose evidence begins past the cut; null if unknown
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Place(
            int place,
            double mean,
            @Nullable Interval interval,
            @Nullable Double unread) {}

    /**
     * Contrasts over the queries whose evidence is read at every place.
     *
     * @param frontMinusBack null for fewer than two clusters
     * @param middleMinusEnds null for fewer than two clusters
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Read(
            int queries,
            int clusters,
            @Nullable Estimate frontMinusBack,
            @Nullable Estimate middleMinusEnds) {}

    /**
     * A bucket of the profile.
     *
     * @param observed mean score; null for an empty bucket
     * @param content mean over places of the bucket's scores; null for an empty bucket
     * @param position observed minus content; null for fewer than two clusters
     */
    public record Bucket(
            String bucket,
            int queries,
            @Nullable Double observed,
            @Nullable Double content,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Estimate position) {}

    public ContentFixed {
        places = List.copyOf(places);
        buckets = List.copyOf(buckets);
    }

    /** Number of places of one end; at least one place is left between the ends. */
    public static int ends(int places) {
        return Math.min(ENDS, (places - 1) / 2);
    }

    /** The equivalence bound; the default in results without one. */
    public double equivalence() {
        return loss == null ? Bias.EQUIVALENCE : loss.equivalence();
    }

    /**
     * Number of queries with which the verdict would be a direction for a loss; {@code posbias plan} simulates the same.
     *
     * @param wanted loss, as a fraction
     * @return null if unknown
     */
    public @Nullable Integer queriesFor(double wanted, double confidence) {
        return loss == null
                ? null
                : loss.score()
                        .queriesFor(
                                wanted, queries, effectiveClusters == null ? clusters : effectiveClusters, confidence);
    }

    @JsonProperty("k")
    public int k() {
        return places.size();
    }
}
