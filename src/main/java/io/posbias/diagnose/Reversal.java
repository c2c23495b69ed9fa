package io.posbias.diagnose;

import io.posbias.dataset.DatasetPool;
import io.posbias.stats.Clusters;
import io.posbias.stats.Estimate;
import io.posbias.stats.Moments;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What became of the scores of queries when the segments of all passages were put in reverse order. What a model gives to a
 * position moves with the position, what it gives to the content stays with the content. Estimates are null where a group
 * they need has fewer than two clusters, or all its queries score the same.
 *
 * @param places scores by the third in which the evidence lay and lies now; those without queries are left out
 * @param gap mean score of evidence in front minus that in the back, in the original corpus (Welch)
 * @param gapByPlaceNow the same in the reversed corpus, by where the evidence lies now: equal to {@code gap} where position
 *     alone decides
 * @param gapByPlaceThen the same in the reversed corpus, by where the evidence lay: equal to {@code gap} where content alone
 *     decides
 * @param backToFront mean of reversed minus original score over queries whose evidence went from back to front (paired t)
 * @param frontToBack the same over those whose evidence went from front to back
 * @param contrast {@code backToFront} minus {@code frontToBack} (Welch): 0 for a position-blind model, above 0 for one that favours
 *     the front, below 0 for one that favours the back
 * @param deltaRev mean score in the reversed corpus over queries whose evidence went from back to front minus that over those
 *     from front to back (Welch): the front-back gap of the paper on training distributions (arXiv:2605.26578). Unlike
 *     {@code contrast} it keeps the difference in content between the two groups
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
     * A query on both corpora.
     *
     * @param id of the query
     * @param unit what it counts as one with for intervals and tests
     * @param was relative position of its evidence in the original passage, 0 to 1
     * @param now the same in the reversed passage
     * @param original score on the original corpus
     * @param reversed score on the reversed corpus
     */
    public record MovedQuery(String id, String unit, double was, double now, double original, double reversed) {
        /** The third in which the evidence lay. */
        public Third from() {
            return Third.of(was);
        }

        /** The third in which it lies now. */
        public Third to() {
            return Third.of(now);
        }

        /** The same query as one of several benchmarks has it. */
        MovedQuery of(String part) {
            return new MovedQuery(
                    DatasetPool.prefixed(part, id), DatasetPool.prefixed(part, unit), was, now, original, reversed);
        }

        double change() {
            return reversed - original;
        }
    }

    /**
     * Queries whose evidence made the same way.
     *
     * @param from where it lay
     * @param to where it lies now
     * @param n how many queries, at least 1
     * @param original their mean score on the original corpus
     * @param reversed their mean score on the reversed corpus
     * @param difference reversed minus original (paired t); null for a single query
     */
    public record ReversalCell(
            Third from,
            Third to,
            int n,
            double original,
            double reversed,
            @Nullable Estimate difference) {}

    /**
     * Compares the scores of queries on both corpora.
     *
     * @param confidence of all intervals, between 0 and 1
     */
    public static Reversal of(List<MovedQuery> pairs, double confidence) {
        List<ReversalCell> cells = Stream.of(Third.values())
                .flatMap(from -> Stream.of(Third.values()).map(to -> cell(from, to, pairs, confidence)))
                .filter(cell -> cell.n > 0)
                .toList();
        Predicate<MovedQuery> up = way(Third.BACK, Third.FRONT);
        Predicate<MovedQuery> down = way(Third.FRONT, Third.BACK);
        return new Reversal(
                cells,
                gap(pairs, MovedQuery::from, MovedQuery::original, confidence),
                gap(pairs, MovedQuery::to, MovedQuery::reversed, confidence),
                gap(pairs, MovedQuery::from, MovedQuery::reversed, confidence),
                estimate(moments(pairs, up, MovedQuery::change), confidence),
                estimate(moments(pairs, down, MovedQuery::change), confidence),
                difference(pairs, up, down, MovedQuery::change, confidence),
                difference(pairs, up, down, MovedQuery::reversed, confidence));
    }

    private static ReversalCell cell(Third from, Third to, List<MovedQuery> pairs, double confidence) {
        Predicate<MovedQuery> own = way(from, to);
        Moments original = moments(pairs, own, MovedQuery::original);
        double reversed = moments(pairs, own, MovedQuery::reversed).mean();
        Estimate difference = estimate(moments(pairs, own, MovedQuery::change), confidence);
        return new ReversalCell(from, to, original.n(), original.mean(), reversed, difference);
    }

    private static Predicate<MovedQuery> way(Third from, Third to) {
        return pair -> pair.from() == from && pair.to() == to;
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
        return Clusters.named(pairs.stream().map(MovedQuery::unit).toList());
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
}
