package io.posbias.cli.diagnose;

import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.StatisticsOptions;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.ReversalDiagnosis;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Scoring;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.retrieve.Recipe;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class DiagnoseReversalCommand extends Verb {
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
            description =
                    "Segments of each passage at most, of whole sentences, 2 or more (default: ${DEFAULT-VALUE}).")
    private int segments = 5;

    @Option(
            names = "--k",
            paramLabel = "K",
            description = "Passages retrieved for each query at most (default: ${DEFAULT-VALUE}).")
    private int k = 100;

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
    protected void work() {
        Scoring scoring = scoring();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        Engine engine = modelOptions.device().engine(statistics.threads(), session());
        look(new ReversalDiagnosis(dataset(name), segments, k, scoring), recipes, engine, output, form, plots);
    }

    private Scoring scoring() {
        atLeast("--segments", segments, 2);
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
}
