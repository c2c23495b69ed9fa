package io.posbias.cli;

import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.RandomEffects;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Table;
import io.posbias.base.table.TerminalStyle;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.HelpSections;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.TableLook;
import io.posbias.data.position.Strata;
import io.posbias.report.BenchmarkLosses;
import io.posbias.report.ReportFormat;
import io.posbias.report.SeedSpread;
import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.leaderboard.MtebFiles;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.report.page.Badge;
import io.posbias.report.page.Drilldowns;
import io.posbias.report.page.ResultPage;
import io.posbias.report.plot.Plots;
import io.posbias.report.query.Selected;
import io.posbias.report.query.Selection;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.StoredCell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "report",
        description = "Print results as a table, write a page, or draw figures.",
        sortOptions = false,
        subcommands = {ReportShowCommand.class, ReportMethodsCommand.class},
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
            "  posbias report results --format mteb --output mteb-results",
            "  posbias report results --format html --output page.html",
            "  posbias report results/demo/bm25 --format badge --output badge.svg",
            "  posbias report results --where 'words > 300' --where 'language = de'",
            "  posbias report results --over benchmarks",
            "  posbias report results --over seeds",
            "  posbias report results --dataset demo --by words:100,300",
            "  posbias report show q12 results --dataset demo",
            "  posbias report results/squad-posq --plots pictures",
        })
final class ReportCommand extends BaseCommand implements HelpSections.Listing {
    private static final int QUERIES = 100;

    private static final Set<ReportFormat> WITHOUT_TABLE =
            Set.of(ReportFormat.JSON, ReportFormat.MTEB, ReportFormat.BADGE);

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

