package io.posbias.evaluate;

import io.posbias.PosbiasException;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.result.EvaluatedModel;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
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
    private final Scoring scoring;
    private final int k;
    private final Engine engine;
    private final boolean overwrite;
    private final @Nullable ContentFixing fixing;
    private final Set<String> shownNotes = new HashSet<>();
    private final IdentityHashMap<Recipe, EvaluatedModel> models = new IdentityHashMap<>();

    /**
     * @param k maximum passages of a ranking
     * @param overwrite true to compute finished cells again
     * @param fixing null without {@code --content-fixed}
     */
    public CellRunner(Scoring scoring, int k, Engine engine, boolean overwrite, @Nullable ContentFixing fixing) {
        this.fixing = fixing;
        this.scoring = scoring;
        this.k = k;
        this.engine = engine;
        this.overwrite = overwrite;
    }

    public Scoring scoring() {
        return scoring;
    }

    public int k() {
        return k;
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
    public static void refuseTwins(
            String models, List<Recipe> recipes, String datasets, List<Datasets.Source> sources) {
        refuseTwins(models, "model", recipes.stream().map(Recipe::name).toList());
        refuseTwins(
                datasets, "dataset", sources.stream().map(Datasets.Source::name).toList());
    }

    private static void refuseTwins(String place, String kind, List<String> names) {
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
     * single cell is thrown.
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
        for (Datasets.Source source : sources) {
            Optional<LazyDataset> benchmark =
                    attempt(single, outcome, source.name(), () -> source.lazy(engine.progress()));
            int before = outcome.results().size();
            for (Recipe recipe : recipes) {
                String cell = recipe.name() + " on " + source.name();
                if (counter != null) {
                    counter.next(cell, engine, benchmark.isPresent());
                }
                if (benchmark.isPresent()) {
                    ResultFolder files = new ResultFolder(folder.apply(source.name(), recipe.name()));
                    attempt(single, outcome, cell, () -> run(recipe, benchmark.get(), files))
                            .ifPresent(result -> {
                                result.doubts().forEach(doubt -> engine.say("note: " + doubt));
                                outcome.results().add(result);
                            });
                }
            }
            if (outcome.results().size() > before) {
                after.accept(benchmark.orElseThrow());
            }
        }
        return outcome;
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
                boolean finished =
                        usable(recipe, lazy, files).filter(EarlierCell::serves).isPresent();
                CallEstimate calls =
                        finished ? CallEstimate.NONE : recipe.retriever().calls(lazy.open(), null, engine);
                estimates.add(
                        new CellEstimate(recipe.name(), source.name(), finished ? "finished" : "to compute", calls));
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

    /** Returns the usable result of an earlier run; empty with {@code --overwrite}. */
    public Optional<EarlierCell> usable(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        return overwrite ? Optional.empty() : earlier(recipe, lazy, folder).map(EarlierCell::checked);
    }

    private Optional<EarlierCell> earlier(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        return EarlierCell.in(
                        folder,
                        model(recipe),
                        lazy,
                        scoring.settings(k, lazy.card(), fixing == null ? null : fixing.name()),
                        null)
                .map(earlier -> earlier.within(scoring.equivalence()));
    }

    /** Returns the result of an earlier run or computes it, without writing files. */
    public Result unwritten(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        return earlier(recipe, lazy, folder)
                .filter(EarlierCell::serves)
                .map(earlier -> earlier.unwritten().result(model(recipe), lazy, scoring, null, engine.home()))
                .orElseGet(() -> computed(recipe, lazy).result());
    }

    /** Computes a cell without earlier results and without writing files. */
    public Evaluation.EvaluatedCell computed(Recipe recipe, LazyDataset lazy) {
        return computed(recipe, evaluation(recipe, lazy, null), null);
    }

    private Evaluation evaluation(Recipe recipe, LazyDataset lazy, @Nullable EarlierCell earlier) {
        Dataset dataset = opened(recipe, lazy);
        return new Evaluation(
                dataset, earlier == null ? scoring : scoring.measuring(earlier.measures()), lazy.stopwatch());
    }

    /**
     * @param earlier result whose numbers are kept; null for none
     */
    private Evaluation.EvaluatedCell computed(Recipe recipe, Evaluation evaluation, @Nullable EarlierCell earlier) {
        RetrievedRun found = evaluation.retrieve(recipe, k, engine);
        Evaluation.EvaluatedCell plain = evaluation.measure(model(recipe), found, k);
        if (fixing != null) {
            return evaluation.fixed(plain, fixing, evaluation.places(fixing, recipe, found, engine));
        }
        return earlier == null || !earlier.replaces() ? plain : earlier.kept(plain, evaluation.stopwatch());
    }

    /** Opens the benchmark after the model's files are installed. */
    private Dataset opened(Recipe recipe, LazyDataset lazy) {
        new ModelStore(engine.session()).require(recipe);
        // What was downloaded may have another content than what was there.
        models.remove(recipe);
        Dataset dataset = lazy.open();
        dataset.notes().stream().filter(shownNotes::add).forEach(note -> engine.say("note: " + note));
        scoring.bucketing(dataset);
        return dataset;
    }

    private Result run(Recipe recipe, LazyDataset lazy, ResultFolder folder) {
        // Invalid settings are refused before anything is loaded.
        scoring.bucketing(lazy.card());
        EarlierCell earlier = usable(recipe, lazy, folder).orElse(null);
        if (earlier != null) {
            engine.say(earlier.line());
        }
        if (earlier != null && earlier.serves()) {
            return earlier.result(model(recipe), lazy, scoring, fixing, engine.home());
        }
        if (earlier != null && !earlier.replaces()) {
            return computed(recipe, evaluation(recipe, lazy, earlier), earlier)
                    .result()
                    .only(scoring.names());
        }
        try (Staging staging = folder.staging()) {
            if (overwrite || earlier != null || !folder.isFinished()) {
                Evaluation evaluation = evaluation(recipe, lazy, earlier);
                Stopwatch stopwatch = evaluation.stopwatch();
                Evaluation.EvaluatedCell outcome =
                        computed(recipe, evaluation, earlier).readFrom(lazy.folder(), engine.home(), folder.path());
                Result written = stopwatch.time(
                        "write",
                        () -> ResultFolder.write(
                                staging,
                                outcome.result(),
                                outcome.run(),
                                outcome.scores(),
                                outcome.placement(),
                                outcome.places(),
                                scoring.threads()));
                engine.say(recipe.name() + " on " + evaluation.dataset().name() + ": " + stopwatch + "; files in "
                        + folder.path());
                return written.only(scoring.names());
            }
        }
        // Another process has finished it meanwhile.
        return run(recipe, lazy, folder);
    }
}
