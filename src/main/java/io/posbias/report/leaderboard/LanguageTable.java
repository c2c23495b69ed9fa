package io.posbias.report.leaderboard;

import io.posbias.UsageException;
import io.posbias.dataset.convert.PosirNames;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.table.Grid;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * PosIR's Tables 10 and 11: one row a model, a column for the measure and one for PSI in each language of the queries; a
 * section for each band of length, within a language and from others to English.
 */
final class LanguageTable {
    private LanguageTable() {}

    /** A line in one of the sections. */
    private record Row(Leaderboard board, LeaderboardRow line, String stratum, boolean crossLingual) {
        boolean hasResult() {
            return line.results().stream()
                    .anyMatch(result -> PosirNames.isCrossLingual(result.dataset()) == crossLingual
                            && result.profile(board.measure(), stratum) != null);
        }

        @Nullable
        Profile profile(List<Result> cells, List<String> datasets) {
            return datasets.stream()
                    .filter(dataset -> PosirNames.isCrossLingual(dataset) == crossLingual)
                    .map(dataset -> board.profile(cells, dataset, stratum))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * The table of some bands.
     *
     * @param strata which of them, {@link Strata#ALL} among them where all queries count
     * @throws UsageException if no result has any of them
     */
    static Table of(Leaderboard board, List<String> strata) {
        Sheet<Row> columns = columns(board);
        Grid grid = new Grid();
        for (String stratum : strata) {
            section(grid, columns, board, stratum, false);
            section(grid, columns, board, stratum, true);
        }
        if (grid.rows().isEmpty()) {
            throw new UsageException(
                    "no result has the bands of length that this layout shows: " + String.join(", ", strata));
        }
        return columns.tableOf("", board.title("language of the queries"), grid.rows(), List.of(LengthTable.AVERAGES));
    }

    private static Sheet<Row> columns(Leaderboard board) {
        // The benchmarks by the language of their queries, within a language first.
        Map<String, List<String>> languages = board.datasets().stream()
                .sorted()
                .collect(Collectors.groupingBy(PosirNames::queryLanguage, LinkedHashMap::new, Collectors.toList()));
        Sheet<Row> columns = new Sheet<Row>().plain("model", row -> row.line().label());
        languages.forEach((language, datasets) -> columns.under(language)
                .plain(
                        board.measure(),
                        row -> board.points(row.line(), cells -> ProfileValues.average(row.profile(cells, datasets))))
                .plain("PSI", row -> board.psi(row.line(), cells -> ProfileValues.psi(row.profile(cells, datasets)))));
        return columns;
    }

    private static void section(
            Grid grid, Sheet<Row> columns, Leaderboard board, String stratum, boolean crossLingual) {
        List<Row> rows = board.lines()
                .map(line -> new Row(board, line, stratum, crossLingual))
                .filter(Row::hasResult)
                .toList();
        if (!rows.isEmpty()) {
            grid.heading((stratum.equals(Strata.ALL) ? "all lengths" : stratum) + ", "
                    + (crossLingual ? "cross-lingual" : "multilingual") + " retrieval");
            rows.forEach(row -> grid.add(columns.cells("", row)));
            grid.mark();
        }
    }
}
