package io.posbias.report.check;

import io.posbias.base.stats.Estimate;
import io.posbias.data.position.Strata;
import io.posbias.model.retrieve.SearchReport;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Effect of a strategy on a model, over the questions whose answer the model does not read, or over all.
 *
 * @param model with the strategy
 * @param vectors per passage
 * @param unread true if these are the questions whose answer is not read
 * @param before their mean of Recall@10 with the model alone
 * @param found the same with the strategy
 * @param gain of the first measure, paired by query; null with too few queries
 * @param loss change of the loss at the back; null unless the evidence was moved for both
 */
record Repair(
        String model,
        double vectors,
        boolean unread,
        double before,
        double found,
        @Nullable Estimate gain,
        PositionLoss.@Nullable Change loss) {
    static Repair of(StoredCell plain, StoredCell strategy, Verdict verdict, int threads) {
        CellQueries first = plain.queries();
        CellQueries second = strategy.queries();
        Result result = second.result();
        String measure = result.settings().measure().toString();
        boolean isUnread = verdict == Verdict.UNREAD;
        int[] rows = isUnread
                ? first.facts().readByAll().startsPast().stream().toArray()
                : IntStream.range(0, first.scores().queries().size()).toArray();
        Comparer comparer = new Comparer(plain.result().settings(), threads);
        Comparison comparison = comparer.compare(
                measure,
                Strata.ALL,
                at(first, measure, rows),
                at(second, measure, rows),
                first.placement().at(rows));
        ContentFixedFit.Difference moved = first.isPlacedAs(second, measure)
                ? comparer.byPlace(measure, first.placement(), first.places(), second.places())
                : null;
        return new Repair(
                result.model(),
                result.retrieval().searchStats().getOrDefault(SearchReport.VECTORS, 1.0),
                isUnread,
                Arrays.stream(at(first, PositionCheck.FOUND, rows)).average().orElse(0),
                Arrays.stream(at(second, PositionCheck.FOUND, rows)).average().orElse(0),
                comparison == null ? null : comparison.difference(),
                moved == null || isUnread ? null : moved.loss());
    }

    private static double[] at(CellQueries queries, String measure, int[] rows) {
        double[] scores = Objects.requireNonNull(queries.of(measure));
        return Arrays.stream(rows).mapToDouble(row -> scores[row]).toArray();
    }

    /** Returns true if the loss at the back is smaller beyond noise; without moved evidence, if the mean is higher. */
    boolean helps() {
        if (loss != null) {
            return Math.abs(loss.second()) < Math.abs(loss.first())
                    && !loss.difference().interval().holds(0);
        }
        return gain != null && gain.interval().low() > 0;
    }

    /** Returns true if it helps and, with moved evidence, less than half of the loss is left. */
    boolean repairs() {
        return helps() && (loss == null || Math.abs(loss.second()) < Math.abs(loss.first()) / 2);
    }
}
