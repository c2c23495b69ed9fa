package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.measure.Measure;
import io.posbias.report.Result;
import io.posbias.report.Settings;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Run;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias eval}: the main job. */
@Command(
        name = "eval",
        description = "Evaluate models on position-aware benchmarks.",
        sortOptions = false,
        footer = {
            "",
            "Each pair of model and dataset is a cell. Its files are run.trec.gz, queries.csv, buckets.csv and",
            "result.json. A finished cell is not computed again unless --overwrite is given.",
            "",
            "Examples:",
            "  posbias eval --model bm25 --dataset demo",
            "  posbias eval --model bm25,bm25-lucene --dataset demo,my-squad \\",
            "      --measures nDCG@10,R@100",
            "  posbias eval --model my-bm25.yaml --dataset my-squad --buckets relative:10 \\",
            "      --format latex",
        })
final class EvalCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--model",
            required = true,
            split = ",",
            paramLabel = "MODEL",
            description = "Models: names from 'posbias models list' or .yaml recipes, separated by commas.")
    private List<String> models = List.of();

    @Option(
            names = "--dataset",
            required = true,
            split = ",",
            paramLabel = "DATASET",
            description = "Datasets: names from 'posbias data list' or folders, separated by commas.")
    private List<String> datasets = List.of();

    @Option(
            names = "--k",
            paramLabel = "K",
            defaultValue = "100",
            description = "Passages retrieved for each query at most (default: ${DEFAULT-VALUE}).")
    private int k;

    @Mixin
    private ScoringOptions scoring = new ScoringOptions();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = {
                "Folder of the files (default: results/DATASET/MODEL). With several cells, each gets",
                "DIR/DATASET/MODEL."
            })
    private @Nullable Path output;

    @Option(names = "--overwrite", description = "Compute finished cells again.")
    private boolean overwrite;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Override
    public Integer call() {
        scoring.check();
        checkDepth();
        modelOptions.check();
        List<Recipe> recipes = modelOptions.recipes(models);
        refuseTwins("model", recipes.stream().map(Recipe::name).toList());
        Datasets known = new Datasets(spec.commandLine().getErr());
        List<Datasets.Source> sources =
                datasets.stream().flatMap(name -> known.sources(name).stream()).toList();
        refuseTwins("dataset", sources.stream().map(Datasets.Source::name).toList());
        boolean single = recipes.size() * sources.size() == 1;
        List<Result> results = new ArrayList<>();
        int failed = 0;
        for (Datasets.Source source : sources) {
            Optional<LazyDataset> benchmark = attempt(
                    single, source.name(), () -> new LazyDataset(source.folder().get()));
            if (benchmark.isEmpty()) {
                failed++;
                continue;
            }
            for (Recipe recipe : recipes) {
                ResultFolder folder = new ResultFolder(cellFolder(recipe, source, single));
                Optional<Result> result = attempt(
                        single, recipe.name() + " on " + source.name(), () -> cell(recipe, benchmark.get(), folder));
                result.ifPresent(results::add);
                failed += result.isEmpty() ? 1 : 0;
            }
        }
        printing.print(results, spec.commandLine().getOut());
        return failed == 0 ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Cells of one name would overwrite each other. */
    private static void refuseTwins(String kind, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new UsageException("--" + kind + " names two " + kind + "s called " + name);
            }
        }
    }

    /** Does a part of the work; unless it is all there is, its failure is told and the others go on. */
    private <T> Optional<T> attempt(boolean single, String what, Supplier<T> work) {
        try {
            return Optional.of(work.get());
        } catch (PosbiasException failure) {
            if (single) {
                throw failure;
            }
            say("posbias: " + what + ": " + failure.line());
            return Optional.empty();
        }
    }

    private void checkDepth() {
        if (k < 1) {
            throw new UsageException("--k must be at least 1, not " + k);
        }
        for (Measure measure : scoring.measures()) {
            if (measure.cutoff() != Measure.NO_CUTOFF && measure.cutoff() > k) {
                throw new UsageException(measure + " looks at " + measure.cutoff() + " passages, but --k is " + k);
            }
        }
    }

    private Path cellFolder(Recipe recipe, Datasets.Source source, boolean single) {
        if (output != null && single) {
            return output;
        }
        return (output == null ? Path.of("results") : output)
                .resolve(source.name())
                .resolve(recipe.name());
    }

    private Result cell(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        Settings settings = scoring.settings(k, scoring.bucketing(lazy.card()));
        if (!overwrite) {
            Optional<Result> finished =
                    folder.finished(Evaluation.Model.of(recipe), lazy.card().name(), lazy.checksums(), settings);
            if (finished.isPresent()) {
                say(folder.finishedBefore(finished.get()));
                return finished.get();
            }
        }
        Engine engine = modelOptions.engine(scoring.threads(), this::say);
        new ModelStore(this::say).require(recipe);
        Dataset dataset = lazy.open();
        Stopwatch stopwatch = lazy.stopwatch();
        Evaluation evaluation = new Evaluation(dataset, scoring, stopwatch);
        Evaluation.Found found = evaluation.retrieve(recipe, k, engine);
        Run run = found.run();
        Evaluation.Outcome outcome = evaluation.measure(Evaluation.Model.of(recipe), found, k);
        stopwatch.time("write", () -> {
            folder.write(outcome.result(), run, outcome.scores(), outcome.placement(), scoring.threads());
            return folder;
        });
        say(recipe.name() + " on " + dataset.name() + ": " + stopwatch + "; files in " + folder.path());
        return outcome.result();
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
