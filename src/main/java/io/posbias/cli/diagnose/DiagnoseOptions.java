package io.posbias.cli.diagnose;

import io.posbias.base.process.Session;
import io.posbias.base.table.Detail;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.StudyCommand;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.run.placing.Documents;
import io.posbias.score.measure.Settings;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class DiagnoseOptions {
    @Mixin
    private ModelNames models = new ModelNames();

    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Mixin
    private SampleOptions sample = new SampleOptions();

    @Mixin
    private SettingsOptions settings = new SettingsOptions("confidence", "cluster");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    Settings settings() {
        return settings.settings();
    }

    int threads() {
        return threads.threads();
    }

    Detail detail() {
        return output.detail();
    }

    List<Recipe> checked(Session session) {
        return modelOptions.recipes(models.names(), session);
    }

    /** The documents of all benchmarks, pooled; downloads them if needed. */
    Documents documents(BaseCommand command) {
        return documents(datasets.open(command).pooled());
    }

    private Documents documents(Dataset dataset) {
        return Documents.of(
                dataset, sample.n(), sample.seed(), settings.settings().cluster());
    }

    /** The documents of each benchmark, with the name of all. */
    Map.Entry<String, List<Documents>> apart(BaseCommand command) {
        DatasetNames.Opened opened = datasets.open(command);
        return Map.entry(
                opened.name(), opened.all().stream().map(this::documents).toList());
    }

    <F> Map<String, F> runDiagnosis(StudyCommand command, Diagnosis<?, F> diagnosis, List<Recipe> recipes) {
        return command.runDiagnosis(diagnosis, recipes, engine(command.session()), output, plots);
    }

    Engine engine(Session session) {
        return modelOptions.device().engine(threads.threads(), session);
    }

    /** Evenly spaced indices of examples. */
    static List<Integer> evenly(int some, int all) {
        return IntStream.range(0, Math.min(some, all))
                .map(i -> (int) ((long) i * all / Math.min(some, all)))
                .boxed()
                .toList();
    }

    static final class SampleOptions {
        @Least(1)
        @BelongsTo("--dataset")
        @Option(names = "--n", paramLabel = "N", description = "Number of sampled queries (default: all).")
        private @Nullable Integer n;

        @Heading("Statistics:")
        @Least(0)
        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
        private int seed = Sampler.PAPER_SEED;

        @Nullable
        Integer n() {
            return n;
        }

        int seed() {
            return seed;
        }
    }
}
