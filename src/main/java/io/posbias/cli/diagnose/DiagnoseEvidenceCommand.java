package io.posbias.cli.diagnose;

import io.posbias.base.files.FileNames;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.LanguageOption;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.Query;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.TrainingSet;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.DiagnosisRunner;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.StoredCell;
import io.posbias.study.diagnose.EvidenceEstimator;
import io.posbias.study.diagnose.EvidenceResult;
import io.posbias.study.diagnose.EvidenceResult.EvidenceDistribution;
import io.posbias.study.diagnose.EvidenceResult.EvidenceEstimate;
import io.posbias.study.diagnose.Taught;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "evidence",
        description = "Show the distribution of evidence positions, and test it.",
        footer = {
            "",
            "Only judged queries count. Where evidence spans are missing, --model estimates them: the sentence with the highest score. Datasets are pooled; all must be in one language.",
            "",
            "Examples:",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose evidence --dataset my-squad --bins 20 --plots pictures",
            "  posbias diagnose evidence --dataset my-beir --model all-minilm-l6-v2 \\",
            "      --n 1000",
            "  posbias diagnose evidence sets/tevatron/M_B --model bm25 --trained results",
        })
final class DiagnoseEvidenceCommand extends BaseCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Training files: rows of sentence-transformers, FlagEmbedding or Tevatron, triples, a set of"
                    + " 'posbias construct'.")
    private List<String> files = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Datasets, as in 'posbias eval'.")
    private List<String> datasets = List.of();

    @Mixin
    private LanguageOption language = new LanguageOption();

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

    @Heading("Tuning:")
    @Option(
            names = "--at",
            paramLabel = "PLACE",
            description =
                    "What has the position: ${COMPLETION-CANDIDATES} of the evidence (default: ${DEFAULT-VALUE}).")
    private EvidenceResult.At at = EvidenceResult.At.MIDDLE;

    @Heading("Tuning:")
    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N,..",
            description = "Upper edges of length bands in characters (default: quartiles).")
    private List<Integer> lengths = List.of();

    @Option(
            names = "--trained",
            paramLabel = "PATH",
            description = "Results of models trained on FILE: what they should show, and do. Repeatable.")
    private List<Path> trained = List.of();

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
        refuse(files.isEmpty() == datasets.isEmpty(), "give FILE or --dataset");
        refuse(!trained.isEmpty() && files.size() != 1, "--trained is of the models of one FILE");
        int before = 0;
        for (int edge : lengths) {
            refuse(edge <= before, "--lengths must ascend, from 1 on, not " + lengths);
            before = edge;
        }
        List<Recipe> recipes = model == null ? List.of() : modelOptions.recipes(List.of(model), session());
        Taught.Models models = trained.isEmpty() ? null : trained();
        Dataset dataset = opened().pooled();
        if (recipes.isEmpty()) {
            count(dataset, models);
        } else {
            estimate(dataset, recipes.getFirst(), models);
        }
    }

    private Taught.Models trained() {
        List<Result> results = ResultFiles.read(trained, List.of()).stream()
                .map(StoredCell::result)
                .toList();
        return new Taught.Models(results, TrainingSet.digest(FileNames.path(files.getFirst())));
    }

    private DatasetNames.Opened opened() {
        Datasets known = language.datasets(session());
        return files.isEmpty()
                ? DatasetNames.open(this, datasets, known)
                : DatasetNames.opened(
                        this,
                        String.join(",", files),
                        known.sources(files).stream()
                                .map(source -> source.of(DatasetFiles.trainingSplit(
                                        source.folder().get())))
                                .toList());
    }

    private EvidenceResult.Counting counting() {
        return new EvidenceResult.Counting(
                at, bins, lengths, settings.settings().confidence());
    }

    private void count(Dataset dataset, Taught.@Nullable Models models) {
        List<Query> queries = dataset.judgedQueries();
        int placed = EvidenceDistribution.placed(queries).size();
        refuse(
                placed < EvidenceDistribution.LEAST,
                "dataset " + dataset.name() + " has evidence spans (pos_char_span) for only " + placed
                        + " judged queries; " + EvidenceDistribution.LEAST
                        + " are needed, or --model to estimate them, for example --model bm25");
        print(dataset, queries, null, models);
    }

    private void estimate(Dataset dataset, Recipe recipe, Taught.@Nullable Models models) {
        new ModelStore(session()).require(recipe);
        Engine engine = modelOptions.device().engine(threads.threads(), session());
        EvidenceEstimator estimator = new EvidenceEstimator(dataset, n, seed);
        EvidenceEstimator.EvidenceGuess guess = DiagnosisRunner.timed(
                recipe,
                engine,
                own -> dataset.name() + ": " + Plural.of(estimator.queries(), "query") + ", "
                        + Plural.of(estimator.sentences(), "sentence"),
                () -> estimator.guess(recipe, engine, counting()));
        int placed = EvidenceDistribution.placed(guess.queries()).size();
        if (placed < EvidenceDistribution.LEAST) {
            throw new PosbiasException(
                    dataset.name() + ": " + recipe.name() + " finds a single best sentence for " + placed
                            + " of " + Plural.of(estimator.queries(), "query") + " with a relevant passage: at least "
                            + EvidenceDistribution.LEAST + " are needed");
        }
        print(dataset, guess.queries(), guess.estimate(), models);
    }

    private void print(
            Dataset dataset, List<Query> queries, @Nullable EvidenceEstimate estimate, Taught.@Nullable Models models) {
        EvidenceResult counted = EvidenceResult.of(dataset, queries, estimate, counting());
        EvidenceResult result = models == null ? counted : counted.with(models);
        print(form.text(() -> result, result::tables, () -> result.table(false), session()));
        plots.draw(session(), () -> Pictures.named(List.of(result.figure(), result.starts(queries))));
    }
}
