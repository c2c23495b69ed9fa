package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.cli.common.Checks;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.Terminal;
import io.posbias.cli.common.Verb;
import io.posbias.measure.Measures;
import io.posbias.plot.Figure;
import io.posbias.report.ReportFormat;
import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.leaderboard.MtebFiles;
import io.posbias.report.plot.Plots;
import io.posbias.result.CellFiles;
import io.posbias.result.CsvFiles;
import io.posbias.result.Result;
import io.posbias.result.ResultFiles;
import io.posbias.table.Look;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code posbias report}: many results in one table. */
@Command(
        name = "report",
        description = "Put results into one table, models grouped by family, as the papers print them.",
        sortOptions = false,
        footer = {
            "",
            "The best of a column is bold and the second underlined where the format can show it.",
            "",
            "Examples:",
            "  posbias report results --format markdown",
            "  posbias report results --dataset squad-posq,fineweb-posq --layout table1 \\",
            "      --with-published --format latex --output table1.tex",
            "  posbias report --layout posir-table2 --with-published",
            "  posbias report results --format mteb --output mteb-results",
            "  posbias report results --format html --output page.html",
            "  posbias report results/squad-posq --plots pictures",
        })
final class ReportCommand extends Verb {
    /** Completes the words of {@link Layout}. */
    static final class Layouts implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Layout.values()).map(Layout::toString).iterator();
        }
    }

    private CommandSpec spec = CommandSpec.create();

    /** Takes the command's model and adds the layouts to its help. */
    @Spec
    void setSpec(CommandSpec given) {
        this.spec = given;
        List<String> footer = new ArrayList<>(List.of("", "Layouts:"));
        for (Layout each : Layout.values()) {
            footer.add(String.format(Locale.ROOT, "  %-15s  %s", each, each.description()));
        }
        footer.addAll(List.of(given.usageMessage().footer()));
        given.usageMessage().footer(footer.toArray(String[]::new));
    }

    @Parameters(
            paramLabel = "RESULT",
            arity = "0..*",
            description = "result.json files, or folders that are searched for them.")
    private List<Path> inputs = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET",
            description = "Only results on these: names, or patterns such as 'posir/*' (* does not cross a /).")
    private List<String> datasets = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ReportFormat format = ReportFormat.TABLE;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "position",
            completionCandidates = Layouts.class,
            description = "What stands where: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}; see below).")
    private String layout = "position";

    @Option(
            names = "--average",
            description = "With --layout length: the plain mean over each model's datasets, as length-mean.")
    private boolean average;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            defaultValue = Measures.DEFAULT,
            description = "Which measure to show, or to show first with html (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Option(names = "--intervals", description = "Print means and PSI with their intervals, where these are known.")
    private boolean intervals;

    @Option(
            names = "--with-published",
            description = {
                "Add the paper's rows on the same datasets (squad-posq, fineweb-posq and their -tiny subsets;",
                "posir/LANG), and the difference under models that the paper has. Without results: all rows."
            })
    private boolean withPublished;

    @Option(
            names = "--output",
            paramLabel = "PATH",
            description = "File to write instead of printing; with --format mteb the folder.")
    private @Nullable Path output;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "Colour in --format table: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Terminal.Colour colour = Terminal.Colour.AUTO;

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private PageOptions page = new PageOptions();

    @Override
    public Integer call() {
        page.check(format == ReportFormat.HTML);
        Layout chosen = layout();
        Checks.belongs(
                format == ReportFormat.HTML && chosen != Layout.POSITION,
                "--layout",
                "tables: a page shows positions in each band of length");
        String shown = Measures.parse(measure).toString();
        List<CellFiles> cells = ResultFiles.read(inputs, datasets);
        List<Result> own = cells.stream().map(CellFiles::result).toList();
        if (own.isEmpty() && (format == ReportFormat.JSON || format == ReportFormat.MTEB || !withPublished)) {
            throw new UsageException("give result.json files or folders that hold some"
                    + (withPublished ? "" : ", or --with-published"));
        }
        if (format == ReportFormat.MTEB) {
            return mteb(own);
        }
        List<Result> all = withPublished ? plusPublished(own, chosen) : own;
        Leaderboard board = new Leaderboard(all, shown, intervals);
        if (board.isEmpty()) {
            throw new UsageException("no result has the measure " + shown);
        }
        Look look = output == null ? Terminal.look(colour, session().environment()) : Look.PLAIN;
        deliver(
                format == ReportFormat.HTML
                        ? page.render(cells, all, shown, session())
                        : format.text(own, chosen, board, look));
        plots.draw(session(), () -> figures(cells, all, shown));
        return ExitCode.OK;
    }

    private static Map<String, Figure> figures(List<CellFiles> cells, List<Result> results, String shown) {
        Map<Result, Path> queries = new HashMap<>();
        for (CellFiles cell : cells) {
            cell.file(CsvFiles.QUERIES).ifPresent(file -> queries.put(cell.result(), file));
        }
        return Plots.figures(results, shown, queries);
    }

    private Layout layout() {
        Layout chosen = Layout.parse(layout);
        Checks.belongs(average && chosen != Layout.LENGTH, "--average", "--layout length");
        return average ? Layout.LENGTH_MEAN : chosen;
    }

    private List<Result> plusPublished(List<Result> own, Layout layout) {
        List<Result> published = new ArrayList<>(layout.published(own));
        if (format == ReportFormat.HTML) {
            // A page shows positions and lengths alike, so the papers of both kinds of layout.
            published.addAll(Layout.LENGTH.published(own));
        }
        if (published.isEmpty()) {
            List<String> names = own.stream().map(Result::dataset).distinct().toList();
            say("note: nothing is published on " + String.join(", ", names));
        }
        List<Result> all = new ArrayList<>(own);
        all.addAll(published);
        return all;
    }

    private void deliver(String text) {
        if (output == null) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(text);
            out.flush();
        } else {
            Staging.writeFile(output, text.getBytes(StandardCharsets.UTF_8));
            say("report in " + output);
        }
    }

    private int mteb(List<Result> own) {
        if (output == null) {
            throw new UsageException("--format mteb writes a folder: give --output DIR");
        }
        int files = MtebFiles.write(output, own);
        say(files + (files == 1 ? " file" : " files") + " in " + output);
        return ExitCode.OK;
    }
}
