package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BlindOption;
import io.posbias.cli.common.CellOptions;
import io.posbias.cli.common.ExcludeSelfOption;
import io.posbias.cli.common.JudgementOptions;
import io.posbias.cli.common.LanguageOption;
import io.posbias.cli.common.PartialOption;
import io.posbias.cli.common.RelevantOption;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.SingleEvidenceOption;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.rank.trec.RunReader;
import io.posbias.run.RunScorer;
import io.posbias.score.measure.Depth;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "score",
        description = "Evaluate run files of other systems.",
        footer = {
            "",
            "Runs are TREC files, 'query Q0 passage rank score tag' (Pyserini, PyTerrier), MS MARCO's 'query passage rank', "
                    + "JSON, {query: {passage: score}} (BEIR, ranx), or MTEB's predictions, plain or compressed.",
            "",
            "Passages are ranked by score as in trec_eval: ties go to the higher passage id, "
                    + "ranks and line order are ignored, and a judged query without a line scores 0. A note says for how many "
                    + "queries scores contradict the ranks. Queries of the run without judgements are counted, not scored; a "
                    + "run is refused if the benchmark has fewer than half of its queries, or without --partial if it lacks more than"
                    + " a tenth of the judged ones.",
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

    @Mixin
    private SingleEvidenceOption singleEvidence = new SingleEvidenceOption();

    @Mixin
    private RelevantOption relevant = new RelevantOption();

    @Option(
            names = "--name",
            split = ",",
            paramLabel = "NAME,..",
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
    private PartialOption partial = new PartialOption();

    @Mixin
    private SettingsOptions settingsOptions = new SettingsOptions(
            "measures", "buckets", "thinBelow", "draws", "seed", "confidence", "equivalence", "cluster");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private CellOptions cells = new CellOptions();

    @Mixin
    private BlindOption blind = new BlindOption();

    @Override
    protected void work() {
        Settings settings = settingsOptions.settings().with("k", 0);
        runs.forEach(run -> isFile("--run", run));
        cells.check(runs.size());
        List<RunScorer.SystemRun> systems = systems();
        Datasets.Source source = judgements.of(language.datasets(session()).source(dataset));
        LazyDataset benchmark = relevant.of(singleEvidence.of(excludeSelf.of(source)))
                .lazy(session().progress());
        RunReader.Options reading = new RunReader.Options(byRank, judgements.split(), false, partial.isGiven());
        RunScorer scorer = new RunScorer(settings, reading, threads.threads(), cells.overwrite(), session());
        List<Result> results = systems.stream()
                .map(system -> scorer.score(
                        system, benchmark, folder(system, benchmark, settings).orElse(null)))
                .toList();
        results.forEach(result -> result.doubts().forEach(doubt -> say("note: " + doubt)));
        int depth = Math.max(BLIND_DEPTH, Depth.of(settings.measures()));
        Engine engine = new Engine(Device.CPU, threads.threads(), session());
        Optional<CellQueries> beside = blind.result(benchmark, settings.with("k", depth), cells.root(), engine);
        print(cells.text(
                results,
                beside.stream().toList(),
                Map.of(),
                Map.of(benchmark.card().name(), dataset),
                session()));
    }

    /** Returns the folder of a result; empty if it has a result of another run and no option says to replace it. */
    private Optional<ResultFolder> folder(RunScorer.SystemRun system, LazyDataset benchmark, Settings settings) {
        RunKey key =
                RunKey.of(system.model(), benchmark.card(), benchmark.checksums(), settings.on(benchmark.card()), null);
        ResultFolder folder = new ResultFolder(
                cells.folder(benchmark.card().name(), system.model().name()));
        boolean isAsked = cells.given() || cells.overwrite();
        if (isAsked || folder.difference(key).isEmpty()) {
            return Optional.of(folder);
        }
        say("note: " + folder.path() + " has the result of another run or benchmark, so this one is not written: give"
                + " --name, --results or --overwrite");
        return Optional.empty();
    }

    private List<RunScorer.SystemRun> systems() {
        refuse(
                !names.isEmpty() && names.size() != runs.size(),
                "--name gives " + Plural.of(names.size(), "name") + " for " + Plural.of(runs.size(), "run"));
        List<RunScorer.SystemRun> systems = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Path run : runs) {
            String called = names.isEmpty() ? RunScorer.nameOf(run) : names.get(systems.size());
            refuse(!seen.add(called), "two runs are called " + Printable.quoted(called) + ": give each a --name");
            refuse(
                    !cells.namesFolder() && !FileNames.isModel(called),
                    Printable.quoted(called) + " cannot name a folder: give --name or --out");
            systems.add(RunScorer.SystemRun.of(run, called, family, byRank));
        }
        return systems;
    }
}
