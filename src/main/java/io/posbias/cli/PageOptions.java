package io.posbias.cli;

import io.posbias.Session;
import io.posbias.cli.common.Checks;
import io.posbias.report.page.Drilldowns;
import io.posbias.report.page.ResultPage;
import io.posbias.result.CellFiles;
import io.posbias.result.Result;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What only {@code report --format html} takes. */
public final class PageOptions {
    /** Ten models on five benchmarks stay below 3 MB with so many. */
    private static final int QUERIES = 100;

    @Option(
            names = "--queries",
            paramLabel = "N",
            description = {
                "With --format html: show N queries of each dataset one by one, those on which models differ",
                "most (default: " + QUERIES + "; 0 for none)."
            })
    private @Nullable Integer queries;

    @Option(
            names = "--texts",
            paramLabel = "FOLDER",
            description = {
                "With --format html: a benchmark whose texts the page shows, if it is not one of those that",
                "'posbias data list' says are here. May be given again."
            })
    private List<Path> texts = List.of();

    /** Refuses these options for other formats, and values that mean nothing. */
    void check(boolean page) {
        Checks.belongs(!page && queries != null, "--queries", "--format html");
        Checks.belongs(!page && !texts.isEmpty(), "--texts", "--format html");
        Checks.atLeast("--queries", queries, 0);
    }

    /**
     * The page.
     *
     * @param cells results with their files
     * @param results the same, with published ones
     * @param measure which is shown first
     */
    String render(List<CellFiles> cells, List<Result> results, String measure, Session session) {
        int count = queries == null ? QUERIES : queries;
        Drilldowns drilldowns = new Drilldowns(texts, measure, count, session);
        return ResultPage.render(results, measure, drilldowns.of(cells));
    }
}