    @Parameters(
            paramLabel = "RESULT",
            arity = "0..*",
            description = "Results: result.json files, or folders to search.")
    private List<Path> inputs = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            hideParamSyntax = true,
            description = "Datasets: names or patterns, for example 'posir/*' (* does not match /).")
    private List<String> datasets = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ReportFormat format = ReportFormat.TABLE;

    @Heading("Table:")
    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            completionCandidates = Layouts.class,
            description =
                    "Table layout: ${COMPLETION-CANDIDATES}, or a YAML file (default: ${DEFAULT-VALUE}; see below).")
    private String layout = Layout.USUAL;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "Measure to show, or to show first with html (default: " + Measures.DEFAULT
                    + "; with --with-published that of the published rows, if results have it).")
    private @Nullable String measure;

    private enum Over {
        BENCHMARKS,
        SEEDS;

        @Override
        public String toString() {
            return Suggestions.word(this);
        }
    }

    @Heading("Table:")
    @Option(
            names = "--over",
            paramLabel = "WHAT",
            description =
                    "benchmarks: loss at the back of each model over them, with tests between models. seeds: what the seed changes in models trained with several.")
    private @Nullable Over over;

    @Heading("Table:")
    @Option(
            names = "--weights",
            paramLabel = "HOW",
            description = "Of --over benchmarks: equal (default), the t test of their losses, or precision, random "
                    + "effects, which reject too often with few benchmarks.")
    private RandomEffects.@Nullable Weights weights;

    @Heading("Table:")
    @Option(names = "--intervals", description = "Intervals of means and PSI, if known.")
    private boolean intervals;

    @Heading("Table:")
    @Option(
            names = "--baseline",
            paramLabel = "MODEL",
            description = "Model whose differences to all others are shown, on the datasets of both ('posbias compare' "
                    + "tests them).")
    private @Nullable String baseline;

    @Heading("Table:")
    @Option(
            names = "--with-published",
            description = "Add the paper's rows on the same datasets (squad-posq, fineweb-posq and their -tiny subsets;"
                    + " posir/LANG) with the paper's measure, and differences from them. Without results: all rows.")
    private boolean withPublished;

    @Heading("Output:")
    @Option(names = "--output", paramLabel = "PATH", description = "Output file; with --format mteb a folder.")
    private @Nullable Path output;

    @Mixin
    private TableLook look = new TableLook();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Heading("HTML page:")
    @Least(0)
    @BelongsTo("--format html")
    @Option(
            names = "--queries",
            paramLabel = "N",
            description = "Show N queries of each dataset one by one, those on which models differ " + "most (default: "
                    + QUERIES + "; 0 for none).")
    private @Nullable Integer queries;

    @Mixin
    private SelectionOptions selection = new SelectionOptions();

    @Override
    protected void work() {
        if (output != null) {
            if (format == ReportFormat.MTEB) {
                Staging.checkFolder(output);
            } else {
                Staging.checkFile(output);
            }
        }
        Layout chosen = layout();
        String given = measure == null ? "" : Measures.parse(measure).toString();
        List<StoredCell> cells = session().step("read results", () -> ResultFiles.read(inputs, datasets));
        List<Result> own = cells.stream().map(StoredCell::result).toList();
        String shown = given.isEmpty() ? usual(own, chosen) : given;
        refuse(
                own.isEmpty() && (WITHOUT_TABLE.contains(format) || !withPublished),
                "give result.json files or folders with some" + (withPublished ? "" : ", or --with-published"));
        if (format == ReportFormat.MTEB) {
            mteb(own);
            return;
        }
        if (format == ReportFormat.BADGE) {
            deliver(badge(cells, shown));
            plots.draw(session(), () -> Plots.figures(own, shown));
            return;
        }
        if (over == Over.SEEDS) {
            SeedSpread seeds = SeedSpread.of(cells, shown);
            deliverOver(seeds.document(), seeds.tables(look.detail()), seeds.raw());
            return;
        }
        BenchmarkLosses losses = over == null
                ? null
                : BenchmarkLosses.of(cells, shown, weights == null ? RandomEffects.Weights.EQUAL : weights);
        if (losses != null && !isPage()) {
            deliverOver(losses.document(), losses.tables(look.detail()), losses.raw());
            plots.draw(session(), losses::figures);
            return;
        }
        if (selection.isGiven()) {
            select(cells, chosen, shown);
            return;
        }
        List<Result> all = withPublished ? plusPublished(own, chosen, shown) : own;
        Leaderboard board = board(all, chosen, shown);
        PairwiseTests tests = new PairwiseTests(
                cells, format.tests(style()), Runtime.getRuntime().availableProcessors());
        deliver(
                isPage()
                        ? page(cells, all, shown, tests, losses)
                        : format.text(
                                own,
                                board,
                                () -> session()
                                        .step(
                                                "compare models",
                                                () -> chosen.table(board, tests).noted(onDatasets(own))),
                                style()));
        plots.draw(session(), () -> losses == null ? Plots.figures(all, shown) : losses.figures());
    }

    private void deliverOver(Object document, List<Table> tables, Table raw) {
        deliver(
                format == ReportFormat.JSON
                        ? new String(Json.toBytes(document), StandardCharsets.UTF_8)
                        : format.text(tables, raw, style()));
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
        int least = format == ReportFormat.CSV ? Detail.PAPER.digits() : Detail.USUAL.digits();
        return look.detail(new Detail(Math.max(least, layout.digits()), false)).digits();
    }

    private TerminalStyle style() {
        return output == null ? look.style(session()) : look.inFile();
    }

    private void select(List<StoredCell> cells, Layout layout, String shown) {
        Selection queries = selection.of(cells, session());
        Selected selected = queries.select();
        Leaderboard board = board(selected.results(), layout, shown);
        if (format == ReportFormat.JSON) {
            deliver(new String(Json.toBytes(selected.document()), StandardCharsets.UTF_8));
        } else if (selection.isGrouped()) {
            deliver(format.text(selected.tables(shown, intervals, digits(layout)), selected.raw(), style()));
        } else {
            PairwiseTests tests = new PairwiseTests(List.of(), format.tests(style()), 1);
            deliver(format.text(
                    selected.results(),
                    board,
                    () -> layout.table(board, tests).noted(selected.notes()).noted(onDatasets(selected.results())),
                    style()));
        }
    }

    /** The measure of published rows where it can be compared with results, else the usual one. */
    private String usual(List<Result> own, Layout layout) {
        if (!withPublished) {
            return Measures.DEFAULT;
        }
        String published = layout.publishedMeasure();
        List<Result> rows = layout.published(own);
        boolean comparable = own.isEmpty()
                || own.stream()
                        .filter(result -> result.measures().contains(published))
                        .anyMatch(result ->
                                rows.stream().anyMatch(row -> row.dataset().equals(result.dataset())));
        return comparable ? published : Measures.DEFAULT;
    }

    private String page(
            List<StoredCell> cells,
            List<Result> results,
            String shown,
            PairwiseTests tests,
            @Nullable BenchmarkLosses losses) {
        Drilldowns drilldowns =
                new Drilldowns(selection.benchmarks(session()), shown, queries == null ? QUERIES : queries, session());
        return session()
                .step(
                        "make the page",
                        () -> ResultPage.render(
                                results,
                                shown,
                                new ResultPage.Sections(
                                        drilldowns.of(cells), Mitigation.among(cells, shown), tests, losses)));
    }

    private String badge(List<StoredCell> cells, String shown) {
        StoredCell cell = cells.getFirst();
        refuse(
                cells.size() > 1,
                "--format badge shows one result, not " + cells.size() + ": give the folder of one"
                        + (cell.folder() == null ? "" : ", for example " + cell.folder()));
        Profile profile = cell.result().profile(shown, Strata.ALL);
        if (profile == null) {
            throw new UsageException(cell.name() + " has no measure " + shown + ": give --measure with one of "
                    + String.join(", ", cell.result().measures()));
        }
        refuse(profile.buckets().isEmpty(), cell.name() + " has no positions of the evidence, so no badge");
        return Badge.render(cell.result(), profile);
    }

    /** Returns true for formats of results as they are, without layouts and selected queries. */
    private boolean isWholeResults() {
        return format == ReportFormat.MTEB || format == ReportFormat.BADGE;
    }

    private boolean isPage() {
        return format == ReportFormat.HTML;
    }

    private Layout layout() {
        checkSelection();
        Layout chosen = Layout.find(layout);
        refuse(
                baseline != null && (isPage() || format == ReportFormat.TIDY_CSV || WITHOUT_TABLE.contains(format)),
                "--baseline belongs to layouts: --format " + format + " has none");
        refuse(
                format == ReportFormat.BADGE && (withPublished || intervals || !layout.equals(Layout.USUAL)),
                "--format badge shows one result: leave out --with-published, --intervals and --layout");
        refuse(
                isPage() && !layout.equals(Layout.USUAL),
                "--layout belongs to tables: a page shows positions in each band of length");
        return chosen;
    }

    private void checkSelection() {
        refuse(weights != null && over != Over.BENCHMARKS, "--weights is of --over benchmarks");
        refuse(
                over != null
                        && (isWholeResults()
                                || selection.isGiven()
                                || withPublished
                                || intervals
                                || baseline != null
                                || !layout.equals(Layout.USUAL)),
                "--over makes its own tables, JSON and figure: leave out --format " + ReportFormat.MTEB + " or "
                        + ReportFormat.BADGE
                        + ", --layout, --baseline, --intervals, --with-published, --where and --by");
        refuse(
                over == Over.SEEDS && (isPage() || plots.areGiven()),
                "--over seeds makes a table: leave out --format " + ReportFormat.HTML + " and --plots");
        if (selection.isGiven()) {
            refuse(
                    isPage() || isWholeResults() || plots.areGiven() || withPublished,
                    "--where and --by make tables and JSON of queries: leave out --format " + ReportFormat.HTML + ", "
                            + ReportFormat.MTEB + " or " + ReportFormat.BADGE + ", --plots and --with-published");
        }
        refuse(
                selection.isGrouped() && (baseline != null || !layout.equals(Layout.USUAL)),
                "--by makes its own table: leave out --layout and --baseline");
    }

    private List<Result> plusPublished(List<Result> own, Layout layout, String shown) {
        List<Result> published = new ArrayList<>(layout.published(own));
        if (isPage()) {
            // A page shows positions and lengths, so it needs the papers of both.
            published.addAll(Layout.find("length").published(own));
        }
        if (!isPage() || published.isEmpty()) {
            layout.whyNone(own, shown).ifPresent(why -> say("note: " + why));
        }
        return Stream.concat(own.stream(), published.stream()).toList();
    }

    private void deliver(String text) {
        if (output == null) {
            print(text);
        } else {
            Staging.writeFile(output, text);
            say("report in " + output);
        }
    }

    private void mteb(List<Result> own) {
        if (output == null) {
            throw new UsageException("--format mteb writes a folder: give --output DIR");
        }
        int files = MtebFiles.write(output, own);
        say(Plural.of(files, "file") + " in " + output);
    }
}
