package io.posbias.cli;

import io.posbias.Json;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.Query;
import io.posbias.dataset.Sampler;
import io.posbias.encode.Engine;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ScoredItem;
import io.posbias.report.DiagnoseTables;
import io.posbias.report.ProbeFiles;
import io.posbias.report.Table;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the diagnoses share: whose scores, of which documents, and where results go. */
final class DiagnoseOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            required = true,
            paramLabel = "DATASET",
            description = "A name from 'posbias data list' or a folder.")
    private String name = "";

    @Option(names = "--n", paramLabel = "N", description = "Draw this many of the queries that fit (default: all).")
    private @Nullable Integer n;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "" + Sampler.PAPER_SEED,
            description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
    private int seed;

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    /** What was found with each model so far. */
    private final List<Map<String, Object>> documents = new ArrayList<>();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    /** Confidence of intervals. */
    double confidence() {
        return statistics.confidence();
    }

    /** The models, after all options were looked at. */
    List<Recipe> checked() {
        statistics.check();
        if (n != null && n < 1) {
            throw new UsageException("--n must be at least 1, not " + n);
        }
        if (seed < 0) {
            throw new UsageException("--seed must be 0 or more, not " + seed);
        }
        modelOptions.device().check();
        output.check();
        return modelOptions.recipes(models.names());
    }

    /** Opens the benchmark, fetching it first if it is not here. */
    Dataset open() {
        return DatasetReader.open(new Datasets(spec.commandLine().getErr()).folder(name));
    }

    /** The documents of the queries that fit, or those that are drawn of them. */
    List<Documents.Document> documents(Documents documents, List<Query> fit) {
        return documents.read(fit, n, seed);
    }

    /**
     * Scores the items with each model, and writes files if they are asked for.
     *
     * @param result of scored items
     * @param fields of a result, for its file
     * @return by model
     */
    <R> Map<String, R> score(
            List<Recipe> recipes,
            Dataset dataset,
            List<ProbeItem> items,
            Function<List<ScoredItem>, R> result,
            Function<R, Map<String, Object>> fields) {
        ItemScorer scorer =
                new ItemScorer(items, dataset.card().language(), dataset.card().queryLanguage());
        String digest = ItemScorer.digest(
                items, dataset.card().language(), dataset.card().queryLanguage());
        Engine engine = engine();
        Map<String, R> results = new LinkedHashMap<>();
        for (Recipe recipe : recipes) {
            ProbeFiles.Scored by = new ProbeFiles.Scored(ModelStore.fingerprint(recipe), digest);
            List<ScoredItem> scored = output.finished(recipe.name(), by, items)
                    .orElseGet(
                            () -> timed(recipe, dataset, items.size() + " items", () -> scorer.score(recipe, engine)));
            R found = result.apply(scored);
            results.put(recipe.name(), found);
            deliver(recipe, by, dataset, fields.apply(found), () -> ProbeFiles.csv(scored));
        }
        return results;
    }

    /**
     * What is written of a model, made when it is asked for.
     *
     * @param fields of result.json
     * @param scores all of scores.csv
     */
    record Files(Supplier<Map<String, Object>> fields, Supplier<String> scores) {}

    /**
     * Looks at the documents with each model, says how long that took, and writes files if they are asked for.
     *
     * @param work what is done, for that line
     * @param looking does it
     * @param finished takes what was found and gives what is written of it
     */
    <F> void look(
            List<Recipe> recipes,
            Dataset dataset,
            String work,
            BiFunction<Recipe, Engine, F> looking,
            BiFunction<Recipe, F, Files> finished) {
        Engine engine = engine();
        for (Recipe recipe : recipes) {
            F found = timed(recipe, dataset, work, () -> looking.apply(recipe, engine));
            Files files = finished.apply(recipe, found);
            ProbeFiles.Scored by = new ProbeFiles.Scored(ModelStore.fingerprint(recipe), null);
            deliver(recipe, by, dataset, files.fields().get(), files.scores());
        }
    }

    private Engine engine() {
        return modelOptions.device().engine(statistics.threads(), this::say);
    }

    /** Does something with a model, which is fetched first if it is not here, and says how long that took. */
    private <F> F timed(Recipe recipe, Dataset dataset, String what, Supplier<F> work) {
        new ModelStore(this::say).require(recipe);
        long start = System.nanoTime();
        F found = work.get();
        double seconds = (System.nanoTime() - start) / 1e9;
        say(String.format(Locale.ROOT, "%s on %s: %s, %.1f s", recipe.name(), dataset.name(), what, seconds));
        return found;
    }

    /** Keeps what was found for printing, and writes it if that was asked for. */
    private void deliver(
            Recipe recipe, ProbeFiles.Scored by, Dataset dataset, Map<String, Object> fields, Supplier<String> scores) {
        Map<String, Object> document = DiagnoseTables.document(
                recipe.name(), by, dataset.name(), dataset.checksums(), statistics.confidence(), fields);
        documents.add(document);
        output.write(recipe.name(), () -> Json.toBytes(document), scores);
    }

    /** Draws, if that was asked for. */
    void draw(Function<Path, List<Path>> drawing) {
        plots.draw(drawing);
    }

    /**
     * Prints to stdout what was found: tables, or as JSON what the files hold.
     *
     * @param tables for people
     * @param tidy all numbers in one table, for CSV
     */
    void print(List<Table> tables, Table tidy) {
        form.format().print(spec.commandLine().getOut(), () -> Json.toBytes(documents), tables, tidy);
    }

    /** Says a line on stderr. */
    void say(String line) {
        Terminal.say(spec, line);
    }
}
