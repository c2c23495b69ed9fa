package io.posbias.cli;

import io.posbias.Checksums;
import io.posbias.ExitCode;
import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.encode.Engine;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.ScoredItem;
import io.posbias.report.GridTables;
import io.posbias.report.ProbeFiles;
import io.posbias.report.ProbeTables;
import io.posbias.report.Table;
import io.posbias.report.TidyProbes;
import io.posbias.report.plot.ProbePlots;
import io.posbias.retrieve.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias probe run}: scores the pairs of probes. */
@Command(
        name = "run",
        description = "Score the pairs of probes with models, and test the differences.",
        sortOptions = false,
        footer = {
            "",
            "A pair file of your own has a line of JSON for each pair: id, query, text1, text2.",
            "",
            "Examples:",
            "  posbias probe run --model bm25,all-minilm-l6-v2 --data probes \\",
            "      --with-published",
            "  posbias probe run --model my.yaml --data probes --probe position,brevity",
            "  posbias probe run --model bm25 --pairs mine.jsonl --format markdown",
        })
final class ProbeRunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of probes, or redocred: where 'posbias probe build redocred' leaves its own.")
    private @Nullable Path data;

    @Option(
            names = "--pairs",
            paramLabel = "FILE",
            description = "A file of pairs; may be repeated. Its name is the probe's where lines name none.")
    private List<Path> pairs = List.of();

    @Option(
            names = "--probe",
            split = ",",
            paramLabel = "PROBE",
            description = "Only these probes of the folder, separated by commas (default: all).")
    private List<String> probes = List.of();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Option(
            names = "--with-published",
            description = "Add what the paper printed of literal, foil and poison, on other pairs of the same kind.")
    private boolean withPublished;

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Override
    public Integer call() {
        check();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        Map<Path, List<ProbeItem>> files = read();
        Map<String, String> digests = new LinkedHashMap<>();
        files.keySet().forEach(file -> digests.put(String.valueOf(file.getFileName()), Checksums.sha256(file)));
        Engine engine = modelOptions.device().engine(statistics.threads(), this::say);
        ModelStore store = new ModelStore(this::say);
        Map<String, ProbeResult> results = new LinkedHashMap<>();
        Map<String, ProbeFiles.Scored> scorings = new LinkedHashMap<>();
        List<ProbeItem> items = files.values().stream().flatMap(List::stream).toList();
        String itemsSha256 = ItemScorer.digest(items);
        // Each file by itself: a corpus's statistics are those of one probe.
        Map<Path, ItemScorer> scorers = new LinkedHashMap<>();
        files.forEach((file, own) -> scorers.put(file, new ItemScorer(own)));
        for (Recipe recipe : recipes) {
            ProbeFiles.Scored by = new ProbeFiles.Scored(ModelStore.fingerprint(recipe), itemsSha256);
            List<ScoredItem> scored = output.finished(recipe.name(), by, items).orElseGet(() -> {
                store.require(recipe);
                return score(recipe, scorers, engine);
            });
            ProbeResult result = ProbeResult.of(scored, statistics.confidence());
            results.put(recipe.name(), result);
            scorings.put(recipe.name(), by);
            output.write(
                    recipe.name(),
                    () -> ProbeFiles.toBytes(recipe.name(), by, digests, statistics.confidence(), result),
                    () -> ProbeFiles.csv(scored));
        }
        form.format()
                .print(
                        spec.commandLine().getOut(),
                        () -> ProbeFiles.toBytes(scorings, digests, statistics.confidence(), results),
                        tables(results),
                        TidyProbes.of(results, withPublished));
        plots.draw(folder -> ProbePlots.write(results, folder));
        return ExitCode.OK;
    }

    private List<ScoredItem> score(Recipe recipe, Map<Path, ItemScorer> scorers, Engine engine) {
        List<ScoredItem> scored = new ArrayList<>();
        scorers.forEach((file, scorer) -> {
            long start = System.nanoTime();
            List<ScoredItem> own = scorer.score(recipe, engine);
            scored.addAll(own);
            say(String.format(
                    Locale.ROOT,
                    "%s on %s: %d items, %.1f s",
                    recipe.name(),
                    file.getFileName(),
                    own.size(),
                    (System.nanoTime() - start) / 1e9));
        });
        return scored;
    }

    private void check() {
        statistics.check();
        modelOptions.device().check();
        output.check();
        if (data == null && pairs.isEmpty()) {
            throw new UsageException("give --data, a folder of probes, or --pairs, a file");
        }
        if (data == null && !probes.isEmpty()) {
            throw new UsageException("--probe belongs to --data");
        }
    }

    private Map<Path, List<ProbeItem>> read() {
        List<Path> files = new ArrayList<>();
        if (data != null) {
            files.addAll(chosen(ProbeFolder.of(data)));
        }
        files.addAll(pairs);
        Map<Path, List<ProbeItem>> items = new LinkedHashMap<>();
        Map<String, Path> fileOf = new HashMap<>();
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new UsageException("--pairs " + file + ": no such file");
            }
            refuseTwin(String.valueOf(file.getFileName()), "are called", file, fileOf);
            List<ProbeItem> own = ProbeItem.read(file, ProbeFolder.name(file));
            own.stream().map(ProbeItem::probe).distinct().forEach(probe -> refuseTwin(probe, "hold", file, fileOf));
            items.put(file, own);
        }
        return items;
    }

    /** Pairs of one probe in two files would be tested as one sample, and count twice where they are the same. */
    private static void refuseTwin(String name, String have, Path file, Map<String, Path> fileOf) {
        Path earlier = fileOf.put(have + name, file);
        if (earlier != null) {
            throw new UsageException(
                    earlier + " and " + file + " both " + have + " " + name + ": give one, or make one file of them");
        }
    }

    private List<Path> chosen(ProbeFolder folder) {
        List<Path> there = folder.files();
        List<String> names = there.stream().map(ProbeFolder::name).toList();
        for (String probe : probes) {
            if (!names.contains(probe)) {
                throw new UsageException("--probe: " + Names.unknown("probe", probe, names));
            }
        }
        if (!probes.isEmpty()) {
            return there.stream()
                    .filter(file -> probes.contains(ProbeFolder.name(file)))
                    .toList();
        }
        List<Path> filled = ProbeFolder.filled(there);
        there.stream()
                .filter(file -> !filled.contains(file))
                .forEach(file -> say(file.getFileName() + ": holds no pair, left out"));
        return filled;
    }

    private List<Table> tables(Map<String, ProbeResult> results) {
        List<Table> tables = new ArrayList<>();
        if (results.values().stream().anyMatch(result -> !result.tests().isEmpty())) {
            ProbeTables.summary(results).ifPresent(tables::add);
            tables.addAll(ProbeTables.probes(results, statistics.confidence(), withPublished));
        }
        tables.addAll(GridTables.of(results));
        return tables;
    }

    private void say(String line) {
        Terminal.say(spec, line);
    }
}
