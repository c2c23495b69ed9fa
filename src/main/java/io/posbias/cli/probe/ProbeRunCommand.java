package io.posbias.cli.probe;

import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.ProbeOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.StudyCommand;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.score.result.Study;
import io.posbias.study.probe.ProbeRun;
import io.posbias.study.probe.ProbeTables;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        description = "Score the pairs of probes with models, and test the differences.",
        footer = {
            "",
            "Pairs of one document, which the tag title names, count as one; the papers count each by itself "
                    + "(--cluster none).",
            "A pair file of your own has a line of JSON for each pair: id, query, text1, text2.",
            "",
            "Examples:",
            "  posbias probe run --model bm25,all-minilm-l6-v2 --data probes \\",
            "      --with-published",
            "  posbias probe run --model my.yaml --data probes --probe position,brevity",
            "  posbias probe run --model bm25 --pairs mine.jsonl --format markdown",
        })
final class ProbeRunCommand extends StudyCommand implements Study.Command {
    @Mixin
    private ModelNames models = new ModelNames();

    @Mixin
    private ProbeOptions probes = new ProbeOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Option(names = "--with-published", description = "Add published results on the authors' 250 pairs.")
    private boolean withPublished;

    @Mixin
    private SettingsOptions settings = new SettingsOptions("confidence", "cluster");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    @Override
    public Study study() {
        return ProbeRun.study();
    }

    @Override
    protected void work() {
        refuse(!probes.areGiven(), "give --data, a folder of probes, or --pairs, a file");
        List<Recipe> recipes = modelOptions.recipes(models.names(), session());
        ProbeRun probed = new ProbeRun(
                probes.read(this, settings.settings().unit()),
                new ProbeTables.Content(settings.settings().confidence(), withPublished, output.detail()));
        Engine engine = modelOptions.device().engine(threads.threads(), session());
        spark.on(engine, on -> runDiagnosis(probed, recipes, on, output, plots));
    }
}
