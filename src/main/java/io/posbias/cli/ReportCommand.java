package io.posbias.cli;

import io.posbias.base.table.Detail;
import io.posbias.base.table.Table;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.HelpSections;
import io.posbias.report.ReportFormat;
import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.query.Selected;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "report",
        description = "Print results as a table, write a page, or draw figures.",
        optionListHeading = "Table:",
        subcommands = {
            ReportShowCommand.class,
            ReportPageCommand.class,
            ReportBadgeCommand.class,
            ReportFiguresCommand.class,
            ReportMtebCommand.class,
            ReportOverCommand.class,
            ReportMethodsCommand.class,
        },
        footer = {
            "",
            "Models of a benchmark are tested in pairs, as by posbias compare. Letters name the models that one is better "
                    + "than; in Markdown and LaTeX a number is bold if no model is better, and underlined if only bold ones "
                    + "are. Without queries.csv the best is bold and the second underlined.",
            "",
            "Examples:",
            "  posbias report results --format markdown",
            "  posbias report results --dataset '*-posq*' --layout table1 \\",
            "      --with-published --format latex --output table1.tex",
            "  posbias report --layout posir-table2 --with-published",
            "  posbias report results --where 'words > 300' --where 'language = de'",
            "  posbias report results --dataset demo --by words:100,300",
            "  posbias report show q12 results --dataset demo",
            "  posbias report page results --output page.html",
        })
final class ReportCommand extends BaseCommand implements HelpSections.Listing {
    static final class Layouts implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Layout.names().iterator();
        }
    }

    @Override
    public List<String> listing() {
        return HelpSections.list("Layouts:", 16, Layout.all(), Layout::toString, Layout::description);
    }

    @Mixin
    private ReportResultOptions.WithPublished results = new ReportResultOptions.WithPublished();

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            completionCandidates = Layouts.class,
            description =
                    "Table layout: ${COMPLETION-CANDIDATES}, or a YAML file (default: ${DEFAULT-VALUE}; see below).")
    private String layout = Layout.USUAL;

    @Option(names = "--intervals", description = "Intervals of means and PSI, if known.")
    private boolean intervals;

    @Option(
            names = "--baseline",
            paramLabel = "MODEL",
            description = "Model whose differences to all others are shown, on the datasets of both ('posbias compare' "
                    + "tests them).")
    private @Nullable String baseline;

    @Mixin
    private ReportOutputOptions output = new ReportOutputOptions();

    @Mixin
    private SelectionOptions selection = new SelectionOptions();

    @Override
    protected void work() {
        Layout chosen = layout();
        ReportResultOptions.WithPublished.Shown shown = results.shown(session(), List.of(chosen));
        refuse(shown.own().isEmpty() && output.format() == ReportFormat.JSON, ReportResultOptions.NONE);
        if (selection.isGiven()) {
            select(shown, chosen);
            return;
        }
        Leaderboard board = board(shown.all(), chosen, shown.measure());
        PairwiseTests tests = tests(shown.cells(), Runtime.getRuntime().availableProcessors());
        deliver(
                shown.own(),
                board,
                () -> session()
                        .step("compare models", () -> chosen.table(board, tests).noted(onDatasets(shown.own()))));
    }

    private void deliver(List<Result> own, Leaderboard board, Supplier<Table> table) {
        output.deliver(output.format().text(own, board, table, output.style(session())), this);
    }

    private PairwiseTests tests(List<StoredCell> cells, int threads) {
        return new PairwiseTests(cells, output.format().tests(output.style(session())), threads);
    }

    /** Notes of the benchmarks: what was found or made of their files. */
    private static List<String> onDatasets(List<Result> results) {
        return results.stream()
                .flatMap(result -> result.provenance().datasetNotes().stream())
                .distinct()
                .toList();
    }

    private Leaderboard board(List<Result> results, Layout layout, String shown) {
        Leaderboard board = new Leaderboard(results, shown, intervals, digits(layout));
        refuse(board.isEmpty(), "no result has the measure " + shown);
        return baseline == null ? board : board.against(baseline);
    }

    private int digits(Layout layout) {
        int least = output.format() == ReportFormat.CSV ? Detail.PAPER.digits() : Detail.USUAL.digits();
        return output.detail(new Detail(Math.max(least, layout.digits()), false))
                .digits();
    }

    private void select(ReportResultOptions.WithPublished.Shown shown, Layout layout) {
        Selected selected = selection.of(shown.cells(), session()).select();
        Leaderboard board = board(selected.results(), layout, shown.measure());
        if (output.format() == ReportFormat.JSON || selection.isGrouped()) {
            output.deliver(
                    selected.document(),
                    () -> selected.tables(shown.measure(), intervals, digits(layout)),
                    selected::raw,
                    this);
        } else {
            deliver(
                    selected.results(),
                    board,
                    () -> layout.table(board, tests(List.of(), 1))
                            .noted(selected.notes())
                            .noted(onDatasets(selected.results())));
        }
    }

    private Layout layout() {
        refuse(
                selection.isGiven() && results.withPublished(),
                "--where and --by make tables and JSON of queries: leave out --with-published");
        refuse(
                selection.isGrouped() && (baseline != null || !layout.equals(Layout.USUAL)),
                "--by makes its own table: leave out --layout and --baseline");
        Layout chosen = Layout.find(layout);
        refuse(
                baseline != null && !output.format().hasLayouts(),
                "--baseline belongs to layouts: --format " + output.format() + " has none");
        return chosen;
    }
}
