package io.posbias.run;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.CallEstimate;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates cells, one model on one benchmark each, and keeps finished ones; shared by {@code eval} and {@code run}.
 */
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

    /**
     * Refuses cells of equal names, which would overwrite each other.
     *
     * @param models option or field with the models, in errors
     * @param datasets option or field with the datasets, in errors
     */
    public static void requireDistinctNames(
            String models, List<Recipe> recipes, String datasets, List<Datasets.Source> sources) {
        requireDistinctNames(models, "model", recipes.stream().map(Recipe::name).toList());
        requireDistinctNames(
                datasets, "dataset", sources.stream().map(Datasets.Source::name).toList());
    }

    private static void requireDistinctNames(String place, String kind, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new UsageException(place + " names two " + kind + "s called " + name);
            }
        }
    }

    /**
     * Results and failures of cells.
     *
     * @param failures a line per cell, or per benchmark that could not be opened
     */
    public record CellOutcome(List<Result> results, List<String> failures) {}

    /** Cell numbers in progress messages, over several calls. */
    public static final class Counter {
        private final int cells;
        private int number;

        /**
         * @param cells total number
         */
        public Counter(int cells) {
            this.cells = cells;
        }

        private void next(String cell, Engine engine, boolean say) {
            number++;
            if (say) {
                engine.say("cell " + number + " of " + cells + ": " + cell);
            }
        }
    }

    /**
     * Evaluates all models on all benchmarks. A failed cell is reported and the others continue; the failure of a
     * single cell is thrown. While another process evaluates a cell, later ones come first.
     *
     * @param folder of a cell, by benchmark and model
     * @param counter of the cells if this call is part of more, and then failures are not thrown; null if it is all
     * @param after receives each benchmark with a result, after its last cell
     */
    public CellOutcome all(
            List<Recipe> recipes,
            List<Datasets.Source> sources,
            BiFunction<String, String, Path> folder,
            @Nullable Counter counter,
            Consumer<LazyDataset> after) {
        boolean single = recipes.size() * sources.size() == 1 && counter == null;
        CellOutcome outcome = new CellOutcome(new ArrayList<>(), new ArrayList<>());
        Sharing sharing = new Sharing(sources.stream()
                .flatMap(source -> recipes.stream()
                        .map(recipe ->
                                new Job(recipe, source, new ResultFolder(folder.apply(source.name(), recipe.name())))))
                .toList());
        for (Datasets.Source source : sources) {
            Optional<LazyDataset> benchmark =
                    attempt(single, outcome, source.name(), () -> source.lazy(engine.progress()));
            int before = outcome.results().size();
            for (int i = 0; i < recipes.size(); i++) {
                Job cell = sharing.next();
                if (counter != null) {
                    counter.next(cell.name(), engine, benchmark.isPresent());
                }
                if (benchmark.isPresent()) {
                    attempt(single, outcome, cell.name(), () -> sharing.result(cell, benchmark.get()))
                            .ifPresent(outcome.results()::add);
                }
            }
            if (outcome.results().size() > before) {
                after.accept(benchmark.orElseThrow());
            }
        }
        return outcome;
    }

    private record Job(Recipe recipe, Datasets.Source source, ResultFolder files) {
        String name() {
            return recipe.name() + " on " + source.name();
        }
    }

    /** Cells in their order. Several processes evaluate different cells at once. */
    private final class Sharing {
        private final Deque<Job> coming;
        private final Map<Job, Optional<Result>> early = new HashMap<>();

        Sharing(List<Job> cells) {
            coming = new ArrayDeque<>(cells);
        }

        Job next() {
            return coming.removeFirst();
        }

        Result result(Job cell, LazyDataset lazy) {
            while (!early.containsKey(cell) && cell.files.isBeingWritten()) {
                Optional<Job> free = coming.stream()
                        .filter(later -> !early.containsKey(later) && !later.files.isBeingWritten())
                        .findFirst();
                if (free.isEmpty()) {
                    break;
                }
                early.put(free.get(), evaluated(free.get(), cell, lazy));
            }
            Optional<Result> known = early.getOrDefault(cell, Optional.empty());
            return known.orElseGet(() -> CellRunner.this.result(cell.recipe, lazy, cell.files));
        }

        /** Empty for a failure, which is reported in its turn. */
        private Optional<Result> evaluated(Job free, Job busy, LazyDataset lazy) {
            engine.say(
                    busy.name() + ": another posbias is writing " + busy.files.path() + "; " + free.name() + " first");
            try {
                LazyDataset own = free.source.equals(busy.source) ? lazy : free.source.lazy(engine.progress());
                return Optional.of(CellRunner.this.result(free.recipe, own, free.files));
            } catch (PosbiasException later) {
                return Optional.empty();
            }
        }
    }

    /**
     * Estimates the service calls of all models on all benchmarks, without calls and files.
     *
     * @param folder as for {@link #all}
     */
    public List<CellEstimate> estimate(
            List<Recipe> recipes, List<Datasets.Source> sources, BiFunction<String, String, Path> folder) {
        List<CellEstimate> estimates = new ArrayList<>();
        for (Datasets.Source source : sources) {
            LazyDataset lazy = source.lazy(engine.progress());
            for (Recipe recipe : recipes) {
                ResultFolder files = new ResultFolder(folder.apply(source.name(), recipe.name()));
                boolean finished = cell(recipe, lazy, files).hasRun();
                CallEstimate calls =
                        finished ? CallEstimate.NONE : recipe.retriever().calls(lazy.open(), null, engine);
                estimates.add(
                        new CellEstimate(recipe.name(), source.name(), calls, finished ? "finished" : "to compute"));
            }
        }
        return estimates;
    }

    private <T> Optional<T> attempt(boolean single, CellOutcome outcome, String what, Supplier<T> work) {
        try {
            return Optional.of(work.get());
        } catch (PosbiasException failure) {
            if (single) {
                throw failure;
            }
            String line = what + ": " + failure.line();
            engine.say("posbias: " + line);
            outcome.failures().add(line);
            return Optional.empty();
        }
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
        if (overwrite) {
            return anew(recipe, lazy);
        }
        Settings wanted = settings.on(lazy.card());
        return Cell.open(folder, key(recipe, lazy, wanted), wanted);
    }

    private Cell anew(Recipe recipe, LazyDataset lazy) {
        Settings wanted = settings.on(lazy.card());
        return Cell.anew(key(recipe, lazy, wanted), wanted);
    }

    private RunKey key(Recipe recipe, LazyDataset lazy, Settings wanted) {
        return RunKey.of(
                model(recipe),
                lazy.card(),
                lazy.checksums(),
                wanted,
                fixing == null || !lazy.card().contentFixed().isEmpty() ? null : fixing.placing(wanted));
    }

    /** Returns a cell's queries from its run, or computes them, without writing files. */
    public CellQueries unwritten(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        Settings wanted = settings.on(lazy.card());
        Cell stored = Cell.of(folder, key(recipe, lazy, wanted), wanted);
        return findings(recipe, evaluation(recipe, lazy, stored), stored).queries();
    }

    /** Computes a cell without earlier results and without writing files. */
    public Evaluation.EvaluatedCell computed(Recipe recipe, LazyDataset lazy) {
        Cell cell = anew(recipe, lazy);
        return findings(recipe, evaluation(recipe, lazy, cell), cell);
    }

    /** Opens the benchmark, after the model's files are installed if it is searched. */
    private Evaluation evaluation(Recipe recipe, LazyDataset lazy, Cell cell) {
        if (!cell.hasRun()) {
            new ModelStore(engine.session()).require(recipe);
            // What was downloaded may have another content than what was there.
            models.remove(recipe);
        }
        Dataset dataset = lazy.open();
        dataset.notes().stream().filter(shownNotes::add).forEach(note -> engine.say("note: " + note));
        // Refuses a benchmark without buckets, or in a language without words, before anything is searched.
        Evaluation evaluation = new Evaluation(dataset, cell.asked().on(dataset), engine.threads(), lazy.stopwatch());
        if (!cell.hasRun()) {
            recipe.refuseLanguage(dataset.card());
        }
        return evaluation;
    }

    /** Computes the findings of the stored run, or of a search. */
    private Evaluation.EvaluatedCell findings(Recipe recipe, Evaluation evaluation, Cell cell) {
        StoredCell stored = cell.withRun().orElse(null);
        if (stored != null) {
            Run run = evaluation.stopwatch().time("read run", () -> CellRun.read(stored, evaluation.dataset()));
            Result result = stored.result();
            return evaluation.placed(
                    evaluation.measure(model(recipe).orOf(result), run, stored.facts(), result.retrieval()),
                    cell.placed());
        }
        RetrievedRun found = evaluation.retrieve(recipe, engine);
        Evaluation.EvaluatedCell plain = evaluation.measure(model(recipe), found);
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
            return folder.write(
                    seal,
                    engine.session(),
                    staging -> searched(recipe, lazy, cell, staging),
                    () -> run(recipe, lazy, folder));
        }
        if (cell.isFinished() && confirmed.has(folder.path())) {
            engine.say(stored.finishedBefore());
            return stored.result().only(settings.measures());
        }
        Evaluation evaluation = evaluation(recipe, lazy, cell);
        Evaluation.EvaluatedCell found = findings(recipe, evaluation, cell);
        if (stored.holds(found.result())) {
            engine.say(stored.finishedBefore());
            confirm(evaluation, folder.path());
            return stored.result().only(settings.measures());
        }
        engine.say(stored.replacedBy(found.result()) + "; measured from " + folder.path() + "/" + ResultFolder.RUN);
        return folder.write(
                seal,
                engine.session(),
                staging -> written(found.after(stored.result()), null, evaluation, lazy, staging),
                () -> run(recipe, lazy, folder));
    }

    /** Searches, and writes the files of the cell. */
    private Result searched(Recipe recipe, LazyDataset lazy, Cell cell, Staging staging) {
        Evaluation evaluation = evaluation(recipe, lazy, cell);
        Evaluation.EvaluatedCell found = findings(recipe, evaluation, cell);
        Result written =
                evaluation.stopwatch().time("write", () -> written(found, found.run(), evaluation, lazy, staging));
        engine.say(recipe.name() + " on " + lazy.card().name() + ": " + evaluation.stopwatch() + "; files in "
                + staging.target());
        return written;
    }

    /** @param run null to keep the run that is there */
    private Result written(
            Evaluation.EvaluatedCell found,
            @Nullable Run run,
            Evaluation evaluation,
            LazyDataset lazy,
            Staging staging) {
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
