package io.posbias.cli.diagnose;

import io.posbias.base.json.Json;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.DiagnosisRunner;
import io.posbias.study.diagnose.EvidenceEstimator;
import io.posbias.study.diagnose.EvidenceResult;
import io.posbias.study.diagnose.EvidenceResult.EvidenceDistribution;
import io.posbias.study.diagnose.EvidenceResult.EvidenceEstimate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "evidence",
        description = "Show the distribution of evidence positions, and test it.",
        sortOptions = false,
        footer = {
            "",
            "Only judged queries count. For a benchmark without evidence spans, --model estimates them: the sentence with the highest score. Datasets are pooled; all must be in one language.",
            "",
            "Examples:",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose evidence --dataset my-squad --bins 20 --plots pictures",
            "  posbias diagnose evidence --dataset my-beir --model all-minilm-l6-v2 \\",
            "      --n 1000",
        })
final class DiagnoseEvidenceCommand extends BaseCommand {
    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "Model that estimates the evidence as the best sentence of the relevant passage: a name from "
                    + "'posbias models list' or a .yaml recipe (default: the spans).")
    private @Nullable String model;

    @Least(EvidenceDistribution.LEAST)
    @BelongsTo("--model")
    @Option(names = "--n", paramLabel = "N", description = "Number of sampled queries, with --model (default: all).")
    private @Nullable Integer n;

    @Heading("Statistics:")
    @Least(0)
    @BelongsTo("--model")
    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
    private int seed = Sampler.PAPER_SEED;

    @Least(2)
    @Option(
            names = "--bins",
            paramLabel = "N",
            description = "Number of equal bins of relative position, 2 or more (default: ${DEFAULT-VALUE}).")
    private int bins = 10;

    @Mixin
    private SettingsOptions settings = new SettingsOptions("confidence");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    @BelongsTo("--model")
    private ModelOptions modelOptions = new ModelOptions();

    @Override
    protected void work() {
        List<Recipe> recipes = model == null ? List.of() : modelOptions.recipes(List.of(model), session());
        Dataset dataset = datasets.open(this).pooled();
        if (recipes.isEmpty()) {
            count(dataset);
        } else {
            estimate(dataset, recipes.getFirst());
        }
    }

    private void count(Dataset dataset) {
        List<Query> queries = dataset.judgedQueries();
        int placed = EvidenceDistribution.placed(queries).size();
        refuse(
                placed < EvidenceDistribution.LEAST,
                "dataset " + dataset.name() + " has evidence spans (pos_char_span) for only " + placed
                        + " judged queries; " + EvidenceDistribution.LEAST
                        + " are needed, or --model to estimate them");
        print(dataset, queries, null);
    }

    private void estimate(Dataset dataset, Recipe recipe) {
        new ModelStore(session()).require(recipe);
        Engine engine = modelOptions.device().engine(threads.threads(), session());
        EvidenceEstimator estimator = new EvidenceEstimator(dataset, n, seed);
        EvidenceEstimator.EvidenceGuess guess = DiagnosisRunner.timed(
                recipe,
                engine,
                own -> dataset.name() + ": " + Plural.of(estimator.queries(), "query") + ", "
                        + Plural.of(estimator.sentences(), "sentence"),
                () -> estimator.guess(recipe, engine, bins, settings.settings().confidence()));
        int placed = EvidenceDistribution.placed(guess.queries()).size();
        if (placed < EvidenceDistribution.LEAST) {
            throw new PosbiasException(
                    dataset.name() + ": " + recipe.name() + " finds a single best sentence for " + placed
                            + " of " + Plural.of(estimator.queries(), "query") + " with a relevant passage: at least "
                            + EvidenceDistribution.LEAST + " are needed");
        }
        print(dataset, guess.queries(), guess.estimate());
    }

    private void print(Dataset dataset, List<Query> queries, @Nullable EvidenceEstimate estimate) {
        EvidenceResult result = EvidenceResult.of(
                dataset, queries, bins, estimate, settings.settings().confidence());
        print(form.text(() -> Json.toBytes(result), () -> List.of(result.table(form.isTable())), session()));
        plots.draw(session(), () -> Pictures.named(List.of(result.figure(), result.starts(queries))));
    }
}
