package io.posbias.run.experiment;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.data.convert.Catalog;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Cell;
import io.posbias.run.Cells;
import io.posbias.score.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Plans cells: states, work and times. Downloads nothing and writes no result. */
public final class Forecaster {
    private static final String MISSING = "missing";

    /** Seconds that all measurements of a forecast take together. */
    private static final double BUDGET = 10;

    private final BiFunction<String, String, ResultFolder> folder;
    private final Session session;
    private final CellCosts costs;
    private final Catalog catalog = Catalog.read();
    private final Map<String, LazyDataset> opened = new HashMap<>();
    private final Map<String, BenchmarkSize> sizes = new HashMap<>();

    /** Seconds per token by recipe and first stage; NaN after a failure. */
    private final Map<String, Double> rates = new HashMap<>();

    private final CallLimit counted = CallLimit.ofLocalWork();
    private final List<String> untimed = new ArrayList<>();
    private final long began;

    /**
     * @param folder of a cell, by benchmark and model
     */
    public Forecaster(BiFunction<String, String, ResultFolder> folder, Session session) {
        this.folder = folder;
        this.session = session;
        this.costs = new CellCosts(session.home());
        this.began = session.clock().getAsLong();
    }

    public List<ExperimentForecast> of(List<Cells.Job> cells) {
        List<ExperimentForecast> all = new ArrayList<>();
        long models = cells.stream().map(Forecaster::model).distinct().count();
        for (Cells.Job cell : cells) {
            String state = state(cell);
            all.add(
                    state.equals(MISSING) || state.equals(ExperimentForecast.TO_PULL)
                            ? missing(cell, state, models)
                            : nothing(cell, state));
        }
        if (!untimed.isEmpty()) {
            session.say(String.format(
                    Locale.ROOT, "not timed in the %.0f s of a forecast: %s", BUDGET, String.join(", ", untimed)));
        }
        return all;
    }

    private static ExperimentForecast nothing(Cells.Job cell, String state) {
        return new ExperimentForecast(cell.recipe().name(), cell.source().name(), state, 0L, 0L, 0L, 0.0);
    }

    private static ExperimentForecast unknown(Cells.Job cell, String state) {
        return new ExperimentForecast(cell.recipe().name(), cell.source().name(), state, null, null, null, null);
    }

    /** Action of a run; prints why a cell would fail. Datasets are not downloaded. */
    private String state(Cells.Job cell) {
        if (!isLocal(cell)) {
            return ExperimentForecast.TO_PULL;
        }
        try {
            return word(cell.runner()
                    .cell(
                            cell.recipe(),
                            lazy(cell),
                            folder.apply(cell.source().name(), cell.recipe().name())));
        } catch (PosbiasException failure) {
            session.say(Printable.line(cell.name() + ": " + failure.line()));
            return "would fail";
        }
    }

    private static String word(Cell cell) {
        return cell.isFinished() ? "finished" : cell.hasRun() ? "run there" : MISSING;
    }

    private static boolean isLocal(Cells.Job cell) {
        return cell.source().isLocal().getAsBoolean();
    }

    private LazyDataset lazy(Cells.Job cell) {
        return opened.computeIfAbsent(
                cell.source().name(), name -> cell.source().lazy(session.progress()));
    }

    private static String model(Cells.Job cell) {
        return cell.recipe().name() + "\n" + cell.recipe().settings().raw("first-stage");
    }

    /** @param models of the forecast, which share the time for measurements */
    private ExperimentForecast missing(Cells.Job cell, String state, long models) {
        try {
            BenchmarkSize size = size(cell);
            if (size == null) {
                return unknown(cell, state);
            }
            CellCost cost = costs.of(cell.recipe(), size);
            return new ExperimentForecast(
                    cell.recipe().name(),
                    cell.source().name(),
                    state,
                    Math.round(cost.texts()),
                    Math.round(cost.pairs()),
                    calls(cell),
                    seconds(cell, cost, models));
        } catch (PosbiasException failure) {
            session.say(Printable.line(cell.name() + ": no forecast: " + failure.line()));
            return unknown(cell, state);
        }
    }

    /** Size by the files if they are local, else as published; null if unpublished. */
    private @Nullable BenchmarkSize size(Cells.Job cell) {
        if (isLocal(cell)) {
            return sizes.computeIfAbsent(
                    cell.source().name(), name -> BenchmarkSize.of(lazy(cell).open()));
        }
        return cell.source().entry() == null
                        || catalog.size(cell.source().entry()).isEmpty()
                ? null
                : BenchmarkSize.of(cell.source(), catalog);
    }

    private @Nullable Long calls(Cells.Job cell) {
        if (!cell.recipe().callsService()) {
            return 0L;
        }
        Engine engine = cell.runner().engine();
        return isLocal(cell)
                ? (Long) cell.recipe()
                        .retriever()
                        .calls(lazy(cell).open(), null, engine)
                        .calls()
                : null;
    }

    /** Seconds for what is not cached, at the rate of the model; null if it was not measured. */
    private @Nullable Double seconds(Cells.Job cell, CellCost cost, long models) {
        boolean isHere = isLocal(cell) && canRun(cell);
        // Before the measurement, which caches some of it.
        double tokens = isHere && readsTexts(cell.recipe()) && left() > 0 ? tokens(cell) : cost.tokens();
        if (tokens == 0) {
            return 0.0;
        }
        if (isHere && !rates.containsKey(model(cell))) {
            rates.put(model(cell), rate(cell, models));
        }
        Double rate = rates.get(model(cell));
        return rate == null || rate.isNaN() || rate == 0 ? null : (Double) (rate * tokens);
    }

    private double left() {
        return BUDGET - (session.clock().getAsLong() - began) / Progress.NANOS;
    }

    /** Returns true if a model reads texts; BM25 does not. */
    private static boolean readsTexts(Recipe recipe) {
        return !recipe.files().isEmpty();
    }

    /** Tokens that are neither cached nor counted for an earlier cell. */
    private double tokens(Cells.Job cell) {
        return cell.recipe()
                .retriever()
                .calls(lazy(cell).open(), null, cell.runner().engine().silent().with(counted))
                .tokens();
    }

    private double rate(Cells.Job cell, long models) {
        Recipe recipe = cell.recipe();
        Dataset dataset = lazy(cell).open();
        double left = left();
        double share = left / Math.max(1, models - rates.size());
        if (left <= 0 || Rate.isTooSlow(recipe, dataset, costs, left)) {
            untimed.add(recipe.name());
            return Double.NaN;
        }
        return session.step("timing " + recipe.name(), () -> measured(cell, dataset, share));
    }

    private double measured(Cells.Job cell, Dataset dataset, double budget) {
        try {
            Recipe recipe = cell.recipe();
            int k = cell.runner().settings().k();
            Engine engine = cell.runner().engine();
            return readsTexts(recipe)
                    ? Rate.timed(recipe, dataset, k, engine, budget).perToken()
                    : Rate.measured(recipe, dataset, k, engine, budget).perToken(recipe, costs);
        } catch (PosbiasException failure) {
            session.say(Printable.line(cell.name() + ": not measured: " + failure.line()));
            return Double.NaN;
        }
    }

    private static boolean canRun(Cells.Job cell) {
        Recipe recipe = cell.recipe();
        Path home = cell.runner().engine().home();
        return !recipe.callsService() && recipe.files().stream().allMatch(files -> files.isLocal(home));
    }
}
