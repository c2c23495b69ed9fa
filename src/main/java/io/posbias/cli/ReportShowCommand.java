package io.posbias.cli;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Least;
import io.posbias.report.query.Benchmarks;
import io.posbias.report.query.QueryLookup;
import io.posbias.report.query.QueryText;
import io.posbias.report.query.ShownQuery;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias report show}: one query, its evidence, and what models found. */
@Command(
        name = "show",
        description = "Print one query with its evidence and each model's ranking.",
        footer = {
            "",
            "Scores are from queries.csv, rankings from run.trec.gz, texts from the benchmark, which is not fetched. The "
                    + "evidence is in colour on a terminal, else between [[ and ]]; grades are judgements, with a dash for "
                    + "passages that were not judged.",
            "",
            "Examples:",
            "  posbias report show demo-q12",
            "  posbias report show demo-q12 results/demo --model bm25 --k 5",
            "  posbias report show demo-q12 --format json",
        })
final class ReportShowCommand extends BaseCommand {
    private static final int K = 10;

    @Parameters(index = "0", paramLabel = "QUERY", description = "Identifier of the query.")
    private String query = "";

    @Parameters(
            index = "1..*",
            paramLabel = "RESULT",
            arity = "0..*",
            description = "Results: result.json files, or folders to search (default: results).")
    private List<Path> inputs = List.of();

    @Option(names = "--model", split = ",", paramLabel = "MODEL,..", description = "Models to show (default: all).")
    private List<String> models = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Datasets: names or patterns, for example 'posir/*' (* does not match /).")
    private List<String> datasets = List.of();

    @Least(1)
    @Option(names = "--k", paramLabel = "K", description = "Passages of each ranking (default: ${DEFAULT-VALUE}).")
    private int k = K;

    @Option(
            names = "--texts",
            paramLabel = "FOLDER",
            description = "Folder of a benchmark that has moved and is not in 'posbias data list'. Repeatable.")
    private List<Path> texts = List.of();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        Benchmarks benchmarks = new Benchmarks(texts, session());
        List<StoredCell> cells = cells();
        benchmarks.refuseOthers(
                cells.stream().map(cell -> cell.result().dataset()).distinct().toList());
        List<ShownQuery> found = new QueryLookup(query, k, benchmarks, session()).find(cells);
        print(
                form.isTable()
                        ? QueryText.read(found, form.style(session()))
                        : form.text(
                                () -> QueryText.document(found),
                                () -> QueryText.tables(found),
                                () -> QueryText.raw(found),
                                session()));
    }

    private List<StoredCell> cells() {
        List<StoredCell> cells =
                ResultFiles.read(inputs.isEmpty() ? List.of(ResultFolder.ROOT) : inputs, datasets).stream()
                        .filter(StoredCell::hasQueries)
                        .toList();
        refuse(cells.isEmpty(), "no result has its queries.csv beside it");
        List<String> known =
                cells.stream().map(cell -> cell.result().model()).distinct().toList();
        for (String model : models) {
            if (!known.contains(model)) {
                throw new UsageException(Suggestions.unknown("model", model, known));
            }
        }
        return cells.stream()
                .filter(cell ->
                        models.isEmpty() || models.contains(cell.result().model()))
                .toList();
    }
}
