package io.posbias.report;

import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import io.posbias.base.table.TerminalStyle;
import io.posbias.base.text.Suggestions;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Output formats of {@code report} and of tables of experiments. */
public enum ReportFormat {
    TABLE,
    MARKDOWN,
    CSV,
    /** A row for each bucket, whatever the layout. */
    TIDY_CSV,
    LATEX,
    /** Results, as in result.json. */
    JSON;

    @Override
    public String toString() {
        return Suggestions.word(this);
    }

    /** True for formats of tables in a {@link io.posbias.report.leaderboard.Layout}. */
    public boolean hasLayouts() {
        return this != JSON && this != TIDY_CSV;
    }

    /** Presentation of the tests between models in tables of this format. */
    public PairwiseTests.Shown tests(TerminalStyle look) {
        return switch (this) {
            case TABLE -> look.colour() ? PairwiseTests.Shown.BOTH : PairwiseTests.Shown.LETTERS;
            case MARKDOWN, LATEX -> PairwiseTests.Shown.FONTS;
            default -> PairwiseTests.Shown.NOTHING;
        };
    }

    /**
     * Renders results.
     *
     * @param own the results without published ones
     * @param table the board in a layout; made for the formats that are tables
     */
    public String text(List<Result> own, Leaderboard board, Supplier<Table> table, TerminalStyle look) {
        if (this == TIDY_CSV) {
            return TableFormat.CSV.render(CsvFiles.buckets(board.results()));
        }
        return this == JSON
                ? new String(ResultFile.toBytes(own), StandardCharsets.UTF_8)
                : TableFormat.valueOf(name()).render(table.get(), look);
    }

    /**
     * Renders tables of groups of queries.
     *
     * @param raw all numbers as one table, for both kinds of CSV
     * @throws IllegalArgumentException for {@link #JSON}
     */
    public String text(List<Table> tables, Table raw, TerminalStyle look) {
        return this == CSV || this == TIDY_CSV
                ? TableFormat.CSV.render(raw)
                : TableFormat.valueOf(name()).render(tables, look);
    }
}
