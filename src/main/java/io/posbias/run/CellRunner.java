package io.posbias.run;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.CellRun;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluates a model on a benchmark by its settings, and keeps what is finished. */
public final class CellRunner {
    private final Settings settings;
    private final Engine engine;
    private final boolean overwrite;
    private final @Nullable ContentFixing fixing;
    private final Set<String> shownNotes = new HashSet<>();
    private final IdentityHashMap<Recipe, EvaluatedModel> models = new IdentityHashMap<>();
    private final Confirmed confirmed;

    /**
     * @param overwrite true to compute finished cells again
     * @param fixing null without {@code --content-fixed}
     */
    public CellRunner(Settings settings, Engine engine, boolean overwrite, @Nullable ContentFixing fixing) {
        this.settings = fixing == null ? settings : settings.withContentFixed(fixing.name());
        this.fixing = fixing;
        this.engine = engine;
        this.overwrite = overwrite;
        this.confirmed = new Confirmed(engine.home());
    }

    public Settings settings() {
        return settings;
    }

    public Engine engine() {
        return engine;
    }

    /** Digests a model's local files once for all cells. */
    private EvaluatedModel model(Recipe recipe) {
        return models.computeIfAbsent(recipe, own -> ModelStore.model(own, engine.home()));
    }

    /**
     * Opens a cell.
     *
     * @throws PosbiasException if the folder has another run
     */
    public Cell cell(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        return overwrite ? anew(recipe, lazy) : Cell.open(folder, key(recipe, lazy), settings.on(lazy.card()));
    }

    private Cell anew(Recipe recipe, LazyDataset lazy) {
        return Cell.anew(key(recipe, lazy), settings.on(lazy.card()));
    }

    private RunKey key(Recipe recipe, LazyDataset lazy) {
        Settings wanted = settings.on(lazy.card());
        return RunKey.of(
                model(recipe),
                lazy.card(),
                lazy.checksums(),
                wanted,
                fixing == null || !lazy.card().contentFixed().isEmpty() ? null : fixing.placing(wanted));
    }

    /** Returns a cell's queries from its run, or computes them, without writing files. */
    public CellQueries unwritten(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        Cell stored = Cell.of(folder, key(recipe, lazy), settings.on(lazy.card()));
        return findings(recipe, evaluation(recipe, lazy, stored), stored).queries();
    }

    /** Computes a cell without earlier results and without writing files. */
    public EvaluatedCell computed(Recipe recipe, LazyDataset lazy) {
        Cell cell = anew(recipe, lazy);
        return findings(recipe, evaluation(recipe, lazy, cell), cell);
    }

    /** Opens the benchmark, after the model's files are installed if it is searched. */
    private Evaluation evaluation(Recipe recipe, LazyDataset lazy, Cell cell) {
        if (!cell.hasRun()) {
            new ModelStore(engine.session()).require(recipe);
            // What was downloaded may have another content than what was there.
            models.remove(recipe);
            recipe.startEarly(engine);
        }
        Dataset dataset = lazy.open();
        dataset.notes().stream().filter(shownNotes::add).forEach(note -> engine.say("note: " + note));
        // Refuses a benchmark without buckets, or in a language without words, before anything is searched.
        Evaluation evaluation = new Evaluation(dataset, cell.asked().on(dataset), engine.threads(), lazy.stopwatch());
        if (!cell.hasRun()) {
            recipe.prepareWords(dataset.card(), engine.session());
        }
        return evaluation;
    }

    private EvaluatedCell findings(Recipe recipe, Evaluation evaluation, Cell cell) {
        StoredCell stored = cell.withRun().orElse(null);
        if (stored != null) {
            Run run = evaluation.stopwatch().time("read run", () -> CellRun.read(stored, evaluation.dataset()));
            Result result = stored.result();
            return evaluation.placed(
                    evaluation.measure(model(recipe).orOf(result), run, stored.facts(), result.retrieval()),
                    cell.placed());
        }
        RetrievedRun found = evaluation.retrieve(recipe, engine);
        EvaluatedCell plain = evaluation.measure(model(recipe), found);
        return evaluation.placed(
                plain,
                fixing == null
                        ? cell.placed()
                        : new Cell.Placed(cell.key().placing(), evaluation.places(fixing, recipe, found, engine)));
    }

    /** Evaluates a cell, or reads the result of a finished one; says what may give its numbers another meaning. */
    public Result result(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        Result result = run(recipe, lazy, folder);
        result.doubts().forEach(doubt -> engine.say("note: " + doubt));
        return result;
    }

    private Result run(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        String seal = overwrite ? null : folder.seal();
        Cell cell = cell(recipe, lazy, folder);
        StoredCell stored = cell.stored().orElse(null);
        if (stored == null || !cell.hasRun()) {
            if (stored != null) {
                engine.say(stored.why(cell.asked()) + "; computed again");
            }
            return folder.replace(seal, engine.session(), staging -> searched(recipe, lazy, cell, staging))
                    .orElseGet(() -> run(recipe, lazy, folder));
        }
        if (cell.isFinished() && confirmed.has(folder.path())) {
            engine.say(stored.finishedBefore());
            return stored.result().only(settings.measures());
        }
        Evaluation evaluation = evaluation(recipe, lazy, cell);
        EvaluatedCell found = findings(recipe, evaluation, cell);
        if (stored.holds(found.result())) {
            engine.say(stored.finishedBefore());
            confirm(evaluation, folder.path());
            return stored.result().only(settings.measures());
        }
        engine.say(stored.replacedBy(found.result()) + "; measured from " + folder.path() + "/" + ResultFolder.RUN);
        return folder.replace(
                        seal,
                        engine.session(),
                        staging -> written(found.after(stored.result()), null, evaluation, lazy, staging))
                .orElseGet(() -> run(recipe, lazy, folder));
    }

    private Result searched(Recipe recipe, LazyDataset lazy, Cell cell, Staging staging) {
        Evaluation evaluation = evaluation(recipe, lazy, cell);
        EvaluatedCell found = findings(recipe, evaluation, cell);
        Result written =
                evaluation.stopwatch().time("write", () -> written(found, found.run(), evaluation, lazy, staging));
        engine.say(recipe.name() + " on " + lazy.card().name() + ": " + evaluation.stopwatch() + "; files in "
                + staging.target());
        return written;
    }

    /** @param run null to keep the run that is there */
    private Result written(
            EvaluatedCell found, @Nullable Run run, Evaluation evaluation, LazyDataset lazy, Staging staging) {
        Path folder = staging.target();
        CellQueries queries =
                found.withDatasetFolder(lazy.folder(), engine.home(), folder).queries();
        Result written = ResultFolder.write(staging, queries, run, engine.threads());
        confirm(evaluation, folder);
        return written.only(settings.measures());
    }

    /** A benchmark with notes is opened each time, which prints them. */
    private void confirm(Evaluation evaluation, Path folder) {
        if (evaluation.dataset().notes().isEmpty()) {
            confirmed.add(folder);
        }
    }
}
