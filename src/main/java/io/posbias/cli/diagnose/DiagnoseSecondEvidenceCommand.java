package io.posbias.cli.diagnose;

import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.Session;
import io.posbias.base.text.Plural;
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
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.DiagnosisRunner;
import io.posbias.run.placing.Documents;
import io.posbias.score.measure.Settings;
import io.posbias.study.diagnose.SecondEvidenceResult;
import io.posbias.study.diagnose.SecondEvidenceResult.LookedAt;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "second-evidence",
        description = "Count queries that another sentence answers, too, by position.",
        sortOptions = false,
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
final class DiagnoseSecondEvidenceCommand extends BaseCommand {
    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description =
                    "Model that scores each sentence for the query, for example a reranker: a name from 'posbias models"
                            + " list' or a .yaml recipe (default: the text of the evidence stands in another sentence).")
    private @Nullable String model;

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
    protected void work() {
        refuse(!(margin >= 0) || Double.isInfinite(margin), "--margin must be 0 or more, not " + margin);
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
        List<Query> evident = all.evident();
        refuse(
                evident.isEmpty(),
                "dataset " + dataset.name() + " has no query with an evidence span (pos_char_span) in one relevant"
                        + " passage");
        Settings own = settings.settings().on(dataset);
        Bucketing bucketing = own.bucketing();
        List<Documents.Document> documents = all.read(evident);
        if (recipes.isEmpty()) {
            print(dataset, SecondEvidenceResult.byText(documents), null, bucketing);
            return;
        }
        Recipe recipe = recipes.getFirst();
        new ModelStore(session()).require(recipe);
        Engine engine = modelOptions.device().engine(threads.threads(), session());
        Session.Timed<List<LookedAt>> timed =
                session().time(() -> SecondEvidenceResult.byModel(documents, dataset, margin, recipe, engine));
        String work = dataset.name() + ": " + Plural.of(documents.size(), "query");
        say(DiagnosisRunner.took(recipe, work, timed));
        print(dataset, timed.result(), SecondEvidenceResult.by(recipe, engine, margin), bucketing);
    }

    private void print(
            Dataset dataset, List<LookedAt> queries, SecondEvidenceResult.@Nullable ByModel by, Bucketing bucketing) {
        if (out != null) {
            Staging.writeFile(out, SecondEvidenceResult.lines(queries));
        }
        double confidence = settings.settings().confidence();
        SecondEvidenceResult result = SecondEvidenceResult.of(dataset, queries, by, bucketing, confidence);
        print(form.text(() -> Json.toBytes(result), () -> List.of(result.table()), result::raw, session()));
    }
}
