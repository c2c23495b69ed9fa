package io.posbias.report.leaderboard;

import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.table.Cell;
import io.posbias.table.Grid;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;

/** One row a model, for each benchmark the mean over positions and PSI: Table 1 of the paper on training distributions. */
final class MeanTable {
    private MeanTable() {}

    static Table of(Leaderboard board) {
        List<Table.Group> groups = new ArrayList<>(List.of(new Table.Group("", 1)));
        List<String> header = new ArrayList<>(List.of("model"));
        board.datasets().forEach(dataset -> {
            groups.add(new Table.Group(dataset, 2));
            header.addAll(List.of("mean", "PSI"));
        });
        Grid grid = new Grid();
        board.families().forEach((family, lines) -> {
            grid.heading(family);
            lines.forEach(line -> grid.add(row(board, line)));
        });
        grid.mark();
        List<String> notes = List.of("mean: mean of the means of position buckets, each once");
        return new Table(board.measure() + " in points (x100) and PSI", groups, header, grid.rows(), notes);
    }

    private static List<Cell> row(Leaderboard board, Line line) {
        List<Cell> row = new ArrayList<>(List.of(Cell.word(line.label())));
        for (String dataset : board.datasets()) {
            row.add(line.points(
                    cells -> ProfileValues.bucketMean(board.profile(cells, dataset, Strata.ALL)), board.intervals()));
            row.add(line.psi(cells -> ProfileValues.psi(board.profile(cells, dataset, Strata.ALL)), board.intervals()));
        }
        return row;
    }
}
