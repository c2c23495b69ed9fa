package io.posbias.cli;

import io.posbias.base.process.ExitCode;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.model.encode.Engine;
import io.posbias.run.Cells;
import io.posbias.score.measure.Settings;
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
final class EvalCommand extends BaseCommand {
    @Mixin
    private EvaluatingOptions options = new EvaluatingOptions();

    @Mixin
    private CellOptions cells = new CellOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    @Override
    public Integer call() {
        Settings settings = options.settings();
        EvaluatingOptions.Work work = options.work(options.models(session()), settings, cells, session());
        Optional<String> plan = options.plan(work, session());
        if (plan.isPresent()) {
            print(plan.get());
            return ExitCode.OK;
        }
        return options.spark().on(work.engine(), engine -> evaluate(work, engine));
    }

    private int evaluate(EvaluatingOptions.Work work, Engine engine) {
        Cells evaluated = new Cells(work.jobs(engine), cells::folder, false);
        List<CellQueries> beside = new ArrayList<>();
        while (evaluated.hasNext()) {
            evaluated.next();
            evaluated.complete().flatMap(benchmark -> blind(work, benchmark)).ifPresent(beside::add);
        }
        List<Result> results = evaluated.results();
        boolean isAnyBeside = !results.stream().allMatch(Result::isBlind);
        results.stream()
                .filter(result -> isAnyBeside && result.isBlind())
                .flatMap(result -> new ResultFolder(cells.folder(result.dataset(), result.model())).cell().stream())
                .filter(StoredCell::hasQueries)
                .forEach(cell -> beside.add(cell.queries()));
        print(cells.text(results, beside, options.givenModels(work), options.givenDatasets(), session()));
        return evaluated.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Evaluates the blind model, unless a given model is blind, beside which the others then stand. */
    private Optional<CellQueries> blind(EvaluatingOptions.Work work, LazyDataset benchmark) {
        if (work.recipes().stream().anyMatch(BlindOption::isBlind)) {
            return Optional.empty();
        }
        return session()
                .step(
                        "blind row on " + benchmark.card().name(),
                        () -> blind.result(benchmark, work.settings(), cells.root(), work.engine()));
    }
}
