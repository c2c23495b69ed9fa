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
 *     prefer the middle, see {@link TestOutcome}
 * @param natural effect of the unchanged text; null if it cannot be separated from places
 * @param broken effect of one broken pair of neighbouring sentences; null if all texts have the same number
 * @param parts of the loss, by position and by not reading; null if all is read, or if that is unknown
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
        TestOutcome outcome,
        @Nullable LossParts parts,
        Power power,
        List<Place> places,
        List<Bucket> buckets) {
    /** Least mean of a bucket of easy questions. */
    private static final double FOUND = 0.9;

    /** Method of a benchmark whose own queries are at all places. */
    public static final String OF_BENCHMARK = "windows of the benchmark";

    /** Method of windows cut from passages. */
    private static final String WINDOWS = "windows";

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
        return loss == null ? TestOutcome.EQUIVALENCE : loss.equivalence();
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

    /**
     * Returns the causes of the loss, the larger first: {@link Verdict#UNREAD}, {@link Verdict#POSITION}, both or none. Where it
     * is unknown what is read, all of the loss counts as one by position; where something is unread and the parts are not
     * known, as in results of earlier versions, nothing does.
     */
    public List<Verdict> causes() {
        return parts != null
                ? parts.named(equivalence())
                : outcome.isDirection() && !isUnread() ? List.of(Verdict.POSITION) : List.of();
    }

    /** The verdicts of the same evidence at several places alone. */
    public List<Verdict> verdicts() {
        Verdict early = early();
        List<Verdict> causes = causes();
        return early != null
                ? List.of(early)
                : causes.isEmpty() ? List.of(isEven() ? Verdict.EVEN : Verdict.OPEN) : causes;
    }

    /** A benchmark with a bucket whose questions are not found is not easy, though the others are found at all places. */
    @Nullable
    Verdict early() {
        Verdict early = Verdict.early(
                outcome == TestOutcome.TOO_FEW,
                places.stream().mapToDouble(Place::mean).summaryStatistics());
        boolean isHard = buckets.stream().anyMatch(bucket -> bucket.observed() != null && bucket.observed() < FOUND);
        return early == Verdict.TOO_EASY && isHard ? null : early;
    }

    /** Returns true if position and not reading are told apart in the passages; their windows are shorter, and read more. */
    public boolean isTold() {
        return !isInWindows() && (parts == null ? !isUnread() : parts.isTold());
    }

    /** Returns true if passages were cut to windows. */
    public boolean isInWindows() {
        return method.equals(WINDOWS);
    }

    /** Returns true if it is unknown what is read. */
    public boolean isReadUnknown() {
        return places.stream().anyMatch(place -> place.unread() == null);
    }

    /** Returns the loss at the back as a share of the front: of the queries behind its parts, if they are known; null if a mean is 0. */
    public @Nullable Estimate lossShare() {
        return parts != null && parts.front() > 0
                ? parts.share(parts.loss())
                : loss == null ? null : loss.score().loss();
    }

    /** Returns true if something is not read and its part of the loss is unknown, as in results of earlier versions. */
    public boolean arePartsUnknown() {
        return parts == null && isUnread();
    }

    private boolean isUnread() {
        return places.stream().anyMatch(place -> place.unread() != null && place.unread() > 0);
    }

    /** Returns true if front - back is known to {@link ContentFixedFit#KNOWN}. */
    public boolean isKnown() {
        return ContentFixedFit.isKnown(frontMinusBack);
    }

    /** Returns true if front and back are equivalent, and each part of the loss is within the bounds. */
    public boolean isEven() {
        return outcome == TestOutcome.EVEN && (parts == null || parts.isEven(equivalence()));
    }

    @JsonProperty("k")
    public int k() {
        return places.size();
    }
}
