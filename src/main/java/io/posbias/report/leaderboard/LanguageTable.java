package io.posbias.report.leaderboard;

import io.posbias.UsageException;
import io.posbias.dataset.convert.PosirNames;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.table.Cell;
import io.posbias.table.Grid;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * PosIR's Tables 10 and 11: one row a model, a column for the measure and one for PSI in each language of the queries; a
 * section for each band of length, within a language and from others to English.
 */
final class LanguageTable {
    private final Leaderboard board;
    /** The benchmarks by the language of their queries, within a language first. */
    private final Map<String, List<String>> languages = new LinkedHashMap<>();

    private LanguageTable(Leaderboard board) {
        this.board = board;
        board.datasets().stream()
                .sorted()
                .forEach(dataset -> languages
                        .computeIfAbsent(PosirNames.queryLanguage(dataset), name -> new ArrayList<>())
                        .add(dataset));
    }

    /**
     * The table of some bands.
     *
     * @param strata which of them, {@link Strata#ALL} among them where all queries count
     * @throws UsageException if no result has any of them
     */
    static Table of(Leaderboard board, List<String> strata) {
        return new LanguageTable(board).table(strata);
    }

    private Table table(List<String> strata) {
        List<Table.Group> groups = new ArrayList<>(List.of(new Table.Group("", 1)));
        List<String> header = new ArrayList<>(List.of("model"));
        languages.keySet().forEach(language -> {
            groups.add(new Table.Group(language, 2));
            header.addAll(List.of(board.measure(), "PSI"));
        });
        Grid grid = new Grid();
        for (String stratum : strata) {
            section(grid, stratum, false);
            section(grid, stratum, true);
        }
        if (grid.rows().isEmpty()) {
            throw new UsageException(
                    "no result has the bands of length that this layout shows: " + String.join(", ", strata));
        }
        return new Table(
                board.title("language of the queries"),
                groups,
                header,
                grid.rows(),
                List.of(
                        "all: mean over queries; Q1 to Q4, bands of token length: mean of the means of position buckets"));
    }

    private void section(Grid grid, String stratum, boolean crossLingual) {
        List<Line> lines = board.families().values().stream()
                .flatMap(List::stream)
                .filter(line -> line.results().stream()
                        .anyMatch(result -> PosirNames.isCrossLingual(result.dataset()) == crossLingual
                                && result.profile(board.measure(), stratum) != null))
                .toList();
        if (lines.isEmpty()) {
            return;
        }
        grid.heading((stratum.equals(Strata.ALL) ? "all lengths" : stratum) + ", "
                + (crossLingual ? "cross-lingual" : "multilingual") + " retrieval");
        lines.forEach(line -> grid.add(row(line, stratum, crossLingual)));
        grid.mark();
    }

    private List<Cell> row(Line line, String stratum, boolean crossLingual) {
        List<Cell> row = new ArrayList<>(List.of(Cell.word(line.label())));
        for (List<String> datasets : languages.values()) {
            row.add(line.points(
                    cells -> ProfileValues.average(profile(cells, datasets, stratum, crossLingual)),
                    board.intervals()));
            row.add(line.psi(
                    cells -> ProfileValues.psi(profile(cells, datasets, stratum, crossLingual)), board.intervals()));
        }
        return row;
    }

    private @Nullable Profile profile(List<Result> cells, List<String> datasets, String stratum, boolean crossLingual) {
        return datasets.stream()
                .filter(dataset -> PosirNames.isCrossLingual(dataset) == crossLingual)
                .map(dataset -> board.profile(cells, dataset, stratum))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
