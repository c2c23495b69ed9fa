package io.posbias.run;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.dataset.Stopwatch;
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
import java.util.function.Function;
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
                                new Cell(recipe, source, new ResultFolder(folder.apply(source.name(), recipe.name())))))
                .toList());
        for (Datasets.Source source : sources) {
            Optional<LazyDataset> benchmark =
                    attempt(single, outcome, source.name(), () -> source.lazy(engine.progress()));
            int before = outcome.results().size();
            for (int i = 0; i < recipes.size(); i++) {
                Cell cell = sharing.next();
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

    private record Cell(Recipe recipe, Datasets.Source source, ResultFolder files) {
        String name() {
            return recipe.name() + " on " + source.name();
        }
    }

    /** Cells in their order. Several processes evaluate different cells at once. */
    private final class Sharing {
        private final Deque<Cell> coming;
        private final Map<Cell, Optional<Result>> early = new HashMap<>();

        Sharing(List<Cell> cells) {
            coming = new ArrayDeque<>(cells);
        }

        Cell next() {
            return coming.removeFirst();
        }

        Result result(Cell cell, LazyDataset lazy) {
            while (!early.containsKey(cell) && cell.files.isBeingWritten()) {
                Optional<Cell> free = coming.stream()
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
        private Optional<Result> evaluated(Cell free, Cell busy, LazyDataset lazy) {
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
                boolean finished = state(recipe, lazy, files) != State.MISSING;
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

    /** State of a cell before it is run. */
    public enum State {
        /** It has the findings. */
        FINISHED,
        /** It has its run, but other findings. */
        RETRIEVED,
        MISSING
    }

    /**
     * Returns the state of a cell.
     *
     * @throws PosbiasException if the folder has another run
     */
    public State state(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        Settings wanted = settings.on(lazy.card());
        RunKey key = key(recipe, lazy, wanted);
        return stored(key, lazy, folder)
                .filter(cell -> isReusable(cell, key, lazy))
                .map(cell -> wanted.including(cell.result().settings())
                                .equals(cell.result().settings())
                        ? State.FINISHED
                        : State.RETRIEVED)
                .orElse(State.MISSING);
    }

    private RunKey key(Recipe recipe, LazyDataset lazy, Settings wanted) {
        return RunKey.of(model(recipe), lazy.card(), lazy.checksums(), wanted);
    }

    private Optional<StoredCell> stored(RunKey key, LazyDataset lazy, ResultFolder folder) {
        return overwrite ? Optional.empty() : folder.cell(key, lazy.card());
    }

    private static boolean isReusable(StoredCell cell, RunKey key, LazyDataset lazy) {
        return RunKey.of(cell.result(), lazy.card()).serves(key) && cell.hasRun(key.placing() != null);
    }

    /** Returns a cell's queries from its run, or computes them, without writing files. */
    public CellQueries unwritten(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        RunKey key = key(recipe, lazy, settings.on(lazy.card()));
        StoredCell stored =
                folder.cell().filter(cell -> isReusable(cell, key, lazy)).orElse(null);
        Evaluation evaluation = evaluation(recipe, lazy, settings, stored);
        return findings(recipe, evaluation, stored, null).queries();
    }

    /** Computes a cell without earlier results and without writing files. */
    public Evaluation.EvaluatedCell computed(Recipe recipe, LazyDataset lazy) {
        return findings(recipe, evaluation(recipe, lazy, settings, null), null, null);
    }

    /**
     * Opens the benchmark, after the model's files are installed.
     *
     * @param stored cell whose run is measured; null to search
     */
    private Evaluation evaluation(Recipe recipe, LazyDataset lazy, Settings asked, @Nullable StoredCell stored) {
        if (stored == null) {
            new ModelStore(engine.session()).require(recipe);
            // What was downloaded may have another content than what was there.
            models.remove(recipe);
        }
        Dataset dataset = lazy.open();
        dataset.notes().stream().filter(shownNotes::add).forEach(note -> engine.say("note: " + note));
        // Refuses a benchmark without buckets, or in a language without words, before anything is searched.
        Evaluation evaluation = new Evaluation(dataset, asked.on(dataset), engine.threads(), lazy.stopwatch());
        if (stored == null) {
            recipe.refuseLanguage(dataset.card());
        }
        return evaluation;
    }

    /**
     * Computes the findings of a run.
     *
     * @param run cell whose run is measured; null to search
     * @param placed cell whose content-fixed scores are kept; null to score
     */
    private Evaluation.EvaluatedCell findings(
            Recipe recipe, Evaluation evaluation, @Nullable StoredCell run, @Nullable StoredCell placed) {
        Dataset dataset = evaluation.dataset();
        boolean places = evaluation.settings().contentFixed() != null
                && dataset.card().contentFixed().isEmpty();
        if (run == null) {
            RetrievedRun found = evaluation.retrieve(recipe, engine);
            Evaluation.EvaluatedCell plain = evaluation.measure(model(recipe), found);
            if (fixing != null) {
                return evaluation.fixed(plain, fixing.method(), evaluation.places(fixing, recipe, found, engine));
            }
            return places && placed != null ? evaluation.fixed(plain, placed.method(), placed.places()) : plain;
        }
        Run read = evaluation.stopwatch().time("read run", () -> CellRun.read(run, dataset));
        Evaluation.EvaluatedCell plain = evaluation.measure(
                model(recipe).orOf(run.result()),
                read,
                run.facts(),
                run.result().retrieval());
        return places ? evaluation.fixed(plain, run.method(), run.places()) : plain;
    }

    /** Evaluates a cell, or reads the result of a finished one; says what may give its numbers another meaning. */
    public Result result(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        Result result = run(recipe, lazy, folder);
        result.doubts().forEach(doubt -> engine.say("note: " + doubt));
        return result;
    }

    private Result run(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        // Invalid settings are refused before anything is loaded.
        Settings wanted = settings.on(lazy.card());
        RunKey key = key(recipe, lazy, wanted);
        String seal = overwrite ? null : folder.seal();
        StoredCell earlier = stored(key, lazy, folder).orElse(null);
        if (earlier == null) {
            return locked(recipe, lazy, folder, seal, staging -> made(recipe, lazy, wanted, null, staging));
        }
        Settings found = earlier.result().settings();
        // Files are replaced only if none of their numbers is lost.
        boolean replaces = wanted.isLike(found);
        Settings asked = replaces ? wanted.including(found) : wanted;
        StoredCell run = isReusable(earlier, key, lazy) ? earlier : null;
        List<String> missing = earlier.missing();
        boolean finished = run != null && asked.equals(found) && missing.isEmpty();
        engine.say(finished ? earlier.finishedBefore() : line(earlier, missing, run != null, wanted));
        if (finished && confirmed.has(folder.path())) {
            return earlier.result().only(settings.measures());
        }
        if (replaces && run == null) {
            if (asked.contentFixed() != null
                    && wanted.contentFixed() == null
                    && earlier.places().isEmpty()) {
                throw folder.otherwise("holds the content fixed, and files of it are missing");
            }
            return locked(recipe, lazy, folder, seal, staging -> made(recipe, lazy, asked, earlier, staging));
        }
        Evaluation evaluation = evaluation(recipe, lazy, asked, run);
        Evaluation.EvaluatedCell outcome = findings(recipe, evaluation, run, null);
        boolean same = outcome.result().isSame(earlier.result()) && missing.isEmpty();
        if (finished && same) {
            confirm(evaluation, folder.path());
        }
        Result result = same
                ? earlier.result()
                : replaces
                        ? locked(recipe, lazy, folder, seal, staging -> rewritten(outcome, earlier, lazy, staging))
                        : outcome.result();
        return result.only(settings.measures());
    }

    /** Writes a cell; runs it again if another process has replaced its result meanwhile. */
    private Result locked(
            Recipe recipe,
            LazyDataset lazy,
            ResultFolder folder,
            @Nullable String seal,
            Function<Staging, Result> writer) {
        return folder.write(seal, engine.session(), writer, () -> run(recipe, lazy, folder));
    }

    /** Searches, and writes the files of the cell. */
    private Result made(
            Recipe recipe, LazyDataset lazy, Settings asked, @Nullable StoredCell earlier, Staging staging) {
        Evaluation evaluation = evaluation(recipe, lazy, asked, null);
        Stopwatch stopwatch = evaluation.stopwatch();
        Path folder = staging.target();
        Evaluation.EvaluatedCell outcome =
                findings(recipe, evaluation, null, earlier).withDatasetFolder(lazy.folder(), engine.home(), folder);
        Result written = stopwatch.time(
                "write", () -> ResultFolder.write(staging, outcome.queries(), outcome.run(), engine.threads()));
        confirm(evaluation, folder);
        engine.say(recipe.name() + " on " + lazy.card().name() + ": " + stopwatch + "; files in " + folder);
        return written.only(settings.measures());
    }

    /** A benchmark with notes is opened each time, which prints them. */
    private void confirm(Evaluation evaluation, Path folder) {
        if (evaluation.dataset().notes().isEmpty()) {
            confirmed.add(folder);
        }
    }

    /** Replaces the findings in the files of a cell, whose run stays. */
    private Result rewritten(Evaluation.EvaluatedCell outcome, StoredCell earlier, LazyDataset lazy, Staging staging) {
        Evaluation.EvaluatedCell own = outcome.withDatasetFolder(lazy.folder(), engine.home(), staging.target())
                .after(earlier.result());
        return ResultFolder.write(staging, own.queries(), null, engine.threads());
    }

    /** Says what is done with an earlier cell. */
    private static String line(StoredCell earlier, List<String> missing, boolean reusable, Settings wanted) {
        Settings found = earlier.result().settings();
        List<String> reasons = new ArrayList<>(wanted.differences(found));
        missing.forEach(name -> reasons.add(name + " is missing"));
        if (reasons.isEmpty()) {
            reasons.add("made by an earlier version of posbias");
        }
        boolean replaces = wanted.isLike(found);
        return earlier.name() + ": " + String.join("; ", reasons)
                + (reusable ? "; measured from " + earlier.folder() + "/" + ResultFolder.RUN : "; computed again")
                + (replaces ? "" : " and " + StoredCell.NOT_WRITTEN);
    }
}
