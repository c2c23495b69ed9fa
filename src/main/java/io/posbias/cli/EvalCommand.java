package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PrintOptions;
import io.posbias.cli.common.ScoringOptions;
import io.posbias.cli.common.Verb;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.Scoring;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "eval",
        description = "Evaluate models on position-aware benchmarks.",
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
            paramLabel = "DATASET",
            description = "Datasets, separated by commas: names or groups from 'posbias data list --all', such as "
                    + "posir/eng-Latn, patterns, or folders.")
    private List<String> datasets = List.of();

    @Option(
            names = "--k",
            paramLabel = "K",
            description = "Maximum number of passages retrieved per query (default: ${DEFAULT-VALUE}).")
    private int k = 100;

    @Mixin
    private ScoringOptions scoringOptions = new ScoringOptions();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Output folder (default: results/DATASET/MODEL). With several cells, each gets "
                    + "DIR/DATASET/MODEL.")
    private @Nullable Path output;

    @Option(names = "--overwrite", description = "Compute finished cells again.")
    private boolean overwrite;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Override
    public Integer call() {
        Scoring scoring = scoringOptions.scoring();
        scoring.checkDepth(k, "--k");
        modelOptions.device().check();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        Datasets known = new Datasets(session());
        List<Datasets.Source> sources =
                datasets.stream().flatMap(name -> known.sources(name).stream()).toList();
        CellRunner.refuseTwins("--model", recipes, "--dataset", sources);
        boolean single = recipes.size() * sources.size() == 1;
        CellRunner.Outcome outcome = new CellRunner(
                        scoring, k, modelOptions.device().engine(scoring.threads(), session()), overwrite)
                .all(recipes, sources, (dataset, model) -> cellFolder(dataset, model, single), null);
        print(printing.text(outcome.results(), session()));
        return outcome.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private Path cellFolder(String dataset, String model, boolean single) {
        Path root = output == null ? ResultFolder.ROOT : output;
        return output != null && single ? output : ResultFolder.of(root, dataset, model);
    }
}
