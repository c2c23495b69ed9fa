package io.posbias.cli;

import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.Query;
import io.posbias.dataset.Sampler;
import io.posbias.encode.Engine;
import io.posbias.measure.EvidencePlaces;
import io.posbias.report.EvidenceEstimate;
import io.posbias.report.EvidenceTables;
import io.posbias.report.plot.DiagnosePlots;
import io.posbias.retrieve.Recipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose evidence}: where the evidence of a benchmark lies. */
@Command(
        name = "evidence",
        description = {
            "Show where in its passages the evidence of a benchmark lies, by its judged",
            "queries, and test whether it is spread evenly. Where a benchmark does not say",
            "where evidence lies, --model estimates it: the sentence that scores highest."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose evidence --dataset my-squad --bins 20 --plots pictures",
            "  posbias diagnose evidence --dataset my-beir --model all-minilm-l6-v2 \\",
            "      --n 1000",
        })
final class DiagnoseEvidenceCommand implements Runnable {
    /** Options that belong to {@code --model}. */
    private static final List<String> OF_MODELS = List.of(
            "--n",
            "--seed",
            "--threads",
            "--device",
            "--batch-tokens",
            "--no-cache",
            "--precision",
            "--first-stage",
            "--depth");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--dataset",
            required = true,
            paramLabel = "DATASET",
            description = "A name from 'posbias data list' or a folder.")
    private String name = "";

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "Take for the evidence the sentence of the relevant passage that this model scores highest:"
                    + " a name from 'posbias models list' or a .yaml recipe (default: the spans).")
    private @Nullable String model;

    @Option(
            names = "--n",
            paramLabel = "N",
            description = "With --model: draw this many of the queries (default: all).")
    private @Nullable Integer n;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "" + Sampler.PAPER_SEED,
            description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
    private int seed;

    @Option(
            names = "--bins",
            paramLabel = "N",
            defaultValue = "10",
            description = "Equal bins of relative position, 2 or more (default: ${DEFAULT-VALUE}).")
    private int bins;

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Override
    public void run() {
        check();
        List<Recipe> recipes = model == null ? List.of() : modelOptions.recipes(List.of(model));
        Dataset dataset = DatasetReader.open(new Datasets(spec.commandLine().getErr()).folder(name));
        if (recipes.isEmpty()) {
            count(dataset);
        } else {
            estimate(dataset, recipes.getFirst());
        }
    }

    private void check() {
        if (bins < 2) {
            throw new UsageException("--bins must be at least 2, not " + bins);
        }
        statistics.check();
        modelOptions.device().check();
        if (n != null && n < EvidencePlaces.LEAST) {
            throw new UsageException("--n must be at least " + EvidencePlaces.LEAST + ", not " + n);
        }
        if (seed < 0) {
            throw new UsageException("--seed must be 0 or more, not " + seed);
        }
        ParseResult given = spec.commandLine().getParseResult();
        OF_MODELS.stream()
                .filter(option -> model == null && given.hasMatchedOption(option))
                .findFirst()
                .ifPresent(option -> {
                    throw new UsageException(option + " has no meaning without --model");
                });
    }

    private void count(Dataset dataset) {
        List<Query> queries = dataset.judgedQueries();
        int placed = EvidencePlaces.placed(queries).size();
        if (placed < EvidencePlaces.LEAST) {
            throw new UsageException("dataset " + dataset.name() + " says of " + placed + " judged queries where their"
                    + " evidence lies: at least " + EvidencePlaces.LEAST
                    + " with pos_char_span are needed; or give --model, whose best sentence is then taken for it");
        }
        EvidencePlaces places = EvidencePlaces.of(queries, bins, statistics.confidence());
        print(dataset, places, null);
        draw("where evidence lies: " + dataset.name(), Map.of("", places));
    }

    private void estimate(Dataset dataset, Recipe recipe) {
        new ModelStore(this::say).require(recipe);
        Engine engine = modelOptions.device().engine(statistics.threads(), this::say);
        EvidenceEstimator estimator = new EvidenceEstimator(dataset, n, seed);
        long start = System.nanoTime();
        EvidenceEstimator.Guess guess = estimator.guess(recipe, engine, bins, statistics.confidence());
        say(String.format(
                Locale.ROOT,
                "%s on %s: %d queries, %d sentences, %.1f s",
                recipe.name(),
                dataset.name(),
                estimator.queries(),
                estimator.sentences(),
                (System.nanoTime() - start) / 1e9));
        int placed = EvidencePlaces.placed(guess.queries()).size();
        if (placed < EvidencePlaces.LEAST) {
            throw new PosbiasException(dataset.name() + ": " + recipe.name() + " tells sentences apart for " + placed
                    + " of " + estimator.queries() + " queries with a relevant passage: at least "
                    + EvidencePlaces.LEAST + " are needed");
        }
        EvidencePlaces places = EvidencePlaces.of(guess.queries(), bins, statistics.confidence());
        print(dataset, places, guess.estimate());
        Map<String, EvidencePlaces> panels = new LinkedHashMap<>();
        panels.put("estimated by " + recipe.name(), places);
        EvidenceEstimate.Agreement agreement = guess.estimate().agreement();
        if (agreement != null) {
            panels.put("by spans", agreement.spans());
        }
        draw("where evidence lies, as estimated: " + dataset.name(), panels);
    }

    private void print(Dataset dataset, EvidencePlaces places, @Nullable EvidenceEstimate estimate) {
        boolean bars = form.format() == PrintOptions.Format.TABLE;
        double confidence = statistics.confidence();
        form.format()
                .print(
                        spec.commandLine().getOut(),
                        () -> EvidenceTables.toBytes(dataset.name(), dataset.checksums(), places, estimate, confidence),
                        () -> EvidenceTables.table(dataset.name(), places, estimate, confidence, bars));
    }

    private void draw(String title, Map<String, EvidencePlaces> panels) {
        plots.draw(folder -> DiagnosePlots.evidence(title, panels, folder));
    }

    private void say(String line) {
        Terminal.say(spec, line);
    }
}
