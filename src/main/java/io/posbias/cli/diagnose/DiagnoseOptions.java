package io.posbias.cli.diagnose;

import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.ClusterOption;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.StatisticsOptions;
import io.posbias.diagnose.Documents;
import io.posbias.evaluate.Diagnosis;
import io.posbias.measure.Clustering;
import io.posbias.retrieve.Recipe;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;

/** What the diagnoses share: whose scores, of which documents, and where results go. */
final class DiagnoseOptions {
    @Mixin
    private ModelNames models = new ModelNames();

    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Mixin
    private SampleOptions sample = new SampleOptions();

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    double confidence() {
        return statistics.confidence();
    }

    Clustering.By cluster() {
        return cluster.by();
    }

    int threads() {
        return statistics.threads();
    }

    /** The models, after all options were looked at. */
    List<Recipe> checked() {
        return modelOptions.recipes(models.names());
    }

    /** The documents of the benchmarks, which are fetched first if they are not here. */
    Documents documents(BaseCommand command) {
        return new Documents(datasets.open(command).pooled(), sample.n(), sample.seed(), cluster.by());
    }

    /** The documents of each benchmark by itself, under the name of all together. */
    Map.Entry<String, List<Documents>> apart(BaseCommand command) {
        DatasetNames.Opened opened = datasets.open(command);
        return Map.entry(
                opened.name(),
                opened.all().stream()
                        .map(dataset -> new Documents(dataset, sample.n(), sample.seed(), cluster.by()))
                        .toList());
    }

    /** Looks at models for a command. */
    <F> Map<String, F> look(BaseCommand command, Diagnosis<?, F> diagnosis, List<Recipe> recipes) {
        return command.look(
                diagnosis,
                recipes,
                modelOptions.device().engine(statistics.threads(), command.session()),
                output,
                plots);
    }

    /** Places of some of all, evenly spaced: examples to show. */
    static List<Integer> evenly(int some, int all) {
        return IntStream.range(0, Math.min(some, all))
                .map(i -> (int) ((long) i * all / Math.min(some, all)))
                .boxed()
                .toList();
    }
}
