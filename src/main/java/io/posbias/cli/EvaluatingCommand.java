package io.posbias.cli;

import io.posbias.base.json.Json;
import io.posbias.base.process.ExitCode;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.ExcludeSelfOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.JudgementOptions;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlacingOptions;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.SingleEvidenceOption;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.CellEstimate;
import io.posbias.run.CellRunner;
import io.posbias.run.Cells;
import io.posbias.run.ContentFixing;
import io.posbias.run.experiment.ExperimentForecast;
import io.posbias.run.experiment.Forecaster;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.ResultFolder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Evaluates models on benchmarks, or estimates the calls or the time. */
abstract class EvaluatingCommand extends BaseCommand {
    /** Gives front - back a standard error of about a point (docs/statistics.md). */
    private static final int FIXED = 600;

    @Mixin
    private ModelNames models = new ModelNames();

    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Mixin
    private JudgementOptions judgements = new JudgementOptions();

    @Mixin
    private ExcludeSelfOption excludeSelf = new ExcludeSelfOption();

    @Mixin
    private SingleEvidenceOption singleEvidence = new SingleEvidenceOption();

    @Mixin
    private SettingsOptions settingsOptions = new SettingsOptions();

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Heading("Plan:")
    @Least(0)
    @Option(
            names = "--max-calls",
            paramLabel = "N",
            description = "Maximum calls of services, then exit code 1; the same command continues. 0 only prints the "
                    + "number of calls, texts and tokens (default: no limit).")
    private @Nullable Integer maxCalls;

    @Option(
            names = "--dry-run",
            description =
                    "Only print the planned evaluations with estimated cost and time. Installed models are timed on a"
                            + " sample.")
    private boolean dryRun;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    @Least(2)
    @Option(
            names = "--content-fixed",
            paramLabel = "N",
            arity = "0..1",
            fallbackValue = "" + FIXED,
            description =
                    "Number of queries scored also with moved evidence, to separate position from content (default: "
                            + FIXED + ").")
    private @Nullable Integer contentFixed;

    @Mixin
    @BelongsTo("--content-fixed")
    private PlacingOptions placing = new PlacingOptions();

    /** The planned evaluations. */
    record Work(List<Recipe> recipes, List<Datasets.Source> sources, Settings settings) {
        int cells() {
            return recipes.size() * sources.size();
        }
    }

    /** The models to evaluate for the given ones. */
    protected List<Recipe> recipes(List<Recipe> named) {
        return named;
    }

    protected abstract ResultsOptions output();

    /** Returns true if more follows the cells. */
    protected boolean isPart() {
        return false;
    }

    /**
     * Evaluates the cells and prints.
     *
     * @param engine of this process
     */
    protected abstract void evaluate(Work work, Cells cells, Engine engine);

    @Override
    public final Integer call() {
        Settings settings = settingsOptions.settings().checked("--k");
        @Nullable ContentFixing fixing = fixing(settings);
        List<Recipe> recipes = recipes(modelOptions.recipes(models.names(), session()));
        List<Datasets.Source> sources = judgements.sources(datasets.names(), datasets.known(session())).stream()
                .map(excludeSelf::of)
                .map(singleEvidence::of)
                .toList();
        Work work = new Work(recipes, sources, settings);
        Cells.requireDistinctNames("--model", List.of(), "--dataset", work.sources());
        ResultsOptions output = output();
        output.check(work.cells());
        CallLimit calls = maxCalls == null ? CallLimit.none() : new CallLimit(maxCalls);
        Engine engine = modelOptions.device().engine(threads.threads(), calls, session());
        List<Cells.Job> planned =
                Cells.jobs(recipes, sources, new CellRunner(settings, engine, output.overwrite(), fixing));
        if (calls.isEstimate()) {
            List<CellEstimate> estimates = CellEstimate.of(planned, output::folder);
            print(output.text(
                    () -> Json.toBytes(CellEstimate.document(estimates)),
                    () -> List.of(CellEstimate.table(estimates)),
                    () -> CellEstimate.raw(estimates),
                    session()));
            return ExitCode.OK;
        }
        if (dryRun) {
            Forecaster forecaster =
                    new Forecaster((dataset, model) -> new ResultFolder(output.folder(dataset, model)), session());
            List<ExperimentForecast> forecasts = forecaster.of(planned);
            print(output.text(
                    () -> Json.toBytes(ExperimentForecast.document(forecasts)),
                    () -> List.of(ExperimentForecast.table(forecasts, List.of())),
                    () -> ExperimentForecast.raw(forecasts),
                    session()));
            return ExitCode.OK;
        }
        Cells evaluated = spark.on(engine, on -> {
            CellRunner runner = new CellRunner(settings, on, output.overwrite(), fixing);
            Cells cells = new Cells(Cells.jobs(recipes, sources, runner), output::folder, isPart());
            evaluate(work, cells, engine);
            return cells;
        });
        return evaluated.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Null without {@code --content-fixed}. */
    private @Nullable ContentFixing fixing(Settings settings) {
        if (contentFixed == null) {
            return null;
        }
        ContentFixing fixing = RelocatedTexts.fixing(placing.choice(), contentFixed, (int) settings.seed(), session());
        settings.withContentFixed(fixing.name()).checked("--k");
        return fixing;
    }
}
