package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.Problems;
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
    private TableFormat format = TableFormat.TABLE;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            defaultValue = Measures.DEFAULT,
            description = "Which measure to show (default: ${DEFAULT-VALUE}).")
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

    /** The queries.csv of each result that has one. */
    private final Map<Result, Path> queries = new HashMap<>();

    @Override
    public Integer call() {
        if (average && layout != Layout.LENGTH) {
            throw new UsageException("--average belongs to --layout length");
        }
        String shown = Measures.parse(measure).toString();
        List<Result> results = new ArrayList<>(read());
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
        spec.commandLine().getOut().print(format.render(table(leaderboard)));
        spec.commandLine().getOut().flush();
        if (plots != null) {
            draw(results, shown, plots);
        }
        return ExitCode.OK;
    }

    private void draw(List<Result> results, String shown, Path folder) {
        List<Path> files = Plots.write(results, shown, queries, folder);
        PrintWriter err = spec.commandLine().getErr();
        if (files.isEmpty()) {
            err.println("note: --plots: these results hold nothing that can be drawn");
        }
        files.forEach(file -> err.println("written: " + file));
        err.flush();
    }

    private Table table(Leaderboard leaderboard) {
        if (layout == Layout.POSITION) {
            return leaderboard.byPosition();
        }
        return average
                ? leaderboard.byLengthAveraged(withPublished ? PublishedResults.mmteb() : Map.of(), "MMTEB")
                : leaderboard.byLength();
    }

    private List<Result> read() {
        Set<Path> files = new LinkedHashSet<>();
        for (Path input : inputs) {
            List<Path> found = Files.isDirectory(input) ? find(input) : List.of(input);
            if (found.isEmpty()) {
                throw new UsageException("folder " + input + " holds no " + ResultFile.NAME);
            }
            found.forEach(file -> files.add(file.normalize()));
        }
        List<Result> results = new ArrayList<>();
        Map<String, Path> cells = new HashMap<>();
        for (Path file : files) {
            List<Result> held = ResultFile.read(file);
            Path beside = file.resolveSibling(CsvFiles.QUERIES);
            // A queries.csv is of one result.
            if (held.size() == 1 && Files.isRegularFile(beside)) {
                queries.put(held.getFirst(), beside);
            }
            for (Result result : held) {
                String cell = result.model() + " on " + result.dataset();
                Path other = cells.putIfAbsent(cell, file);
                if (other != null) {
                    throw new UsageException(
                            "two results of " + cell + ": " + other + " and " + file + "; a table shows one");
                }
                results.add(result);
            }
        }
        return results;
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
        List<Result> all = layout == Layout.POSITION ? PublishedResults.posq() : PublishedResults.posir();
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
