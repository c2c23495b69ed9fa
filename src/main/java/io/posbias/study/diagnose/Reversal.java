package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.base.table.Meaning;
import io.posbias.data.dataset.DatasetPool;
import io.posbias.score.measure.Direction;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scores by original and new position of the evidence after reversing the segments of all passages. Position effects move with
 * the segment; content effects stay. Estimates are null if a group has fewer than two clusters or no variance.
 *
 * @param places cells with at least one query
 * @param gap front minus back in the original corpus (Welch)
 * @param gapByPlaceNow front minus back in the reversed corpus, by new position: equals {@code gap} if position alone matters
 * @param gapByPlaceThen front minus back in the reversed corpus, by original position: equals {@code gap} if content alone
 *     matters
 * @param backToFront reversed minus original, over queries whose evidence moved from back to front (paired t)
 * @param frontToBack reversed minus original, over queries whose evidence moved from front to back
 * @param contrast {@code backToFront} minus {@code frontToBack} (Welch): 0 for a position-blind model, positive if the front is
 *     favoured
 * @param deltaRev reversed score of back-to-front queries minus that of front-to-back queries (Welch), as in arXiv:2605.26578;
 *     includes the content difference of both groups
 */
public record Reversal(
        List<ReversalCell> places,
        @Nullable Estimate gap,
        @Nullable Estimate gapByPlaceNow,
        @Nullable Estimate gapByPlaceThen,
        @Nullable Estimate backToFront,
        @Nullable Estimate frontToBack,
        @Nullable Estimate contrast,
        @Nullable Estimate deltaRev) {
    /**
     * A query in both corpora.
     *
     * @param was original relative position of its evidence, 0 to 1
     * @param now new relative position
     * @param segment (i - 0.5) / n of the i-th of n segments, which its evidence was in; it is in the one at 1 - segment then
     */
    public record MovedQuery(
            @Meaning("identifier of the query") @JsonProperty("query")
            String id,

            @JsonIgnore String cluster,

            @Meaning("where its evidence lay in the passage, 0 to 1") @JsonProperty("position_then")
            double was,

            @Meaning("where it lies in the reversed passage") @JsonProperty("position_now")
            double now,

            @Meaning("middle of its segment among the passage's segments, in the passage: 0.1 is the first of five")
            @JsonProperty("segment_then")
            double segment,

            @Meaning("nDCG@10 on the original corpus") double original,
            @Meaning("nDCG@10 on the reversed corpus") double reversed) {
        MovedQuery of(String part) {
            return new MovedQuery(
                    DatasetPool.prefixed(part, id),
                    DatasetPool.prefixed(part, cluster),
                    was,
                    now,
                    segment,
                    original,
                    reversed);
        }

        double change() {
            return reversed - original;
        }
    }

    /**
     * Queries with equal original and new thirds.
     *
     * @param difference reversed minus original (paired t); null for a single query
     */
    public record ReversalCell(
            Third from,
            Third to,
            @JsonUnwrapped Means means,
            @Nullable Estimate difference) {}

    public record Means(
            @Meaning("queries; empty for a difference between groups")
            int n,

            @Meaning("their mean nDCG@10 on the original corpus; empty for a difference")
            double original,

            @Meaning("their mean nDCG@10 on the reversed corpus; empty for a difference")
            double reversed) {}

    /** What counts as front, middle and back. */
    public enum Groups {
        /** Segments: the first two of five, the third, the last two, as in arXiv:2605.26578; of n, those within these shares. */
        SEGMENTS,
        /** Thirds of the passage, by the position of the evidence. */
        THIRDS;

        Third from(MovedQuery query) {
            return this == THIRDS ? Third.of(query.was) : ofSegment(query.segment);
        }

        Third to(MovedQuery query) {
            return this == THIRDS ? Third.of(query.now) : ofSegment(1 - query.segment);
        }

        private static Third ofSegment(double middle) {
            return middle < 0.4 ? Third.FRONT : middle > 0.6 ? Third.BACK : Third.MIDDLE;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static Reversal of(List<MovedQuery> pairs, Groups groups, double confidence) {
        List<ReversalCell> cells = Stream.of(Third.values())
                .flatMap(from -> Stream.of(Third.values()).map(to -> cell(groups, from, to, pairs, confidence)))
                .filter(cell -> cell.means.n > 0)
                .toList();
        Predicate<MovedQuery> up = way(groups, Third.BACK, Third.FRONT);
        Predicate<MovedQuery> down = way(groups, Third.FRONT, Third.BACK);
        return new Reversal(
                cells,
                gap(pairs, groups::from, MovedQuery::original, confidence),
                gap(pairs, groups::to, MovedQuery::reversed, confidence),
                gap(pairs, groups::from, MovedQuery::reversed, confidence),
                estimate(moments(pairs, up, MovedQuery::change), confidence),
                estimate(moments(pairs, down, MovedQuery::change), confidence),
                difference(pairs, up, down, MovedQuery::change, confidence),
                difference(pairs, up, down, MovedQuery::reversed, confidence));
    }

    private static ReversalCell cell(Groups groups, Third from, Third to, List<MovedQuery> pairs, double confidence) {
        Predicate<MovedQuery> own = way(groups, from, to);
        Moments original = moments(pairs, own, MovedQuery::original);
        double reversed = moments(pairs, own, MovedQuery::reversed).mean();
        Estimate difference = estimate(moments(pairs, own, MovedQuery::change), confidence);
        return new ReversalCell(from, to, new Means(original.n(), original.mean(), reversed), difference);
    }

    private static Predicate<MovedQuery> way(Groups groups, Third from, Third to) {
        return pair -> groups.from(pair) == from && groups.to(pair) == to;
    }

    private static @Nullable Estimate gap(
            List<MovedQuery> pairs,
            Function<MovedQuery, Third> place,
            ToDoubleFunction<MovedQuery> score,
            double confidence) {
        return difference(
                pairs,
                pair -> place.apply(pair) == Third.FRONT,
                pair -> place.apply(pair) == Third.BACK,
                score,
                confidence);
    }

    private static Clusters clusters(List<MovedQuery> pairs) {
        return Clusters.named(pairs.stream().map(MovedQuery::cluster).toList());
    }

    private static Moments moments(
            List<MovedQuery> pairs, Predicate<MovedQuery> which, ToDoubleFunction<MovedQuery> value) {
        List<MovedQuery> own = pairs.stream().filter(which).toList();
        return Moments.of(own.stream().mapToDouble(value).toArray(), clusters(own));
    }

    private static @Nullable Estimate estimate(Moments moments, double confidence) {
        return moments.isEstimable() ? moments.estimate(confidence) : null;
    }

    private static @Nullable Estimate difference(
            List<MovedQuery> pairs,
            Predicate<MovedQuery> first,
            Predicate<MovedQuery> second,
            ToDoubleFunction<MovedQuery> value,
            double confidence) {
        int[][] groups = {numbers(pairs, first), numbers(pairs, second)};
        Clusters clusters = clusters(pairs);
        double[] values = pairs.stream().mapToDouble(value).toArray();
        if (!Estimate.canContrast(values, groups, clusters)) {
            return null;
        }
        return Estimate.ofContrast(values, groups, new double[] {1, -1}, clusters, confidence);
    }

    private static int[] numbers(List<MovedQuery> pairs, Predicate<MovedQuery> which) {
        return IntStream.range(0, pairs.size())
                .filter(i -> which.test(pairs.get(i)))
                .toArray();
    }

    /** Thirds of a passage, with the edges of {@link Direction}. */
    public enum Third {
        /** Below 1/3. */
        FRONT,
        /** From 1/3 and below 2/3. */
        MIDDLE,
        /** From 2/3. */
        BACK;

        /** The third of a relative position, 0 to 1. */
        public static Third of(double position) {
            return position < 1.0 / 3 ? FRONT : position < 2.0 / 3 ? MIDDLE : BACK;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
