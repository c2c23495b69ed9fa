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

    private Columns<DirectionRow> columns(boolean fixed, int digits) {
        Columns<DirectionRow> columns = new Columns<DirectionRow>(digits)
                .label("model", DirectionRow::label)
                .label("dataset", DirectionRow::dataset)
                .text("verdict", row -> ProfileValues.verdict(row.profile()))
                .text(bins ? "bins" : "queries", row -> row.of(Direction::queries));
        BucketDrop.columns(columns, DirectionRow::drop);
        contrast(columns, "slope", Direction::slope)
                .number(
                        "p",
                        NumberFormat.P,
                        row -> row.of(direction -> direction.slope().pValue()))
                .under("Pearson")
                .correlation("r", NumberFormat.SIGNED_FRACTION, row -> row.of(Direction::pearson))
                .under("Spearman")
                .correlation("rho", NumberFormat.SIGNED_FRACTION, row -> row.of(Direction::spearman))
                .under("Kendall")
                .correlation("tau-b", NumberFormat.SIGNED_FRACTION, row -> row.of(Direction::kendall));
        if (bins) {
            return columns;
        }
        contrast(columns, "front - back", Direction::frontMinusBack);
        contrast(columns, "middle - ends", Direction::middleMinusEnds);
        if (fixed) {
            columns.under("content held fixed");
            pair(
                    columns,
                    "loss at back",
                    NumberFormat.PERCENT,
                    row -> loss(row, own -> own.score().loss()));
            columns.number(
                            "worst place",
                            NumberFormat.POINTS,
                            row -> loss(row, own -> -own.worst().loss()))
                    .interval(
                            NumberFormat.POINTS,
                            row -> loss(row, own -> own.worst().interval().times(-1)))
                    .text("flips", row -> loss(row, PositionLoss::flips))
                    .number(
                            "cPSI",
                            NumberFormat.FRACTION,
                            row -> fixed(row, own -> own.cpsi().value()))
                    .interval(
                            NumberFormat.FRACTION,
                            row -> fixed(row, own -> own.cpsi().interval()));
            pair(columns, "front - back", NumberFormat.SIGNED_POINTS, row -> fixed(row, ContentFixed::frontMinusBack));
        }
        return columns;
    }

    private static <T> @Nullable T fixed(DirectionRow row, Function<ContentFixed, @Nullable T> part) {
        ContentFixed fixed = row.profile().contentFixed();
        return fixed == null ? null : part.apply(fixed);
    }

    private static <T> @Nullable T loss(DirectionRow row, Function<PositionLoss, @Nullable T> part) {
        return fixed(row, own -> own.loss() == null ? null : part.apply(own.loss()));
    }

    private static Columns<DirectionRow> contrast(
            Columns<DirectionRow> columns, String name, Function<Direction, @Nullable Estimate> of) {
        return pair(columns.under(name), "points", NumberFormat.SIGNED_POINTS, row -> row.of(of));
    }

    private static Columns<DirectionRow> pair(
            Columns<DirectionRow> columns,
            String name,
            NumberFormat unit,
            Function<DirectionRow, @Nullable Estimate> of) {
        return columns.number(name, unit, row -> of(of.apply(row), Estimate::value))
                .interval(unit, row -> of(of.apply(row), Estimate::interval));
    }

    private static <T> @Nullable T of(@Nullable Estimate estimate, Function<Estimate, T> part) {
        return estimate == null ? null : part.apply(estimate);
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
