package io.posbias.run;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import io.posbias.base.process.Stopwatch;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.SearchReport;
import io.posbias.rank.trec.RunReader;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import io.posbias.score.result.StoredCell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluates runs of other systems, and writes their cells. */
public final class RunScorer {
    private static final String BY_RANK = "by rank";

    private final Settings wanted;
    private final RunReader.Options reading;
    private final int threads;
    private final boolean overwrite;
    private final Session session;
    private final Set<String> told = new HashSet<>();

    public RunScorer(Settings wanted, RunReader.Options reading, int threads, boolean overwrite, Session session) {
        this.wanted = wanted;
        this.reading = reading;
        this.threads = threads;
        this.overwrite = overwrite;
        this.session = session;
    }

    /** A run file with the system that made it. */
    public record SystemRun(Path run, EvaluatedModel model) {
        /**
         * Names the system of a run.
         *
         * @param byRank true if passages are ranked by the rank column
         */
        public static SystemRun of(Path run, String name, String family, boolean byRank) {
            String bytes = Checksums.sha256(run);
            String digest = byRank ? Checksums.sha256((bytes + BY_RANK).getBytes(StandardCharsets.UTF_8)) : bytes;
            Map<String, @Nullable Object> recipe = new LinkedHashMap<>();
            recipe.put("name", name);
            recipe.put("kind", Result.RUN);
            recipe.put("file", String.valueOf(run.getFileName()));
            recipe.put("sha256", bytes);
            if (byRank) {
                recipe.put("scored", BY_RANK);
            }
            return new SystemRun(run, new EvaluatedModel(name, family, recipe, digest));
        }
    }

    /** Returns the name of a run's system: that of the file, without its endings. */
    public static String nameOf(Path run) {
        String stem = String.valueOf(run.getFileName()).replaceFirst("(\\.(trec|run|txt|res|json|gz))+$", "");
        return FileNames.ofModel(stem).replaceFirst("^\\.+", "");
    }

    /**
     * Evaluates a run.
     *
     * @param folder of the cell; null to write nothing
     */
    public Result score(SystemRun system, LazyDataset lazy, @Nullable ResultFolder folder) {
        Settings settings = wanted.on(lazy.card());
        RunKey key = RunKey.of(system.model(), lazy.card(), lazy.checksums(), settings, null);
        String seal = folder == null || overwrite ? null : folder.seal();
        Cell cell = folder == null || overwrite ? Cell.anew(key, settings) : Cell.open(folder, key, settings);
        Dataset benchmark = lazy.open();
        benchmark.notes().stream().filter(told::add).forEach(note -> session.say("note: " + note));
        Stopwatch stopwatch = lazy.stopwatch();
        RunReader.Read read = stopwatch.time("read run", () -> RunReader.read(system.run(), benchmark, reading));
        if (read.negative() > 0) {
            session.say("note: negative scores rank below all others: " + read.negative() + " of "
                    + Plural.of(read.run().hits(), "score"));
        }
        EvaluatedCell outcome = new Evaluation(benchmark, cell.asked(), threads, stopwatch)
                .measure(system.model(), new RetrievedRun(read.run(), SearchReport.NONE.with(read.stats())));
        StoredCell stored = cell.stored().orElse(null);
        if (stored != null && stored.holds(outcome.result())) {
            session.say(stored.finishedBefore());
            return stored.result().only(wanted.measures());
        }
        String lacking = outcome.result().lackingQueries();
        String done = outcome.result().model() + " on " + benchmark.name() + ": "
                + Plural.of(read.run().hits(), "hit") + (lacking.isEmpty() ? "" : "; the run " + lacking) + "; "
                + stopwatch;
        if (folder == null) {
            session.say(done);
            return outcome.result();
        }
        if (stored != null) {
            session.say(stored.replacedBy(outcome.result()));
        }
        EvaluatedCell made = outcome.withDatasetFolder(lazy.folder(), session.home(), folder.path());
        return folder.replace(seal, session, staging -> {
                    Result written = ResultFolder.write(staging, made.queries(), made.run(), threads);
                    session.say(done + "; files in " + folder.path());
                    return written.only(wanted.measures());
                })
                .orElseGet(() -> score(system, lazy, folder));
    }
}
