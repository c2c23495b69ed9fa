package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the position of the evidence does to a model where the content stays the same: each query is scored with its
 * evidence at K places of its own passage, all other passages as they are. {@link ContentFixedFit} has the estimator.
 *
 * @param measure the measure's name
 * @param method how evidence gets to its places: {@code rotation}, {@code moving}, {@code windows} or {@value #OF_BENCHMARK}
 * @param queries how many
 * @param clusters how many units they are of
 * @param effectiveClusters G* of these, see {@link io.posbias.stats.Clusters#effective}; null in earlier results
 * @param observed their mean score on the passages as they are
 * @param cpsi 1 - min / max over the places' means
 * @param loss what the place costs; null in earlier results
 * @param frontMinusBack mean of the first places minus that of the last, {@link #ends} of them each
 * @param middleMinusEnds mean of the places between minus the mean of those two means; a model that sees no positions but a
 *     window of text prefers the middle, see {@link Bias}
 * @param natural what the unchanged text adds to a score; null where it cannot be told from places
 * @param broken what a pair of sentences that were not neighbours adds; null likewise, and where every text has as many
 * @param verdict in one word
 * @param read the contrasts over queries whose evidence the model reads at all places; null where it reads all, or tells not
 * @param power what the queries would show
 * @param places from the first to the last
 * @param buckets the observed means as the sum of content and position
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
        Bias verdict,
        @Nullable Read read,
        Power power,
        List<Place> places,
        List<Bucket> buckets) {
    /** The method of a benchmark whose own queries are at all places. */
    public static final String OF_BENCHMARK = "windows of the benchmark";

    /** Places at each end that a contrast takes together, where there are so many. */
    public static final int ENDS = 3;

    /** Fewer places would leave none between the ends. */
    public static final int LEAST_PLACES = 2 * ENDS + 1;

    /**
     * A place.
     *
     * @param place its number, from 1
     * @param mean of the scores there, the controls held equal
     * @param interval t interval of its difference from the mean of all places, around {@code mean}
     * @param unread the share of queries whose evidence begins past what the model reads; null where that is not known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Place(
            int place,
            double mean,
            @Nullable Interval interval,
            @Nullable Double unread) {}

    /**
     * The queries that the model reads whole at every place.
     *
     * @param queries how many
     * @param clusters of which units
     * @param frontMinusBack as above; null for fewer than two units
     * @param middleMinusEnds likewise
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
     * @param bucket its name
     * @param queries how many of the queries above it holds
     * @param observed their mean score; null when it holds none
     * @param content the mean over places of their scores: what their content is worth wherever it stands; null likewise
     * @param position observed minus content: what their own position is worth; null for fewer than two units
     */
    public record Bucket(
            String bucket,
            int queries,
            @Nullable Double observed,
            @Nullable Double content,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Estimate position) {}

    /** Copies the lists. */
    public ContentFixed {
        places = List.copyOf(places);
        buckets = List.copyOf(buckets);
    }

    /** Places at each end of so many that a contrast takes together: at least one is left between the ends. */
    public static int ends(int places) {
        return Math.min(ENDS, (places - 1) / 2);
    }

    /** The loss at the back that does not matter; the usual one in results that do not say. */
    public double equivalence() {
        return loss == null ? Bias.EQUIVALENCE : loss.equivalence();
    }

    /** How many places there are. */
    @JsonProperty("k")
    public int k() {
        return places.size();
    }
}
