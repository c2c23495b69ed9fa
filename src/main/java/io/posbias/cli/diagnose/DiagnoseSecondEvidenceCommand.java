package io.posbias.cli.diagnose;

import io.posbias.base.files.Staging;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.placing.Documents;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.SecondEvidenceResult;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "second-evidence",
        description = "Count queries that another sentence answers, too, by position.",
        footer = {
            "",
            "Such a query does not show how well a model finds answers at the place of its evidence. 'eval --single-evidence' leaves it out.",
            "",
            "Only queries with an evidence span in one relevant passage count. Datasets are pooled; all must be in one language.",
            "",
            "Examples:",
            "  posbias diagnose second-evidence --dataset demo",
            "  posbias diagnose second-evidence --dataset my-squad --out second.jsonl",
            "  posbias diagnose second-evidence --dataset my-squad \\",
            "      --model all-minilm-l6-v2",
        })
final class DiagnoseSecondEvidenceCommand extends BaseCommand implements Study.Command {
    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description =
                    "Model that scores each sentence for the query, for example a reranker: a name from 'posbias models"
                            + " list' or a .yaml recipe (default: the text of the evidence stands in another sentence).")
    private @Nullable String model;

    @Least(0)
    @BelongsTo("--model")
    @Option(
            names = "--margin",
            paramLabel = "D",
            description = "Largest difference to the best sentence of the evidence, in the model's scores (default:"
                    + " ${DEFAULT-VALUE}).")
    private double margin;

    @Least(1)
    @Option(names = "--n", paramLabel = "N", description = "Number of sampled queries (default: all).")
    private @Nullable Integer n;

    @Heading("Statistics:")
    @Least(0)
    @BelongsTo("--n")
    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
    private int seed = Sampler.PAPER_SEED;

    @Mixin
    private SettingsOptions settings = new SettingsOptions("buckets", "confidence");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "JSON lines with the other spans of each query, for 'eval --single-evidence FILE' and 'report"
                    + " --values FILE'.")
    private @Nullable Path out;

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    @BelongsTo("--model")
    private ModelOptions modelOptions = new ModelOptions();

    @Override
    public Study study() {
        return SecondEvidenceResult.study();
    }

    @Override
    protected void work() {
        if (out != null) {
            Staging.checkFile(out);
        }
        List<Recipe> recipes = model == null ? List.of() : modelOptions.recipes(List.of(model), session());
        Dataset dataset = datasets.open(this).pooled();
        refuse(
                out != null && !dataset.parts().isEmpty(),
                "--out lists the queries of one dataset, but there are "
                        + dataset.parts().size());
        Documents all = new Documents(dataset, n, seed);
        refuse(
                all.evident().isEmpty(),
                "dataset " + dataset.name() + " has no query with an evidence span (pos_char_span) in one relevant"
                        + " passage");
        Settings statistics = settings.settings().on(dataset);
        SecondEvidenceResult result = recipes.isEmpty()
                ? SecondEvidenceResult.byText(all, statistics)
                : byModel(all, recipes.getFirst(), statistics);
        if (out != null) {
            Staging.writeFile(out, result.lines());
        }
        print(form.text(() -> result, () -> List.of(result.table()), result::raw, session()));
    }

    private SecondEvidenceResult byModel(Documents all, Recipe recipe, Settings statistics) {
        new ModelStore(session()).require(recipe);
        Engine engine = modelOptions.device().engine(threads.threads(), session());
        return SecondEvidenceResult.byModel(all, margin, recipe, engine, statistics);
    }
}
