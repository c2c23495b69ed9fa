package io.posbias.run.experiment;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.Staging;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.table.Detail;
import io.posbias.base.table.TerminalStyle;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.run.Cells;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.ResultPool;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Experiment with the folder of its cells, pooled results and tables.
 *
 * @param overwrite true to make existing pooled results again
 */
public record ExperimentRun(Experiment experiment, Path root, boolean overwrite, Session session) {
    private static final String TABLES = "tables";

    public Path file(String table) {
        return FileNames.inside(root.resolve(TABLES), experiment.name() + "/" + table);
    }

    public ResultFolder folder(String dataset, String model) {
        return new ResultFolder(ResultFolder.of(root, dataset, model));
    }

    /**
     * Evaluates the cells of a share and {@linkplain #finish finishes} the experiment if no other cell is missing. If
     * two shares end at once, one waits for the other.
     *
     * @return one line per failure
     */
    public List<String> share(ExperimentCells all, ExperimentCells own, Shard share, TerminalStyle look) {
        session.say("share " + share + ": " + own.list().size() + " of "
                + Plural.of(all.list().size(), "cell"));
        List<String> failures = own.run(this::path).failures();
        long missing = all.list().stream()
                .filter(cell ->
                        !folder(cell.source().name(), cell.recipe().name()).isFinished())
                .count();
        boolean here =
                all.list().stream().allMatch(cell -> cell.source().isLocal().getAsBoolean());
        if (failures.isEmpty() && missing == 0 && here && !overwrite) {
            return finish(all, look);
        }
        String why = missing > 0
                ? missing + " of " + Plural.of(all.list().size(), "cell") + " missing"
                : here ? "finished cells of other shares may be computed again" : "not all datasets are downloaded";
        session.say(why + ": the tables are left to the share that ends last, or to a run without --shard");
        return failures;
    }

    /**
     * Evaluates missing cells, pools results and writes the tables.
     *
     * @return one line per failure
     */
    public List<String> finish(ExperimentCells cells, TerminalStyle look) {
        Cells outcome = cells.run(this::path);
        List<String> failures = new ArrayList<>(outcome.failures());
        if (!experiment.tables().isEmpty() || !experiment.pools().isEmpty()) {
            Path lock = root.resolve(TABLES).resolve(".posbias-" + experiment.name() + ".lock");
            LockFile held =
                    IoErrors.call("write", lock, () -> LockFile.hold(lock, "writing the experiment's tables", session));
            try (held) {
                failures.addAll(write(cells, outcome.results(), look));
            }
        }
        return failures;
    }

    private Path path(String dataset, String model) {
        return folder(dataset, model).path();
    }

    /** Prints failures and returns the exit code. */
    public int report(List<String> failures) {
        if (!failures.isEmpty()) {
            session.say(experiment.name() + ": " + failures.size() + " failed:");
            failures.forEach(failure -> session.say("  " + failure));
        }
        return failures.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private List<String> write(ExperimentCells cells, List<Result> results, TerminalStyle look) {
        List<String> failures = new ArrayList<>();
        List<Result> pooled = pool(cells, results, failures);
        for (Experiment.ExperimentOutput table : experiment.tables()) {
            attempt(file(table.file()).toString(), failures, () -> write(table, results, pooled, look));
        }
        return failures;
    }

    private List<Result> pool(ExperimentCells cells, List<Result> results, List<String> failures) {
        List<Result> pooled = new ArrayList<>();
        for (String pool : experiment.pools()) {
            Map<String, List<String>> datasets = new LinkedHashMap<>();
            cells.list().stream()
                    .filter(cell -> cell.source().name().startsWith(pool + "/"))
                    .forEach(cell -> datasets.computeIfAbsent(cell.recipe().name(), model -> new ArrayList<>())
                            .add(cell.source().name()));
            attempt(pool, failures, () -> {
                if (datasets.isEmpty()) {
                    throw new PosbiasException("no dataset of the experiment is below it");
                }
            });
            datasets.forEach((model, below) -> attempt(model + " on " + pool, failures, () -> {
                List<Path> folders = folders(model, below, results);
                pooled.add(new ResultPool(pool, folders).into(folder(pool, model), overwrite, session));
            }));
        }
        return pooled;
    }

    private List<Path> folders(String model, List<String> parts, List<Result> results) {
        List<Result> own = results.stream()
                .filter(cell -> cell.model().equals(model) && parts.contains(cell.dataset()))
                .toList();
        if (own.size() < parts.size()) {
            throw new PosbiasException(
                    "not pooled, " + (parts.size() - own.size()) + " of " + parts.size() + " cells are missing");
        }
        return own.stream().map(cell -> folder(cell.dataset(), model).path()).toList();
    }

    private void write(
            Experiment.ExperimentOutput table, List<Result> results, List<Result> pooled, TerminalStyle look) {
        Map<String, Result> own = new LinkedHashMap<>();
        Stream.concat(
                        table.datasets().isEmpty() && !pooled.isEmpty() ? Stream.empty() : results.stream(),
                        pooled.stream())
                .filter(result -> ResultFiles.matches(result.dataset(), table.datasets()))
                .forEach(result -> own.put(result.model() + " on " + result.dataset(), result));
        List<Result> shown = new ArrayList<>(own.values());
        if (table.published()) {
            table.layout()
                    .whyNone(shown, table.measure())
                    .ifPresent(why -> session.say("note: " + table.file() + ": " + why));
            shown.addAll(table.layout().published(shown));
        }
        Leaderboard board = new Leaderboard(shown, table.measure(), table.intervals(), Detail.PAPER.digits());
        if (own.isEmpty() || board.isEmpty()) {
            throw new PosbiasException("not written: no result matches this table");
        }
        Path file = file(table.file());
        List<StoredCell> cells = table.layout().hasTiers()
                ? own.values().stream()
                        .map(cell -> StoredCell.read(
                                folder(cell.dataset(), cell.model()).path()))
                        .toList()
                : List.of();
        PairwiseTests tests = new PairwiseTests(cells, table.format().tests(look), 1);
        Staging.writeFile(
                file,
                table.format()
                        .text(
                                List.copyOf(own.values()),
                                board,
                                () -> table.layout().table(board, tests),
                                look));
        session.say("table in " + file);
    }

    private void attempt(String what, List<String> failures, Runnable work) {
        try {
            work.run();
        } catch (PosbiasException failure) {
            String line = Printable.line(what + ": " + failure.line());
            session.say("posbias: " + line);
            failures.add(line);
        }
    }
}
