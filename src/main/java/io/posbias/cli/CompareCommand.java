package io.posbias.cli;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Holm;
import io.posbias.base.table.Lines;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.position.Strata;
import io.posbias.report.ComparisonTables;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Settings;
import io.posbias.score.over.Pair;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "compare",
        description = "Compare models query by query, with tests and intervals.",
        footer = {
            "",
            "Compares cells of the same dataset in pairs; p-values are adjusted for all comparisons (Holm). A pair is "
                    + "printed as a line; for more models letters name the models that one is better than. --format "
                    + "json also prints the buckets.",
            "",
            "Examples:",
            "  posbias compare results/demo/bm25 results/demo/all-minilm-l6-v2",
            "  posbias compare results",
            "  posbias compare results/demo --against bm25 --format markdown",
            "  posbias compare results/xquad-windows --places --against place-1",
        })
final class CompareCommand extends BaseCommand {
    @Parameters(paramLabel = "FOLDER", arity = "1..*", description = "Folders of finished cells, or parent folders.")
    private List<Path> folders = List.of();

    @Option(
            names = "--dataset",
            paramLabel = "DATASET,..",
            split = ",",
            description = "Datasets to compare on: names or patterns (default: all).")
    private List<String> datasets = List.of();

    @Option(
            names = {"--against", "--baseline"},
            paramLabel = "MODEL",
            description = "Model to compare all others with (default: all pairs).")
    private @Nullable String against;

    @Heading("Output:")
    @Option(
            names = "--places",
            description = "Compare each model with itself at the places of windows, DATASET/place-1 and so on; "
                    + "--against then names a place.")
    private boolean places;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "Measure to compare (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Heading("Statistics:")
    @Option(names = "--strata", description = "Compare within each length band, too.")
    private boolean strata;

    @Mixin
    private SettingsOptions settingsOptions = new SettingsOptions("draws", "seed", "confidence");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Heading("Statistics:")
    @Option(
            names = "--cluster",
            paramLabel = "UNIT",
            description = "Count queries as one that share a passage, an article, or none: ${COMPLETION-CANDIDATES} "
                    + "(default: as the cells were evaluated).")
    private Clustering.@Nullable By cluster;

    @Mixin
    private FormatOption form = new FormatOption();

    @Heading("Output:")
    @Option(names = "--details", description = "Print a row per pair with all differences, intervals and p-values.")
    private boolean details;

    @Override
    protected void work() {
        String name = Measures.parse(measure).toString();
        Map<String, List<Compared>> groups = ResultFiles.finished(folders, this::say).stream()
                .filter(cell -> ResultFiles.matches(cell.result().dataset(), datasets))
                .flatMap(cell -> (places ? Compared.place(cell) : Optional.of(Compared.model(cell))).stream())
                .collect(Collectors.groupingBy(Compared::group, LinkedHashMap::new, Collectors.toList()));
        checkAgainst(groups);
        Settings settings = enough(groups.values());
        List<Pair> pairs = new ArrayList<>();
        groups.forEach((group, systems) -> session().step("compare " + group, () -> {
            compare(systems, name, settings, pairs);
            return pairs;
        }));
        refuse(
                pairs.isEmpty(),
                "nothing to compare: give at least two "
                        + (places ? "datasets DATASET/place-N of one model" : "models on one dataset"));
        String clusters = groups.values().stream()
                .flatMap(List::stream)
                .map(system ->
                        cluster == null ? system.cell().result().settings().unit() : cluster)
                .map(Clustering.By::describe)
                .distinct()
                .collect(Collectors.joining("; "));
        ComparisonTables.Content content =
                new ComparisonTables.Content(settings.draws(), settings.confidence(), clusters, details, form.detail());
        List<String> lines = form.isTable() && !details ? ComparisonTables.lines(name, pairs, content) : List.of();
        if (!lines.isEmpty()) {
            int width = form.style(session()).width();
            lines.stream().flatMap(line -> Lines.of(line, width, 2).stream()).forEach(this::printLine);
            return;
        }
        print(form.text(
                () -> ComparisonTables.document(pairs, settings.draws(), settings.seed(), settings.confidence()),
                () -> ComparisonTables.tables(name, pairs, content),
                () -> ComparisonTables.raw(pairs),
                session()));
    }

    private void checkAgainst(Map<String, List<Compared>> groups) {
        if (against == null) {
            return;
        }
        Set<String> all = new LinkedHashSet<>();
        groups.forEach((group, systems) -> {
            List<String> names = systems.stream().map(Compared::name).toList();
            all.addAll(names);
            if (!names.contains(against) && groups.size() > 1) {
                say("note: no result of " + against + " on " + group);
            }
        });
        if (!all.contains(against)) {
            throw new UsageException("--against: " + Suggestions.unknown(places ? "place" : "model", against, all));
        }
    }

    private record Compared(String group, String name, StoredCell cell) {
        private static final Pattern PLACE = Pattern.compile("(.+)/(place-[0-9]+)");

