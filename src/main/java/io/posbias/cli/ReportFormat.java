package io.posbias.cli;

import io.posbias.report.Layout;
import io.posbias.report.Leaderboard;
import io.posbias.report.Look;
import io.posbias.report.Result;
import io.posbias.report.ResultFile;
import io.posbias.report.TableFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What {@code report} and the tables of experiments can be. */
enum ReportFormat {
    TABLE,
    MARKDOWN,
    CSV,
    LATEX,
    /** A page with everything, for a browser; made by {@link PageOptions}. */
    HTML,
    /** The results themselves. */
    JSON,
    /** MTEB's result files: a folder, not a text. */
    MTEB;

    /** The word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Results as text.
     *
     * @param own the results without published ones
     * @throws IllegalArgumentException for {@link #HTML} and {@link #MTEB}
     */
    String text(List<Result> own, Layout layout, Leaderboard board, Look look) {
        return this == JSON
                ? new String(ResultFile.toBytes(own), StandardCharsets.UTF_8)
                : TableFormat.valueOf(name()).render(layout.table(board), look);
    }
}
