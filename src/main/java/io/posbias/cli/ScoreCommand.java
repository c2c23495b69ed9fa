package io.posbias.cli;

import io.posbias.Checksums;
import io.posbias.Printable;
import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.cli.common.PrintOptions;
import io.posbias.cli.common.ScoringOptions;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.EarlierCell;
import io.posbias.evaluate.Evaluation;
import io.posbias.evaluate.LazyDataset;
import io.posbias.evaluate.Scoring;
import io.posbias.evaluate.Stopwatch;
import io.posbias.result.EvaluatedModel;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.result.Settings;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.RunReader;
import io.posbias.retrieve.SearchReport;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "score",
        commandListHeading = "Evaluate:",
        description = "Evaluate a TREC run that another system made.",
        sortOptions = false,
        footer = {
            "",
            "The system may be Pyserini, PyTerrier, or anything that writes 'query Q0 passage rank score tag'.",
            "",
            "Passages are ordered by score, as in trec_eval: ties go to the higher passage id, the "
                    + "rank column and the order of lines are ignored, and a judged query without a line "
                    + "scores 0.",
            "",
            "With --results or --output it writes the files of a cell as eval does; else it only prints.",
            "",
            "Examples:",
            "  posbias score --run run.trec.gz --dataset demo --name my-system",
            "  posbias score --run run.trec.gz --dataset demo --results results",
            "  posbias score --run run.trec --dataset my-squad --measures nDCG@10,RR@10 \\",
            "      --format csv",
        })
final class ScoreCommand extends Verb {
    /** How deep the blind model's rankings are, unless a measure looks deeper. */
    private static final int BLIND_DEPTH = 100;

    @Option(
            names = "--run",
            required = true,
            paramLabel = "FILE",
            description = "The run: 'query Q0 passage rank score tag', plain or .gz.")
    private Path run = Path.of("");

    @Option(
            names = "--dataset",
            required = true,
            paramLabel = "DATASET",
            description = "The benchmark of the run: a name from 'posbias data list' or a folder.")
    private String dataset = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the system (default: the file's name without endings).")
    private @Nullable String name;

    @Option(
            names = "--family",
            paramLabel = "FAMILY",
            description = "Family under which reports list it (default: ${DEFAULT-VALUE}).")
    private String family = "other";

    @Mixin
    private ScoringOptions scoringOptions = new ScoringOptions();

    @Mixin
    private CellOptions cells = new CellOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Override
    protected void work() {
        Scoring scoring = scoringOptions.scoring();
        isFile("--run", run);
        blind.check();
        cells.check(1);
        LazyDataset benchmark = new LazyDataset(new Datasets(session()).folder(dataset));
        EvaluatedModel system = system();
        Result result = result(system, benchmark, scoring);
        int depth = Math.max(BLIND_DEPTH, scoring.deepest());
        Optional<Result> beside =
                blind.result(benchmark, scoring, depth, cells.root(), Engine.quiet(scoring.threads(), session()));
        print(printing.text(List.of(result), beside.stream().toList(), session()));
    }

    /** Where the files go; empty where they are not asked for. */
    private Optional<ResultFolder> folder(EvaluatedModel system, LazyDataset benchmark) {
        return cells.given()
                ? Optional.of(new ResultFolder(cells.folder(benchmark.card().name(), system.name())))
                : Optional.empty();
    }

    private Optional<EarlierCell> earlier(EvaluatedModel system, LazyDataset benchmark, Scoring scoring) {
        Settings settings = scoring.settings(0, benchmark.card());
        return folder(system, benchmark)
                .filter(folder -> !cells.overwrite())
                .flatMap(folder -> EarlierCell.in(folder, system, benchmark, settings, run))
                .map(EarlierCell::checked);
    }

    private Result result(EvaluatedModel system, LazyDataset benchmark, Scoring scoring) {
        EarlierCell earlier = earlier(system, benchmark, scoring).orElse(null);
        if (earlier == null) {
            return score(folder(system, benchmark), benchmark, system, scoring);
        }
        say(earlier.line());
        return earlier.result(system, benchmark, scoring, null, session().home());
    }

    private Result score(Optional<ResultFolder> asked, LazyDataset lazy, EvaluatedModel system, Scoring scoring) {
        Dataset benchmark = lazy.open();
        Stopwatch stopwatch = lazy.stopwatch();
        RunReader.Read read = stopwatch.time("read run", () -> RunReader.read(run, benchmark, scoring.threads()));
        if (read.negative() > 0) {
            say("note: " + read.negative() + " of " + read.run().hits()
                    + " scores are negative; they rank below all others");
        }
        Evaluation evaluation = new Evaluation(benchmark, scoring, stopwatch);
        Evaluation.Outcome outcome = evaluation.measure(system, new RetrievedRun(read.run(), SearchReport.NONE), 0);
        Result result = asked.map(folder -> {
                    Evaluation.Outcome made =
                            outcome.readFrom(lazy.folder(), session().home(), folder.path());
                    return folder.write(
                            made.result(),
                            made.run(),
                            made.scores(),
                            made.placement(),
                            made.places(),
                            scoring.threads());
                })
                .orElse(outcome.result());
        say(outcome.result().model() + " on " + benchmark.name() + ": "
                + read.run().hits() + " hits; " + stopwatch
                + asked.map(folder -> "; files in " + folder.path()).orElse(""));
        return result;
    }

    /** What is known of a run: its file and that file's digest. */
    private EvaluatedModel system() {
        String file = String.valueOf(run.getFileName());
        String called = name == null ? file.replaceFirst("(\\.(trec|run|txt|res|json|gz))+$", "") : name;
        refuse(
                cells.given() && !cells.namesFolder() && !Recipe.isName(called),
                Printable.quoted(called) + " cannot name a folder: give --name or --output");
        String digest = Checksums.sha256(run);
        Map<String, @Nullable Object> recipe = new LinkedHashMap<>();
        recipe.put("name", called);
        recipe.put("kind", "run");
        recipe.put("file", file);
        recipe.put("sha256", digest);
        return new EvaluatedModel(called, family, recipe, digest);
    }
}
