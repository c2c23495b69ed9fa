package io.posbias.cli;

import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.cli.common.ContentFixedOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.PrintOptions;
import io.posbias.encode.Engine;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.ContentFixing;
import io.posbias.evaluate.LazyDataset;
import io.posbias.evaluate.Scoring;
import io.posbias.result.Result;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class EvalCommand extends EvaluatingCommand {
    @Mixin
    private ContentFixedOptions contentFixed = new ContentFixedOptions();

    @Mixin
    private CellOptions cells = new CellOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Override
    protected @Nullable ContentFixing fixing(Scoring scoring, int depth) {
        return contentFixed.fixing(scoring, depth, session());
    }

    @Override
    protected List<Recipe> recipes(List<Recipe> named) {
        return named;
    }

    @Override
    protected void check(Work work) {
        CellRunner.refuseTwins("--model", work.recipes(), "--dataset", work.sources());
        cells.check(work.cells());
    }

    @Override
    protected Path folder(String dataset, String model) {
        return cells.folder(dataset, model);
    }

    @Override
    protected boolean overwrite() {
        return cells.overwrite();
    }

    @Override
    protected FormatOption form() {
        return printing.form();
    }

    @Override
    protected CellRunner.CellOutcome evaluate(Work work, Engine engine, Function<Engine, CellRunner> runner) {
        List<Result> beside = new ArrayList<>();
        CellRunner.CellOutcome outcome = on(
                engine,
                on -> runner.apply(on)
                        .all(
                                work.recipes(),
                                work.sources(),
                                this::folder,
                                null,
                                benchmark -> blind(work, benchmark).ifPresent(beside::add)));
        print(printing.text(outcome.results(), beside, session()));
        return outcome;
    }

    /** Beside models that may see positions; empty where one of them is blind itself. */
    private Optional<Result> blind(Work work, LazyDataset benchmark) {
        if (work.recipes().stream().anyMatch(BlindOption::isBlind)) {
            return Optional.empty();
        }
        Engine engine = Engine.quiet(work.scoring().threads(), session());
        return session()
                .step(
                        "blind row on " + benchmark.card().name(),
                        () -> blind.result(benchmark, work.scoring(), work.k(), cells.root(), engine));
    }
}
