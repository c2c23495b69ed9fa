package io.posbias.cli;

import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.model.encode.Engine;
import io.posbias.run.Cells;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "eval",
        description = "Evaluate models on benchmarks with annotated answer positions.",
        sortOptions = false,
        footer = {
            "",
            "A cell is one model on one dataset, with the files run.trec.gz, queries.csv, "
                    + "buckets.csv and result.json. Finished cells are reused unless --overwrite is "
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
    private CellOptions cells = new CellOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    @Override
    protected ResultsOptions output() {
        return cells;
    }

    @Override
    protected void evaluate(Work work, Cells evaluated, Engine engine) {
        List<CellQueries> beside = new ArrayList<>();
        while (evaluated.hasNext()) {
            evaluated.next();
            evaluated
                    .complete()
                    .flatMap(benchmark -> blind(work, benchmark, engine))
                    .ifPresent(beside::add);
        }
        List<Result> results = evaluated.results();
        boolean isAnyBeside = !results.stream().allMatch(Result::isBlind);
        results.stream()
                .filter(result -> isAnyBeside && result.isBlind())
                .flatMap(result -> new ResultFolder(cells.folder(result.dataset(), result.model())).cell().stream())
                .filter(StoredCell::hasQueries)
                .forEach(cell -> beside.add(cell.queries()));
        print(cells.text(results, beside, session()));
    }

    /** Evaluates the blind model, unless a given model is blind, beside which the others then stand. */
    private Optional<CellQueries> blind(Work work, LazyDataset benchmark, Engine engine) {
        if (work.recipes().stream().anyMatch(BlindOption::isBlind)) {
            return Optional.empty();
        }
        return session()
                .step(
                        "blind row on " + benchmark.card().name(),
                        () -> blind.result(benchmark, work.settings(), cells.root(), engine));
    }
}
