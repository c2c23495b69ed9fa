package io.posbias.report;

import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.stats.Correlation;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the score goes with the position: slope, correlations and contrasts, for each band of length. */
final class DirectionTable {
    private DirectionTable() {}

    static Table of(Leaderboard board) {
        List<Table.Group> groups = List.of(
                new Table.Group("", 3),
                new Table.Group("slope", 3),
                new Table.Group("Pearson", 2),
                new Table.Group("Spearman", 2),
                new Table.Group("Kendall", 2),
                new Table.Group("front - back", 2),
                new Table.Group("middle - ends", 2),
                new Table.Group("", 1));
        List<String> header = List.of(
                "model",
                "dataset",
                "queries",
                "points",
                "interval",
                "p",
                "r",
                "p",
                "rho",
                "p",
                "tau-b",
                "p",
                "points",
                "interval",
                "points",
                "interval",
                "verdict");
        Grid grid = new Grid();
        board.families()
                .forEach((family, lines) ->
                        lines.stream().filter(line -> !line.isDifference()).forEach(line -> rows(board, line, grid)));
        return new Table(
                board.measure() + " by relative position of the evidence",
                groups,
                header,
                grid.rows(),
                List.of(
                        "slope: change of the measure in points (x100) from the very front to the very end; front: below 1/3,"
                                + " back: from 2/3",
                        "each query counts once; docs/statistics.md has the tests and the verdict's rule"));
    }

    private static void rows(Leaderboard board, Line line, Grid grid) {
        for (Result result : line.results()) {
            for (String stratum : result.strata()) {
                Profile profile = result.profile(board.measure(), stratum);
                Direction direction = profile == null ? null : profile.direction();
                // Printed numbers and results of earlier versions have none.
                if (profile != null && direction != null) {
                    String dataset = result.dataset() + (stratum.equals(Strata.ALL) ? "" : " " + stratum);
                    grid.add(row(line.label(), dataset, profile, direction));
                }
            }
        }
    }

    private static List<Cell> row(String label, String dataset, Profile profile, Direction direction) {
        List<String> cells = new ArrayList<>(List.of(label, dataset, String.valueOf(direction.queries())));
        contrast(cells, direction.slope());
        cells.add(Numbers.pValue(direction.slope().pValue()));
        correlation(cells, direction.pearson());
        correlation(cells, direction.spearman());
        correlation(cells, direction.kendall());
        contrast(cells, direction.frontMinusBack());
        contrast(cells, direction.middleMinusEnds());
        List<Cell> row = new ArrayList<>(cells.stream().map(Cell::word).toList());
        row.add(Cell.verdict(profile));
        return row;
    }

    private static void contrast(List<String> cells, @Nullable Estimate contrast) {
        cells.addAll(Numbers.difference(contrast).subList(0, 2));
    }

    private static void correlation(List<String> cells, @Nullable Correlation correlation) {
        cells.add(correlation == null ? Numbers.NONE : Numbers.signedFraction(correlation.coefficient()));
        cells.add(correlation == null ? Numbers.NONE : Numbers.pValue(correlation.pValue()));
    }
}