        static Compared model(StoredCell cell) {
            return new Compared(cell.result().dataset(), cell.result().model(), cell);
        }

        static Optional<Compared> place(StoredCell cell) {
            Matcher place = PLACE.matcher(cell.result().dataset());
            return place.matches()
                    ? Optional.of(
                            new Compared(place.group(1) + ", " + cell.result().model(), place.group(2), cell))
                    : Optional.empty();
        }

        List<String> corpus() {
            return cell.result().provenance().datasetSha256().entrySet().stream()
                    .filter(file -> file.getKey().startsWith("corpus."))
                    .map(Map.Entry::getValue)
                    .toList();
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Scored(Compared system, CellQueries queries, double[] scores) {
        String name() {
            return system.name();
        }

        StoredCell cell() {
            return system.cell();
        }
    }

    /** Returns the settings, with more draws if the number of pairs needs them: see {@link Holm#draws}. */
    private Settings enough(Collection<List<Compared>> groups) {
        Settings settings = settingsOptions.settings();
        int most = groups.stream().mapToInt(this::pairs).sum();
        int least = Holm.draws(most, 1 - settings.confidence());
        if (settings.draws() == 0 || settings.draws() >= least) {
            return settings;
        }
        say("note: " + most + " comparisons need " + least + " draws: these are made, not " + settings.draws());
        return settings.withDraws(least);
    }

    private int pairs(List<Compared> systems) {
        int others = systems.size() - 1;
        boolean named = systems.stream().anyMatch(system -> system.name().equals(against));
        int pairs = against == null ? systems.size() * others / 2 : named ? others : 0;
        return strata ? pairs * systems.getFirst().cell().result().strata().size() : pairs;
    }

    private void compare(List<Compared> systems, String name, Settings settings, List<Pair> pairs) {
        List<String> names = systems.stream().map(Compared::name).toList();
        String group = systems.getFirst().group();
        refuse(
                names.stream().distinct().count() < names.size(),
                "two results of one " + (places ? "place" : "model") + " on " + group + ": " + String.join(", ", names)
                        + "; 'posbias gate' compares versions of a model");
        refuse(
                places && systems.stream().map(Compared::corpus).distinct().count() > 1,
                group + ": the places have different corpora, so they are not of the same windows");
        CellQueries order = queries(systems.getFirst());
        List<Scored> scored = systems.stream()
                .filter(system -> against == null || names.contains(against))
                .map(system -> scored(system, order, name))
                .toList();
        Comparer comparer = new Comparer(settings, threads.threads());
        for (int first = 0; first < scored.size(); first++) {
            for (Scored other : scored.subList(first + 1, scored.size())) {
                Scored one = scored.get(first);
                if (against == null || against.equals(one.name())) {
                    pairs.addAll(pairs(one, other, name, comparer));
                } else if (against.equals(other.name())) {
                    pairs.addAll(pairs(other, one, name, comparer));
                }
            }
        }
    }

    private List<Pair> pairs(Scored first, Scored second, String name, Comparer comparer) {
        String unpaired = first.queries().unpaired(second.queries());
        refuse(
                unpaired != null,
                first.cell().folder() + " and " + second.cell().folder() + " cannot be compared: " + unpaired);
        List<Pair> pairs = new ArrayList<>();
        QueryBuckets placement = first.queries().placement();
        List<String> all = placement.strata();
        for (String stratum : strata ? all : all.subList(0, 1)) {
            Comparison comparison = comparer.compare(name, stratum, first.scores(), second.scores(), placement);
            if (comparison != null) {
                pairs.add(new Pair(
                        first.system().group(),
                        first.name(),
                        second.name(),
                        comparison,
                        stratum.equals(Strata.ALL) ? fixed(first, second, name, comparer) : null));
            }
        }
        return pairs;
    }

    private ContentFixedFit.@Nullable Difference fixed(Scored first, Scored second, String name, Comparer comparer) {
        if (first.queries().isPlacedAs(second.queries(), name)) {
            return comparer.byPlace(
                    name,
                    first.queries().placement(),
                    first.queries().places(),
                    second.queries().places());
        }
        String before = first.cell().result().settings().contentFixed();
        String after = second.cell().result().settings().contentFixed();
        if (before != null && after != null && !before.equals(after)) {
            say(first.cell().folder() + " and " + second.cell().folder() + ": content held fixed in other ways, not "
                    + "compared: " + before + " and " + after);
        }
        return null;
    }

    private CellQueries queries(Compared system) {
        CellQueries own = system.cell().queries(cluster);
        // The same query at another place is in another bucket.
        return places ? own.unbucketed() : own;
    }

    private Scored scored(Compared system, CellQueries order, String name) {
        StoredCell cell = system.cell();
        CellQueries queries = queries(system).inOrderOf(order);
        double[] scores = queries.of(name);
        if (scores == null) {
            throw new UsageException(cell.name() + " was not scored on " + name + ", but on "
                    + String.join(", ", cell.result().settings().names()) + "; eval --measures " + name
                    + " adds it");
        }
        return new Scored(system, queries, scores);
    }
}
