package io.posbias.cli;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.cli.common.ExcludeSelfOption;
import io.posbias.cli.common.JudgementOptions;
import io.posbias.cli.common.LanguageOption;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RetrievedRun;
import io.posbias.model.retrieve.SearchReport;
import io.posbias.model.retrieve.trec.RunReader;
import io.posbias.score.evaluate.Evaluation;
import io.posbias.score.evaluate.LazyDataset;
import io.posbias.score.evaluate.Stopwatch;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import io.posbias.score.result.StoredCell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "score",
        description = "Evaluate run files of other systems.",
        sortOptions = false,
        footer = {
            "",
            "Runs are TREC files, 'query Q0 passage rank score tag' (Pyserini, PyTerrier), MS MARCO's 'query passage rank', "
                    + "JSON, {query: {passage: score}} (BEIR, ranx), or MTEB's predictions, plain or compressed.",
            "",
            "Passages are ranked by score as in trec_eval: ties go to the higher passage id, "
                    + "ranks and line order are ignored, and a judged query without a line scores 0. A note says for how many "
                    + "queries scores contradict the ranks. Queries of the run without judgements are counted, not scored; a "
                    + "run is refused if the benchmark has fewer than half of its queries.",
            "",
            "The files of a cell are written like eval's, for report. Without --results, --out and --overwrite an earlier result of"
                    + " another run stays, and the new one is only printed.",
            "",
            "Examples:",
            "  posbias score --run run.trec.gz --dataset demo --name my-system",
            "  posbias score --run runs/*.json --dataset demo --results results",
            "  posbias score --run run.trec --dataset my-squad --measures nDCG@10,RR@10 \\",
            "      --format csv",
        })
final class ScoreCommand extends BaseCommand {
    /** Minimum depth of the blind model's rankings. */
    private static final int BLIND_DEPTH = 100;

    private static final String BY_RANK = "by rank";

