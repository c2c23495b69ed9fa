package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CallsOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.cli.common.ContentFixedOptions;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlanOptions;
import io.posbias.cli.common.PrintOptions;
import io.posbias.cli.common.ScoringOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.SplitOption;
import io.posbias.cli.common.Verb;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.ContentFixing;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.LazyDataset;
import io.posbias.evaluate.Scoring;
import io.posbias.experiment.Cells;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "eval",
        description = "Evaluate models on benchmarks with annotated answer positions.",
        sortOptions = false,
        footer = {
            "",
            "Each pair of model and dataset is a cell. Its files are run.trec.gz, queries.csv, "
                    + "buckets.csv and result.json. A finished cell is not computed again unless --overwrite is "
                    + "given.",
            "",
            "Examples:",
            "  posbias eval --model bm25 --dataset demo",
            "  posbias eval --model bm25,bm25-lucene --dataset demo,my-squad \\",
            "      --measures nDCG@10,R@100",
            "  posbias eval --model all-minilm-l6-v2 --dataset my-squad --content-fixed",
            "  posbias eval --model bm25,bge-m3 --dataset my-squad --dry-run",
            "  posbias eval --model my-bm25.yaml --dataset my-squad --buckets relative:10 \\",
            "      --format latex",
        })
final class EvalCommand extends Verb {
    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            required = true,
            split = ",",
            paramLabel = "DATASET,..",
            hideParamSyntax = true,
            description =
                    "Datasets: names or patterns from 'posbias data list --all', or folders, separated by commas.")
    private List<String> datasets = List.of();

    @Mixin
    private SplitOption split = new SplitOption();

    @Heading("Measures:")
    @Option(
            names = "--k",
            paramLabel = "K",
            description = "Maximum number of passages retrieved per query (default: ${DEFAULT-VALUE}).")
    private int k = 100;

    @Mixin
    private ScoringOptions scoringOptions = new ScoringOptions();

    @Mixin
    private ContentFixedOptions contentFixed = new ContentFixedOptions();

    @Mixin
    private CellOptions cells = new CellOptions();

    @Mixin
    private CallsOption callsOption = new CallsOption();

    @Mixin
    private PlanOptions planning = new PlanOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Override
    public Integer call() {
        Scoring scoring = scoringOptions.scoring();
        scoring.checkDepth(k, "--k");
        modelOptions.device().check();
        spark.check();
        callsOption.check();
        blind.check();
        split.check();
        @Nullable ContentFixing fixing = contentFixed.fixing(scoring, k, session());
        List<Recipe> recipes = modelOptions.recipes(models.names());
        List<Datasets.Source> sources = split.sources(datasets, session());
        CellRunner.refuseTwins("--model", recipes, "--dataset", sources);
        cells.check(recipes.size() * sources.size());
        CallLimit calls = callsOption.limit();
        Engine engine = modelOptions.device().engine(scoring.threads(), calls, session());
        CellRunner runner = new CellRunner(scoring, k, engine, cells.overwrite(), fixing);
        if (calls.isEstimate()) {
            print(printing.estimate(runner.estimate(recipes, sources, cells::folder), session()));
            return ExitCode.OK;
        }
        if (planning.isDryRun()) {
            print(printing.forecast(
                    PlanOptions.forecast(
                            Cells.of(recipes, sources, runner).list(),
                            (dataset, model) -> new ResultFolder(cells.folder(dataset, model)),
                            session()),
                    session()));
            return ExitCode.OK;
        }
        List<Result> beside = new ArrayList<>();
        CellRunner.Outcome outcome = spark.on(
                engine,
                on -> new CellRunner(scoring, k, on, cells.overwrite(), fixing)
                        .all(
                                recipes,
                                sources,
                                cells::folder,
                                null,
                                benchmark -> blind(recipes, benchmark, scoring).ifPresent(beside::add)));
        print(printing.text(outcome.results(), beside, session()));
        return outcome.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Beside models that may see positions; empty where one of them is blind itself. */
    private Optional<Result> blind(List<Recipe> recipes, LazyDataset benchmark, Scoring scoring) {
        if (recipes.stream().anyMatch(BlindOption::isBlind)) {
            return Optional.empty();
        }
        Engine engine = Engine.quiet(scoring.threads(), session());
        return session()
                .step(
                        "blind row on " + benchmark.card().name(),
                        () -> blind.result(benchmark, scoring, k, cells.root(), engine));
    }
}
