package io.posbias.report.leaderboard;

import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.position.Strata;
import io.posbias.report.profile.BucketDrop;
import io.posbias.report.profile.ProfileValues;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Slope, correlations and contrasts of the score by position, for each band of length.
 *
 * @param bins true for slope and correlations over the means of buckets, false for those over queries
 */
record DirectionTable(boolean bins) {
    private record DirectionRow(
            String label,
            String dataset,
            Profile profile,
            @Nullable Direction direction) {
        <T> @Nullable T of(Function<Direction, @Nullable T> part) {
            return direction == null ? null : part.apply(direction);
        }

        @Nullable
        BucketDrop drop() {
            return BucketDrop.of(profile.buckets(), BucketMean::mean);
        }
    }

    private static final Columns<PositionLoss> LOSS = new Columns<PositionLoss>()
            .part(loss -> loss.score().loss(), pair("loss at back", NumberFormat.PERCENT))
            .number("worst place", NumberFormat.POINTS, loss -> -loss.worst().loss())
            .interval(NumberFormat.POINTS, loss -> loss.worst().interval().times(-1))
            .text("flips", PositionLoss::flips);

    private static final Columns<ContentFixed> FIXED = new Columns<ContentFixed>()
            .part(ContentFixed::loss, LOSS)
            .number("cPSI", NumberFormat.FRACTION, fixed -> fixed.cpsi().value())
            .interval(NumberFormat.FRACTION, fixed -> fixed.cpsi().interval())
            .part(ContentFixed::frontMinusBack, pair("front - back", NumberFormat.SIGNED_POINTS));

    private static Columns<Estimate> pair(String name, NumberFormat unit) {
        return new Columns<Estimate>().number(name, unit, Estimate::value).interval(unit, Estimate::interval);
    }

    private Columns<DirectionRow> columns(boolean fixed, int digits) {
        Columns<DirectionRow> columns = new Columns<DirectionRow>(digits)
                .label("model", DirectionRow::label)
                .label("dataset", DirectionRow::dataset)
                .text("verdict", row -> ProfileValues.verdict(row.profile()))
                .text(bins ? "bins" : "queries", row -> row.of(Direction::queries));
        BucketDrop.columns(columns, DirectionRow::drop)
                .under("slope")
                .estimate("points", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::slope))
                .under("Pearson")
                .correlation("r", NumberFormat.SIGNED_FRACTION, row -> row.of(Direction::pearson))
                .under("Spearman")
                .correlation("rho", NumberFormat.SIGNED_FRACTION, row -> row.of(Direction::spearman))
                .under("Kendall")
                .correlation("tau-b", NumberFormat.SIGNED_FRACTION, row -> row.of(Direction::kendall));
        if (bins) {
            return columns;
        }
        return columns.under("front - back")
                .part(row -> row.of(Direction::frontMinusBack), pair("points", NumberFormat.SIGNED_POINTS))
                .under("middle - ends")
                .part(row -> row.of(Direction::middleMinusEnds), pair("points", NumberFormat.SIGNED_POINTS))
                .under("content held fixed")
                .when(fixed, more -> more.part(row -> row.profile().contentFixed(), FIXED));
    }

    Table of(Leaderboard board, Families families, String title, List<String> notes) {
        List<DirectionRow> rows = new ArrayList<>();
        for (Line line : Line.of(board, families, any -> false)) {
            if (!line.isDifference()) {
                line.results()
                        .forEach(result -> result.strata()
                                .forEach(stratum -> add(line, result, result.profile(board.measure(), stratum), rows)));
            }
        }
        List<Profile> profiles = rows.stream().map(DirectionRow::profile).toList();
        List<String> all = new ArrayList<>(notes);
        ProfileValues.fixedNote(profiles).ifPresent(all::add);
        boolean fixed = profiles.stream().anyMatch(profile -> profile.contentFixed() != null);
        return columns(fixed, board.digits()).table(title, rows, all);
    }

    private void add(Line line, Result result, @Nullable Profile profile, List<DirectionRow> rows) {
        // Published rows have no direction, and some have no buckets.
        if (profile != null
                && (profile.direction() != null || !profile.buckets().isEmpty())) {
            String stratum = profile.stratum().equals(Strata.ALL) ? "" : " " + profile.stratum();
            Direction direction =
                    bins ? Direction.ofBins(profile.buckets(), result.settings().confidence()) : profile.direction();
            rows.add(new DirectionRow(line.label(), result.dataset() + stratum, profile, direction));
        }
    }
}
