package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.cli.common.DrawOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.StatisticsOptions;
import io.posbias.cli.common.Verb;
import io.posbias.measure.Comparer;
import io.posbias.measure.Comparison;
import io.posbias.measure.Measures;
import io.posbias.report.Comparisons;
import io.posbias.result.FinishedCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias compare}: systems on the same queries. */
@Command(
        name = "compare",
        description = "Compare systems query by query: means, wins, and PSI, with tests and intervals.",
        sortOptions = false,
        footer = {
            "",
            "Cells of the same dataset are compared in pairs; differences are second less first. Holm p-values",
            "are adjusted for all comparisons that are printed. Buckets are in --format json.",
            "",
            "Examples:",
            "  posbias compare results/demo/bm25 results/demo/all-minilm-l6-v2",
            "  posbias compare results/demo/* --against bm25 --format markdown",
        })
final class CompareCommand extends Verb {
    @Parameters(
            paramLabel = "FOLDER",
            arity = "2..*",
            description = "Folders of finished cells: result.json and queries.csv.")
    private List<Path> folders = List.of();

    @Option(
            names = "--against",
            paramLabel = "MODEL",
            description = "Compare every model with this one only (default: all pairs).")
    private @Nullable String against;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            defaultValue = Measures.DEFAULT,
            description = "Which measure to compare (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Option(names = "--strata", description = "Within each band of length as well.")
    private boolean strata;

    @Mixin
    private DrawOptions draws = new DrawOptions();

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    public Integer call() {
        draws.check();
        statistics.check();
        String name = Measures.parse(measure).toString();
        Map<String, List<FinishedCell>> byDataset = new LinkedHashMap<>();
        folders.stream()
                .map(FinishedCell::read)
                .forEach(cell -> byDataset
                        .computeIfAbsent(cell.result().dataset(), dataset -> new ArrayList<>())
                        .add(cell));
        List<Comparisons.Pair> pairs = new ArrayList<>();
        byDataset.values().forEach(cells -> compare(cells, name, pairs));
        if (pairs.isEmpty()) {
            throw new UsageException("nothing to compare: give at least two models on one dataset");
        }
        print(name, pairs);
        return ExitCode.OK;
    }

    private void compare(List<FinishedCell> cells, String name, List<Comparisons.Pair> pairs) {
        List<String> models = cells.stream().map(cell -> cell.result().model()).toList();
        if (models.stream().distinct().count() < models.size()) {
            throw new UsageException("two results of one model on "
                    + cells.getFirst().result().dataset() + ": " + String.join(", ", models)
                    + "; 'posbias gate' compares versions of a model");
        }
        if (against != null && !models.contains(against)) {
            throw new UsageException("--against: " + Names.unknown("model", against, models));
        }
        Map<FinishedCell, FinishedCell.Queries> queries = new LinkedHashMap<>();
        cells.forEach(cell -> queries.put(cell, cell.queries()));
        for (int first = 0; first < cells.size(); first++) {
            for (int second = first + 1; second < cells.size(); second++) {
                FinishedCell one = cells.get(first);
                FinishedCell other = cells.get(second);
                if (against == null || against.equals(one.result().model())) {
                    pairs.addAll(pairs(one, other, queries, name));
                } else if (against.equals(other.result().model())) {
                    pairs.addAll(pairs(other, one, queries, name));
                }
            }
        }
    }

    private List<Comparisons.Pair> pairs(
            FinishedCell first, FinishedCell second, Map<FinishedCell, FinishedCell.Queries> queries, String name) {
        FinishedCell.Queries one = Objects.requireNonNull(queries.get(first));
        FinishedCell.Queries other = Objects.requireNonNull(queries.get(second));
        String unpaired = one.unpaired(other);
        if (unpaired != null) {
            throw new UsageException(first.folder() + " and " + second.folder() + " cannot be compared: " + unpaired);
        }
        double[] before = scores(first, one, name);
        double[] after = scores(second, other, name);
        List<Comparisons.Pair> pairs = new ArrayList<>();
        Comparer comparer = new Comparer(draws.draws(), draws.seed(), statistics.confidence(), statistics.threads());
        List<String> all = one.placement().strata();
        for (String stratum : strata ? all : all.subList(0, 1)) {
            Comparison comparison = comparer.compare(name, stratum, before, after, one.placement());
            if (comparison != null) {
                pairs.add(new Comparisons.Pair(
                        first.result().dataset(),
                        first.result().model(),
                        second.result().model(),
                        comparison));
            }
        }
        return pairs;
    }

    private static double[] scores(FinishedCell cell, FinishedCell.Queries queries, String name) {
        double[] scores = queries.of(name);
        if (scores == null) {
            throw new UsageException(cell.name() + " was not scored on " + name + ", but on "
                    + String.join(", ", cell.result().settings().measures()));
        }
        return scores;
    }

    private void print(String name, List<Comparisons.Pair> pairs) {
        form.print(
                out(),
                () -> Json.toBytes(Comparisons.document(pairs, draws.draws(), draws.seed(), statistics.confidence())),
                () -> Comparisons.table(name, pairs, draws.draws(), statistics.confidence()));
    }
}
