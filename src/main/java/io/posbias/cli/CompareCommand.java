package io.posbias.cli;

import io.posbias.Json;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.cli.common.DrawOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.StatisticsOptions;
import io.posbias.cli.common.Verb;
import io.posbias.measure.Comparer;
import io.posbias.measure.Comparison;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.Measures;
import io.posbias.measure.PlacedScores;
import io.posbias.measure.Placement;
import io.posbias.measure.Units;
import io.posbias.position.Strata;
import io.posbias.report.Comparisons;
import io.posbias.result.FinishedCell;
import io.posbias.result.ResultFiles;
import io.posbias.result.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "compare",
        commandListHeading = "Look at results:",
        description = "Compare models query by query, with tests and intervals.",
        sortOptions = false,
        footer = {
            "",
            "Compares cells of the same dataset in pairs; differences are second minus first. Holm "
                    + "p-values are adjusted for all comparisons that are printed. --format json also prints "
                    + "the buckets.",
            "",
            "Examples:",
            "  posbias compare results/demo/bm25 results/demo/all-minilm-l6-v2",
            "  posbias compare results",
            "  posbias compare results/demo --against bm25 --format markdown",
        })
final class CompareCommand extends Verb {
    @Parameters(
            paramLabel = "FOLDER",
            arity = "1..*",
            description = "Folders of finished cells, or folders that hold such.")
    private List<Path> folders = List.of();

    @Option(
            names = "--dataset",
            paramLabel = "DATASET,..",
            split = ",",
            description = "Compare on these datasets only: names or patterns (default: all).")
    private List<String> datasets = List.of();

    @Option(
            names = {"--against", "--baseline"},
            paramLabel = "MODEL",
            description = "Compare every model with this one only (default: all pairs).")
    private @Nullable String against;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "Which measure to compare (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Option(names = "--strata", description = "Within each band of length as well.")
    private boolean strata;

    @Mixin
    private DrawOptions draws = new DrawOptions();

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Option(
            names = "--cluster",
            paramLabel = "UNIT",
            description = "Count queries as one that share a passage, an article, or none: ${COMPLETION-CANDIDATES} "
                    + "(default: as the cells were evaluated).")
    private Units.@Nullable By cluster;

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        draws.check();
        statistics.check();
        String name = Measures.parse(measure).toString();
        Map<String, List<FinishedCell>> byDataset = ResultFiles.finished(folders, this::say).stream()
                .filter(cell -> ResultFiles.matches(cell.result().dataset(), datasets))
                .collect(Collectors.groupingBy(
                        cell -> cell.result().dataset(), LinkedHashMap::new, Collectors.toList()));
        checkAgainst(byDataset);
        List<Comparisons.Pair> pairs = new ArrayList<>();
        byDataset.forEach((dataset, cells) -> session().step("compare models on " + dataset, () -> {
            compare(cells, name, pairs);
            return pairs;
        }));
        refuse(pairs.isEmpty(), "nothing to compare: give at least two models on one dataset");
        print(form.text(
                () -> Json.toBytes(Comparisons.document(pairs, draws.draws(), draws.seed(), statistics.confidence())),
                () -> Comparisons.tables(name, pairs, draws.draws(), statistics.confidence()),
                () -> Comparisons.raw(pairs),
                session()));
    }

    private void checkAgainst(Map<String, List<FinishedCell>> byDataset) {
        if (against == null) {
            return;
        }
        Set<String> all = new LinkedHashSet<>();
        byDataset.forEach((dataset, cells) -> {
            List<String> models =
                    cells.stream().map(cell -> cell.result().model()).toList();
            all.addAll(models);
            if (!models.contains(against) && byDataset.size() > 1) {
                say("note: no result of " + against + " on " + dataset);
            }
        });
        if (!all.contains(against)) {
            throw new UsageException("--against: " + Suggestions.unknown("model", against, all));
        }
    }

    /** A finished cell with its scores on the measure query by query. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Scored(FinishedCell cell, FinishedCell.Queries queries, double[] scores) {
        String model() {
            return cell.result().model();
        }
    }

    private void compare(List<FinishedCell> cells, String name, List<Comparisons.Pair> pairs) {
        List<String> models = cells.stream().map(cell -> cell.result().model()).toList();
        refuse(
                models.stream().distinct().count() < models.size(),
                "two results of one model on " + cells.getFirst().result().dataset() + ": " + String.join(", ", models)
                        + "; 'posbias gate' compares versions of a model");
        List<Scored> scored = cells.stream()
                .filter(cell -> against == null || models.contains(against))
                .map(cell -> scored(cell, name))
                .toList();
        Comparer comparer = new Comparer(draws.draws(), draws.seed(), statistics.confidence(), statistics.threads());
        for (int first = 0; first < scored.size(); first++) {
            for (Scored other : scored.subList(first + 1, scored.size())) {
                Scored one = scored.get(first);
                if (against == null || against.equals(one.model())) {
                    pairs.addAll(pairs(one, other, name, comparer));
                } else if (against.equals(other.model())) {
                    pairs.addAll(pairs(other, one, name, comparer));
                }
            }
        }
    }

    private List<Comparisons.Pair> pairs(Scored first, Scored second, String name, Comparer comparer) {
        String unpaired = first.queries().unpaired(second.queries());
        refuse(
                unpaired != null,
                first.cell().folder() + " and " + second.cell().folder() + " cannot be compared: " + unpaired);
        List<Comparisons.Pair> pairs = new ArrayList<>();
        Placement placement = first.queries().placement();
        List<String> all = placement.strata();
        for (String stratum : strata ? all : all.subList(0, 1)) {
            Comparison comparison = comparer.compare(name, stratum, first.scores(), second.scores(), placement);
            if (comparison != null) {
                pairs.add(new Comparisons.Pair(
                        first.cell().result().dataset(),
                        first.model(),
                        second.model(),
                        comparison,
                        stratum.equals(Strata.ALL) ? fixed(first, second, name) : null));
            }
        }
        return pairs;
    }

    /** The difference with the content held fixed, where both cells have it of the same queries. */
    private ContentFixedFit.@Nullable Difference fixed(Scored first, Scored second, String name) {
        List<PlacedScores> before = first.queries().places();
        List<PlacedScores> after = second.queries().places();
        Settings settings = first.cell().result().settings();
        if (before.isEmpty()
                || after.isEmpty()
                || draws.draws() == 0
                || !settings.measures().getFirst().equals(name)) {
            return null;
        }
        if (!Objects.equals(
                settings.contentFixed(), second.cell().result().settings().contentFixed())) {
            say(first.cell().folder() + " and " + second.cell().folder() + ": content held fixed in other ways, not "
                    + "compared: " + settings.contentFixed() + " and "
                    + second.cell().result().settings().contentFixed());
            return null;
        }
        Units.By by = first.queries().placement().units().by();
        return new ContentFixedFit(
                        name, "", by, draws.draws(), draws.seed(), statistics.confidence(), statistics.threads())
                .compare(before, after);
    }

    private Scored scored(FinishedCell cell, String name) {
        FinishedCell.Queries queries = cell.queries(cluster);
        double[] scores = queries.of(name);
        if (scores == null) {
            throw new UsageException(cell.name() + " was not scored on " + name + ", but on "
                    + String.join(", ", cell.result().settings().measures()) + "; eval --measures " + name
                    + " adds it");
        }
        return new Scored(cell, queries, scores);
    }
}
