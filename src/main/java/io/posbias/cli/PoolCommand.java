package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.measure.Placement;
import io.posbias.measure.Profiler;
import io.posbias.measure.Scores;
import io.posbias.position.Bucketing;
import io.posbias.report.CsvFiles;
import io.posbias.report.QueriesFile;
import io.posbias.report.QueryCounts;
import io.posbias.report.Result;
import io.posbias.report.Retrieval;
import io.posbias.report.Settings;
import io.posbias.retrieve.Recipe;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code posbias pool}: the queries of several benchmarks as those of one. */
@Command(
        name = "pool",
        description = {
            "Pool the queries of several results of one model, as PosIR pools a language's 31 domains: every",
            "query counts once, so larger benchmarks weigh more."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  posbias pool --name posir/eng-Latn results/posir/eng-Latn/*/bm25",
            "  posbias report results/posir/eng-Latn/bm25 --layout length",
        })
final class PoolCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FOLDER",
            arity = "1..*",
            description = "Folders of finished cells: result.json and queries.csv.")
    private List<Path> folders = List.of();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "What to call the pooled benchmark.")
    private String name = "";

    @Option(names = "--output", paramLabel = "DIR", description = "Folder of the files (default: results/NAME/MODEL).")
    private @Nullable Path output;

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Option(names = "--overwrite", description = "Replace the result in that folder, whatever it is of.")
    private boolean overwrite;

    @Override
    public Integer call() {
        Datasets.checkedName(name);
        List<Result> parts = folders.stream()
                .map(folder -> FinishedCell.read(folder).result())
                .toList();
        Result first = parts.getFirst();
        parts.forEach(part -> refuseMixture(first, part));
        if (parts.stream().map(Result::dataset).distinct().count() < parts.size()) {
            throw new UsageException("the results must be of different datasets: "
                    + String.join(", ", parts.stream().map(Result::dataset).toList()));
        }
        Map<String, String> files = new LinkedHashMap<>();
        parts.forEach(part -> part.datasetSha256().forEach((file, sum) -> files.put(part.dataset() + "/" + file, sum)));
        ResultFolder target = new ResultFolder(output == null ? usualFolder(first.model()) : output);
        Evaluation.Model model =
                new Evaluation.Model(first.model(), first.family(), first.recipe(), first.recipeSha256());
        Optional<Result> finished =
                overwrite ? Optional.empty() : target.finished(model, name, files, first.settings());
        PrintWriter err = spec.commandLine().getErr();
        finished.ifPresent(result -> err.println(target.finishedBefore(result)));
        Result pooled = finished.orElseGet(() -> {
            Result made = pool(parts, files, target);
            err.println(parts.size() + " results pooled; files in " + target.path());
            return made;
        });
        err.flush();
        printing.print(List.of(pooled), spec.commandLine().getOut());
        return ExitCode.OK;
    }

    private Path usualFolder(String model) {
        if (!Recipe.isName(model)) {
            throw new UsageException("the results' model \"" + model + "\" cannot name a folder: give --output");
        }
        return Path.of("results").resolve(name).resolve(model);
    }

    private Result pool(List<Result> parts, Map<String, String> files, ResultFolder target) {
        Result first = parts.getFirst();
        Settings settings = first.settings();
        QueriesFile joined =
                new QueriesFile(QueriesFile.measures(settings.measures()), Bucketing.parse(settings.buckets()));
        for (int i = 0; i < parts.size(); i++) {
            joined.add(folders.get(i).resolve(CsvFiles.QUERIES), parts.get(i).dataset() + "/");
        }
        Scores scores = joined.scores();
        Placement placement = joined.placement();
        int threads = Runtime.getRuntime().availableProcessors();
        Profiler profiler =
                new Profiler(settings.thinBelow(), settings.draws(), settings.seed(), settings.confidence(), threads);
        Result pooled = new Result(
                first.model(),
                first.family(),
                name,
                counts(parts, placement),
                profiler.profiles(scores, placement),
                Retrieval.NONE,
                settings,
                first.recipe(),
                first.recipeSha256(),
                files,
                Environment.describe(threads),
                Map.of());
        target.write(pooled, scores, placement);
        return pooled;
    }

    private static void refuseMixture(Result first, Result part) {
        String pair = first.model() + " on " + first.dataset() + " and " + part.model() + " on " + part.dataset();
        if (!part.model().equals(first.model()) || !part.recipeSha256().equals(first.recipeSha256())) {
            throw new UsageException(pair + " are results of different models");
        }
        if (!part.settings().equals(first.settings())) {
            throw new UsageException(pair + " were evaluated with different settings");
        }
    }

    private static QueryCounts counts(List<Result> parts, Placement placement) {
        List<QueryCounts> counts = new ArrayList<>();
        parts.forEach(part -> counts.add(part.queries()));
        return new QueryCounts(
                counts.stream().mapToInt(QueryCounts::judged).sum(),
                counts.stream().mapToInt(QueryCounts::unjudged).sum(),
                placement.inSeveral(),
                placement.inNone(),
                counts.stream().mapToInt(QueryCounts::unanswered).sum());
    }
}
