package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.cli.common.CallsOption;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlanOptions;
import io.posbias.cli.common.ScoringOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.SplitOption;
import io.posbias.cli.common.Verb;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.ContentFixing;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.Scoring;
import io.posbias.experiment.Cells;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Evaluates models on benchmarks, or prints the calls or the time that this would take. */
abstract class EvaluatingCommand extends Verb {
    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            required = true,
            split = ",",
            paramLabel = "DATASET,..",
            hideParamSyntax = true,
            description =
                    "Datasets: names or patterns from 'posbias data list --all', or folders, separated by commas.")
    private List<String> datasets = List.of();

    @Mixin
    private SplitOption split = new SplitOption();

    @Heading("Measures:")
    @Option(
            names = "--k",
            paramLabel = "K",
            description = "Maximum number of passages retrieved per query (default: ${DEFAULT-VALUE}).")
    private int k = 100;

    @Mixin
    private ScoringOptions scoringOptions = new ScoringOptions();

    @Mixin
    private CallsOption callsOption = new CallsOption();

    @Mixin
    private PlanOptions planning = new PlanOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    /**
     * Everything to evaluate.
     *
     * @param k the depth of rankings
     */
    record Work(List<Recipe> recipes, List<Datasets.Source> sources, Scoring scoring, int k) {
        int cells() {
            return recipes.size() * sources.size();
        }
    }

    /** The models to evaluate for those that were named. */
    protected abstract List<Recipe> recipes(List<Recipe> named);

    /** Refuses work that the command cannot do. */
    protected abstract void check(Work work);

    /** How content is held fixed; null where it is not. */
    protected @Nullable ContentFixing fixing(Scoring scoring, int depth) {
        return null;
    }

    protected abstract Path folder(String dataset, String model);

    protected abstract boolean overwrite();

    protected abstract FormatOption form();

    /** Evaluates the cells and prints their results. */
    protected abstract CellRunner.CellOutcome evaluate(Work work, Engine engine, Function<Engine, CellRunner> runner);

    /** Runs work on the engine that the user chose. */
    protected final <T> T on(Engine here, Function<Engine, T> work) {
        return spark.on(here, work);
    }

    @Override
    public final Integer call() {
        Scoring scoring = scoringOptions.scoring();
        scoring.checkDepth(k, "--k");
        @Nullable ContentFixing fixing = fixing(scoring, k);
        List<Recipe> recipes = recipes(modelOptions.recipes(models.names()));
        Work work = new Work(recipes, split.sources(datasets, session()), scoring, k);
        check(work);
        CallLimit calls = callsOption.limit();
        Engine engine = modelOptions.device().engine(scoring.threads(), calls, session());
        Function<Engine, CellRunner> runner = on -> new CellRunner(scoring, k, on, overwrite(), fixing);
        if (calls.isEstimate()) {
            print(form().estimate(runner.apply(engine).estimate(recipes, work.sources(), this::folder), session()));
            return ExitCode.OK;
        }
        if (planning.isDryRun()) {
            print(form().forecast(
                            PlanOptions.forecast(
                                    Cells.of(recipes, work.sources(), runner.apply(engine))
                                            .list(),
                                    (dataset, model) -> new ResultFolder(folder(dataset, model)),
                                    session()),
                            List.of(),
                            session()));
            return ExitCode.OK;
        }
        return evaluate(work, engine, runner).failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }
}
