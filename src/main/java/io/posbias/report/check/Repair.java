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
        boolean isUnread = verdict == Verdict.UNREAD;
        CellQueries all = plain.queries();
        CellQueries first = isUnread ? unread(all, all) : all;
        CellQueries second = isUnread ? unread(all, strategy.queries()) : strategy.queries();
        Result result = second.result();
        String measure = result.settings().measure().toString();
        Comparer comparer = new Comparer(plain.result().settings(), threads);
        Comparison comparison = comparer.compare(
                measure, Strata.ALL, scores(first, measure), scores(second, measure), first.placement());
        ContentFixedFit.Difference moved = !isUnread && first.isPlacedAs(second, measure)
                ? comparer.byPlace(measure, first.placement(), first.places(), second.places())
                : null;
        return new Repair(
                result.model(),
                result.retrieval().searchStats().getOrDefault(SearchReport.VECTORS, 1.0),
                isUnread,
                Arrays.stream(scores(first, PositionCheck.FOUND)).average().orElse(0),
                Arrays.stream(scores(second, PositionCheck.FOUND)).average().orElse(0),
                comparison == null ? null : comparison.difference(),
                moved == null ? null : moved.loss());
    }

    /** The queries whose evidence the model does not read. */
    private static CellQueries unread(CellQueries model, CellQueries of) {
        return of.at(model.facts().readByAll().startsPast().stream().toArray());
    }

    private static double[] scores(CellQueries queries, String measure) {
        return Objects.requireNonNull(queries.of(measure));
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
