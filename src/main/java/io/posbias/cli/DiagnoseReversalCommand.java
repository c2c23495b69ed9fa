package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.encode.Engine;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.measure.Reversal;
import io.posbias.measure.Scores;
import io.posbias.report.ReversalTables;
import io.posbias.report.plot.DiagnosePlots;
import io.posbias.retrieve.Recipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose reversal}: does a gap move with the position or stay with the content? */
@Command(
        name = "reversal",
        description = {
            "Put the segments of all passages in reverse order and retrieve again: what a model gives to a position",
            "moves, what it gives to the content stays."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias diagnose reversal --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose reversal --model my.yaml --dataset my-squad --output out",
        })
final class DiagnoseReversalCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            required = true,
            paramLabel = "DATASET",
            description = "A name from 'posbias data list' or a folder; its evidence must have spans.")
    private String name = "";

    @Option(
            names = "--segments",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Segments of each passage at most, of whole sentences, 2 or more (default: ${DEFAULT-VALUE}).")
    private int segments;

    @Option(
            names = "--k",
            paramLabel = "K",
            defaultValue = "100",
            description = "Passages retrieved for each query at most (default: ${DEFAULT-VALUE}).")
    private int k;

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    public Integer call() {
        Scoring scoring = scoring();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        Engine engine = modelOptions.device().engine(statistics.threads(), this::say);
        Dataset whole = DatasetReader.open(new Datasets(spec.commandLine().getErr()).folder(name));
        try (ReversedBenchmark benchmark = new ReversedBenchmark(whole, segments)) {
            ReversalTables.Setup setup = setup(whole, benchmark);
            Map<String, Reversal> results = new LinkedHashMap<>();
            for (Recipe recipe : recipes) {
                new ModelStore(this::say).require(recipe);
                List<Reversal.Pair> pairs = pairs(benchmark, recipe, engine, scoring);
                Reversal reversal = Reversal.of(pairs, statistics.confidence());
                results.put(recipe.name(), reversal);
                output.write(
                        recipe.name(),
                        () -> ReversalTables.toBytes(setup, whole.checksums(), Map.of(recipe.name(), reversal)),
                        () -> ReversalTables.csv(pairs));
            }
            print(setup, whole, results);
            plots.draw(folder -> DiagnosePlots.reversal(whole.name(), results, folder));
        }
        return ExitCode.OK;
    }

    private Scoring scoring() {
        if (segments < 2) {
            throw new UsageException("--segments must be at least 2, not " + segments);
        }
        statistics.check();
        modelOptions.device().check();
        output.check();
        // No profile is made: buckets and draws are not looked at.
        Scoring scoring = new Scoring(
                Measures.parseAll(Measures.DEFAULT),
                null,
                Profiler.THIN_BELOW,
                0,
                0,
                statistics.confidence(),
                statistics.threads());
        scoring.checkDepth(k, "--k");
        return scoring;
    }

    private ReversalTables.Setup setup(Dataset whole, ReversedBenchmark benchmark) {
        if (benchmark.queries() == 0) {
            throw new UsageException("dataset " + whole.name() + " has no query to measure: " + benchmark.withoutSpan()
                    + " without a span in one relevant passage, " + benchmark.crossing()
                    + " with evidence across segments");
        }
        return new ReversalTables.Setup(
                whole.name(),
                segments,
                k,
                benchmark.queries(),
                benchmark.crossing(),
                benchmark.withoutSpan(),
                whole.passages().size(),
                benchmark.unchanged(),
                statistics.confidence());
    }

    private List<Reversal.Pair> pairs(ReversedBenchmark benchmark, Recipe recipe, Engine engine, Scoring scoring) {
        double[] before = scores(benchmark.original(), "original", recipe, engine, scoring);
        double[] after = scores(benchmark.reversed(), "reversed", recipe, engine, scoring);
        return benchmark.pairs(before, after);
    }

    private double[] scores(Dataset dataset, String which, Recipe recipe, Engine engine, Scoring scoring) {
        Stopwatch stopwatch = new Stopwatch();
        Evaluation.Found found = new Evaluation(dataset, scoring, stopwatch).retrieve(recipe, k, engine);
        double[] scores = Scores.of(found.run(), dataset, scoring.measures(), statistics.threads())
                .of(0);
        say(recipe.name() + " on " + dataset.name() + ", " + which + ": " + stopwatch);
        return scores;
    }

    private void print(ReversalTables.Setup setup, Dataset whole, Map<String, Reversal> results) {
        form.format()
                .print(
                        spec.commandLine().getOut(),
                        () -> ReversalTables.toBytes(setup, whole.checksums(), results),
                        List.of(ReversalTables.table(setup, results)),
                        ReversalTables.tidy(results));
    }

    private void say(String line) {
        Terminal.say(spec, line);
    }
}
