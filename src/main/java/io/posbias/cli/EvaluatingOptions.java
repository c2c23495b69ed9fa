package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.ExcludeSelfOption;
import io.posbias.cli.common.JudgementOptions;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlacingOptions;
import io.posbias.cli.common.RelevantOption;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.SingleEvidenceOption;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.CellRunner;
import io.posbias.run.Cells;
import io.posbias.run.ContentFixing;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.score.measure.Depth;
import io.posbias.score.measure.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is evaluated, how, and where: models on benchmarks by settings, on this machine or on Spark. */
final class EvaluatingOptions {
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
    private RelevantOption relevant = new RelevantOption();

    @Mixin
    private SettingsOptions settingsOptions = new SettingsOptions();

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private PlanOptions plan = new PlanOptions();

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

    /**
     * Models on benchmarks, to be evaluated or planned.
     *
     * @param fixing null without {@code --content-fixed}
     * @param engine of this process
     */
    record Work(
            List<Recipe> recipes,
            List<Datasets.Source> sources,
            Settings settings,
            @Nullable ContentFixing fixing,
            Engine engine,
            ResultsOptions output) {
        /** @param on the engine of this process or of Spark */
        List<Cells.Job> jobs(Engine on) {
            return Cells.jobs(recipes, sources, new CellRunner(settings, on, output.overwrite(), fixing));
        }
    }

    /** Returns the settings; the depth of rankings is checked. */
    Settings settings() {
        return Depth.checked(settingsOptions.settings(), "--k");
    }

    List<Recipe> models(Session session) {
        return modelOptions.recipes(models.names(), session);
    }

    /** Returns the work on models, those that are named or others around them. */
    Work work(List<Recipe> recipes, Settings settings, ResultsOptions output, Session session) {
        @Nullable ContentFixing fixing = fixing(settings, session);
        List<Datasets.Source> sources = datasets.sources(judgements, session).stream()
                .map(excludeSelf::of)
                .map(singleEvidence::of)
                .map(relevant::of)
                .toList();
        FileNames.requireDistinct("--dataset", "dataset", sources.stream().map(Datasets.Source::name));
        output.check(recipes.size() * sources.size());
        Engine engine = modelOptions.device().engine(threads.threads(), plan.calls(), session);
        return new Work(recipes, sources, settings, fixing, engine, output);
    }

    /** Returns what named the models, by their names. */
    Map<String, String> givenModels(Work work) {
        return models.given(work.recipes());
    }

    /** Returns what named the benchmarks of the work, by their names. */
    Map<String, String> givenDatasets() {
        return datasets.given();
    }

    /** Returns what is printed in place of an evaluation; empty to evaluate. */
    Optional<String> plan(Work work, Session session) {
        return plan.text(() -> work.jobs(work.engine()), work.output(), session);
    }

    SparkOptions spark() {
        return spark;
    }

    /** Null without {@code --content-fixed}. */
    private @Nullable ContentFixing fixing(Settings settings, Session session) {
        if (contentFixed == null) {
            return null;
        }
        ContentFixing fixing = RelocatedTexts.fixing(placing.choice(), contentFixed, (int) settings.seed(), session);
        Depth.checked(settings.withContentFixed(fixing.name()), "--k");
        return fixing;
    }
}