    @Option(
            names = "--run",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Run files, one per system: TREC, MS MARCO or JSON.")
    private List<Path> runs = List.of();

    @Option(
            names = "--dataset",
            required = true,
            paramLabel = "DATASET",
            description = "Benchmark of the runs: a name from 'posbias data list' or a folder.")
    private String dataset = "";

    @Mixin
    private LanguageOption language = new LanguageOption();

    @Mixin
    private JudgementOptions judgements = new JudgementOptions();

    @Mixin
    private ExcludeSelfOption excludeSelf = new ExcludeSelfOption();

    @Option(
            names = "--name",
            split = ",",
            paramLabel = "NAME,..",
            hideParamSyntax = true,
            description = "Names of the systems, one per run (default: file names without endings).")
    private List<String> names = List.of();

    @Option(
            names = "--family",
            paramLabel = "FAMILY",
            description = "Family of the system in reports (default: ${DEFAULT-VALUE}).")
    private String family = "other";

    @Option(
            names = "--by-rank",
            description = "Rank passages by the rank column of the runs, for scores that are distances.")
    private boolean byRank;

    @Mixin
    private SettingsOptions settingsOptions = new SettingsOptions(
            "measures", "buckets", "thinBelow", "draws", "seed", "confidence", "equivalence", "cluster");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private CellOptions cells = new CellOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    private final Set<String> told = new HashSet<>();

    @Override
    protected void work() {
        Settings settings = settingsOptions.settings().withK(0);
        runs.forEach(run -> isFile("--run", run));
        cells.check(runs.size());
        List<SystemRun> systems = systems();
        LazyDataset benchmark = excludeSelf
                .of(judgements.of(language.datasets(session()).source(dataset)))
                .lazy(session().progress());
        List<Result> results = systems.stream()
                .map(system -> result(system, benchmark, settings))
                .toList();
        results.forEach(result -> result.doubts().forEach(doubt -> say("note: " + doubt)));
        int depth = Math.max(BLIND_DEPTH, settings.deepest());
        Optional<CellQueries> beside = blind.result(
                benchmark, settings.withK(depth), cells.root(), Engine.quiet(threads.threads(), session()));
        print(cells.text(results, beside.stream().toList(), session()));
    }

    private record SystemRun(Path run, EvaluatedModel model) {}

    /** Returns the folder of a result; empty if it has a result of another run and no option says to replace it. */
    private Optional<ResultFolder> folder(SystemRun system, LazyDataset benchmark, RunKey key) {
        ResultFolder folder = new ResultFolder(
                cells.folder(benchmark.card().name(), system.model().name()));
        boolean isAsked = cells.given() || cells.overwrite();
        if (isAsked || folder.difference(key, benchmark.card()).isEmpty()) {
            return Optional.of(folder);
        }
        say("note: " + folder.path() + " has the result of another run or benchmark, so this one is not written: give"
                + " --name, --results or --overwrite");
        return Optional.empty();
    }

    private Result result(SystemRun system, LazyDataset lazy, Settings wanted) {
        Settings settings = wanted.on(lazy.card());
        RunKey key = RunKey.of(system.model(), lazy.card(), lazy.checksums(), settings);
        ResultFolder folder = folder(system, lazy, key).orElse(null);
        StoredCell earlier = folder == null || cells.overwrite()
                ? null
                : folder.cell(key, lazy.card()).orElse(null);
        Settings found = earlier == null ? settings : earlier.result().settings();
        boolean replaces = settings.isLike(found);
        Dataset benchmark = lazy.open();
        benchmark.notes().stream().filter(told::add).forEach(note -> say("note: " + note));
        Stopwatch stopwatch = lazy.stopwatch();
        RunReader.Options reading = new RunReader.Options(byRank, judgements.split(), false);
        RunReader.Read read = stopwatch.time("read run", () -> RunReader.read(system.run(), benchmark, reading));
        if (read.negative() > 0) {
            say("note: " + "negative scores rank below all others: " + read.negative() + " of "
                    + Plural.of(read.run().hits(), "score"));
        }
        Evaluation.EvaluatedCell outcome = new Evaluation(
                        benchmark, replaces ? settings.including(found) : settings, threads.threads(), stopwatch)
                .measure(system.model(), new RetrievedRun(read.run(), SearchReport.NONE.with(read.stats())));
        if (earlier != null
                && replaces
                && earlier.missing().isEmpty()
                && outcome.result().isSame(earlier.result())) {
            say(earlier.finishedBefore());
            return outcome.result().only(wanted.measures());
        }
        String done = outcome.result().model() + " on " + benchmark.name() + ": "
                + Plural.of(read.run().hits(), "hit") + "; " + stopwatch;
        if (folder == null) {
            say(done);
            return outcome.result();
        }
        if (!replaces) {
            say(done + "; " + String.join("; ", settings.differences(found)) + ": " + StoredCell.NOT_WRITTEN);
            return outcome.result();
        }
        Evaluation.EvaluatedCell made =
                outcome.withDatasetFolder(lazy.folder(), session().home(), folder.path());
        try (Staging staging = folder.staging(session().shutdown())) {
            Result written = ResultFolder.write(staging, made.queries(), made.run(), threads.threads());
            say(done + "; files in " + folder.path());
            return written.only(wanted.measures());
        }
    }

    /** Names the systems and refuses duplicates. */
    private List<SystemRun> systems() {
        refuse(
                !names.isEmpty() && names.size() != runs.size(),
                "--name gives " + Plural.of(names.size(), "name") + " for " + Plural.of(runs.size(), "run"));
        List<SystemRun> systems = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Path run : runs) {
            String file = String.valueOf(run.getFileName());
            String called = names.isEmpty() ? nameOf(file) : names.get(systems.size());
            refuse(!seen.add(called), "two runs are called " + Printable.quoted(called) + ": give each a --name");
            refuse(
                    !cells.namesFolder() && !Recipe.isName(called),
                    Printable.quoted(called) + " cannot name a folder: give --name or --out");
            systems.add(new SystemRun(run, system(run, file, called)));
        }
        return systems;
    }

    private static String nameOf(String file) {
        String stem = file.replaceFirst("(\\.(trec|run|txt|res|json|gz))+$", "");
        return Recipe.safeName(stem).replaceFirst("^\\.+", "");
    }

    private EvaluatedModel system(Path run, String file, String called) {
        String bytes = Checksums.sha256(run);
        String digest = byRank ? Checksums.sha256((bytes + BY_RANK).getBytes(StandardCharsets.UTF_8)) : bytes;
        Map<String, @Nullable Object> recipe = new LinkedHashMap<>();
        recipe.put("name", called);
        recipe.put("kind", Result.RUN);
        recipe.put("file", file);
        recipe.put("sha256", bytes);
        if (byRank) {
            recipe.put("scored", BY_RANK);
        }
        return new EvaluatedModel(called, family, recipe, digest);
    }
}
