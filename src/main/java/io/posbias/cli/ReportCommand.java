package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.measure.Measures;
import io.posbias.report.CsvFiles;
import io.posbias.report.Leaderboard;
import io.posbias.report.PublishedResults;
import io.posbias.report.Result;
import io.posbias.report.ResultFile;
import io.posbias.report.Table;
import io.posbias.report.TableFormat;
import io.posbias.report.plot.Plots;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
            "Examples:",
            "  posbias report results --format markdown",
            "  posbias report results/squad-posq/bm25/result.json --with-published \\",
            "      --format latex",
            "  posbias report results --format html --output page.html",
            "  posbias report --layout length --average --with-published   # PosIR's Table 2",
            "  posbias report results/squad-posq --plots pictures",
        })
final class ReportCommand implements Callable<Integer> {
    /** How results become a table. */
    enum Layout {
        /** A column for each position bucket. */
        POSITION,
        /** A column for each band of length. */
        LENGTH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is written. */
    enum Format {
        TABLE,
        MARKDOWN,
        CSV,
        LATEX,
        /** A page with everything, for a browser. */
        HTML;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "RESULT",
            arity = "0..*",
            description = "result.json files, or folders that are searched for them.")
    private List<Path> inputs = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TABLE;

    @Option(names = "--output", paramLabel = "FILE", description = "Write to this file instead of printing.")
    private @Nullable Path output;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            defaultValue = Measures.DEFAULT,
            description = "Which measure to show, or to show first with html (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "position",
            description = "Columns by position bucket or by band of length: ${COMPLETION-CANDIDATES}.")
    private Layout layout = Layout.POSITION;

    @Option(
            names = "--average",
            description = "With --layout length: the plain mean over each model's datasets, as PosIR over languages.")
    private boolean average;

    @Option(
            names = "--with-published",
            description = {
                "Add the papers' rows on the same datasets (squad-posq, fineweb-posq and their -tiny subsets;",
                "posir/LANG). Without results: all of them."
            })
    private boolean withPublished;

    @Option(
            names = "--plots",
            paramLabel = "DIR",
            description = "Also draw the results into this folder, as SVG and PNG (docs/plots.md).")
    private @Nullable Path plots;

    @Mixin
    private PageOptions page = new PageOptions();

    @Override
    public Integer call() {
        page.check(format == Format.HTML);
        if (format == Format.HTML && layout != Layout.POSITION) {
            throw new UsageException("--layout belongs to tables: a page shows positions in each band of length");
        }
        if (average && layout != Layout.LENGTH) {
            throw new UsageException("--average belongs to --layout length");
        }
        String shown = Measures.parse(measure).toString();
        List<Cell> cells = read();
        List<Result> results = new ArrayList<>(cells.stream().map(Cell::result).toList());
        if (withPublished) {
            results.addAll(published(results));
        }
        Leaderboard leaderboard = new Leaderboard(results, shown);
        if (leaderboard.isEmpty()) {
            throw new UsageException(
                    results.isEmpty()
                            ? "give result.json files or folders that hold some, or --with-published"
                            : "no result has the measure " + shown);
        }
        write(
                format == Format.HTML
                        ? page.render(cells, results, shown, spec.commandLine().getErr())
                        : TableFormat.valueOf(format.name()).render(table(leaderboard)));
        if (plots != null) {
            draw(cells, results, shown, plots);
        }
        return ExitCode.OK;
    }

    private void draw(List<Cell> cells, List<Result> results, String shown, Path folder) {
        Map<String, Path> queries = new HashMap<>();
        for (Cell cell : cells) {
            cell.file(CsvFiles.QUERIES)
                    .ifPresent(file -> queries.putIfAbsent(cell.result().dataset(), file));
        }
        List<Path> files = Plots.write(results, shown, queries, folder);
        PrintWriter err = spec.commandLine().getErr();
        if (files.isEmpty()) {
            err.println("note: --plots: these results hold nothing that can be drawn");
        }
        files.forEach(file -> err.println("written: " + file));
        err.flush();
    }

    private void write(String text) {
        if (output == null) {
            spec.commandLine().getOut().print(text);
            spec.commandLine().getOut().flush();
        } else {
            Staging.writeFile(output, text.getBytes(StandardCharsets.UTF_8));
            spec.commandLine().getErr().println("report in " + output);
            spec.commandLine().getErr().flush();
        }
    }

    private Table table(Leaderboard leaderboard) {
        if (layout == Layout.POSITION) {
            return leaderboard.byPosition();
        }
        return average
                ? leaderboard.byLengthAveraged(withPublished ? PublishedResults.mmteb() : Map.of(), "MMTEB")
                : leaderboard.byLength();
    }

    private List<Cell> read() {
        Set<Path> files = new LinkedHashSet<>();
        for (Path input : inputs) {
            List<Path> found = Files.isDirectory(input) ? find(input) : List.of(input);
            if (found.isEmpty()) {
                throw new UsageException("folder " + input + " holds no " + ResultFile.NAME);
            }
            found.forEach(file -> files.add(file.normalize()));
        }
        List<Cell> cells = new ArrayList<>();
        Map<String, Path> known = new HashMap<>();
        for (Path file : files) {
            List<Result> results = ResultFile.read(file);
            Path folder = results.size() == 1 ? file.resolveSibling("") : null;
            for (Result result : results) {
                String cell = result.model() + " on " + result.dataset();
                Path other = known.putIfAbsent(cell, file);
                if (other != null) {
                    throw new UsageException(
                            "two results of " + cell + ": " + other + " and " + file + "; a table shows one");
                }
                cells.add(new Cell(result, folder));
            }
        }
        return cells;
    }

    private static List<Path> find(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(ResultFile.NAME)).sorted().toList();
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", folder, unreadable), unreadable);
        } catch (UncheckedIOException unreadable) {
            throw new PosbiasException(Problems.describe("read", folder, unreadable), unreadable);
        }
    }

    /** The published results on the datasets shown, those of a tiny subset standing under the subset's name. */
    private List<Result> published(List<Result> own) {
        List<Result> all =
                new ArrayList<>(layout == Layout.POSITION ? PublishedResults.posq() : PublishedResults.posir());
        if (format == Format.HTML) {
            all.addAll(PublishedResults.posir());
        }
        Set<String> datasets = own.stream().map(Result::dataset).collect(Collectors.toSet());
        if (datasets.isEmpty()) {
            return layout == Layout.LENGTH && average ? monolingual(all) : all;
        }
        List<Result> matching = new ArrayList<>();
        for (String dataset : datasets.stream().sorted().toList()) {
            String published = dataset.endsWith("-tiny") ? dataset.substring(0, dataset.length() - 5) : dataset;
            all.stream()
                    .filter(result -> result.dataset().equals(published))
                    .map(result -> result.withDataset(dataset))
                    .forEach(matching::add);
        }
        if (matching.isEmpty()) {
            spec.commandLine().getErr().println("note: nothing is published on " + String.join(", ", datasets));
        }
        return matching;
    }

    /** Table 2 is the mean over languages of retrieval within a language. */
    private static List<Result> monolingual(List<Result> results) {
        return results.stream()
                .filter(result -> !result.dataset().endsWith("-eng-Latn"))
                .toList();
    }
}
