package io.posbias.report.experiment;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.data.convert.Catalog;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.score.evaluate.CellRunner;
import io.posbias.score.evaluate.LazyDataset;
import io.posbias.score.result.ResultFolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Plans cells: states, work and times. Downloads nothing and writes no result. */
public final class Forecaster {
    private static final String MISSING = "missing";

    private final BiFunction<String, String, ResultFolder> folder;
    private final Session session;
    private final CellCosts costs;
    private final Catalog catalog = Catalog.read();
    private final Map<String, LazyDataset> opened = new HashMap<>();
    private final Map<String, BenchmarkSize> sizes = new HashMap<>();

    /** Seconds per token by recipe and first stage; NaN after a failure. */
    private final Map<String, Double> rates = new HashMap<>();

    /**
     * @param folder of a cell, by benchmark and model
     */
    public Forecaster(BiFunction<String, String, ResultFolder> folder, Session session) {
        this.folder = folder;
        this.session = session;
        this.costs = new CellCosts(session.home());
    }

    public List<ExperimentForecast> of(List<ExperimentCell> cells) {
        List<ExperimentForecast> all = new ArrayList<>();
        for (ExperimentCell cell : cells) {
            String state = state(cell);
            all.add(
                    state.equals(MISSING) || state.equals(ExperimentForecast.TO_PULL)
                            ? missing(cell, state)
                            : nothing(cell, state));
        }
        return all;
    }

    private static ExperimentForecast nothing(ExperimentCell cell, String state) {
        return new ExperimentForecast(cell.recipe().name(), cell.source().name(), state, 0L, 0L, 0L, 0.0);
    }

    private static ExperimentForecast unknown(ExperimentCell cell, String state) {
        return new ExperimentForecast(cell.recipe().name(), cell.source().name(), state, null, null, null, null);
    }

    /** Action of a run; prints why a cell would fail. Datasets are not downloaded. */
    private String state(ExperimentCell cell) {
        if (!isLocal(cell)) {
            return ExperimentForecast.TO_PULL;
        }
        try {
            return word(cell.runner()
                    .state(
                            cell.recipe(),
                            lazy(cell),
                            folder.apply(cell.source().name(), cell.recipe().name())));
        } catch (PosbiasException failure) {
            session.say(Printable.line(cell.name() + ": " + failure.line()));
            return "would fail";
        }
    }

    private static String word(CellRunner.State state) {
        return switch (state) {
            case FINISHED -> "finished";
            case RETRIEVED -> "run there";
            case MISSING -> MISSING;
        };
    }

    private static boolean isLocal(ExperimentCell cell) {
        return cell.source().isLocal().getAsBoolean();
    }

    private LazyDataset lazy(ExperimentCell cell) {
        return opened.computeIfAbsent(
                cell.source().name(), name -> cell.source().lazy(session.progress()));
    }

    private ExperimentForecast missing(ExperimentCell cell, String state) {
        try {
            BenchmarkSize size = size(cell);
            if (size == null) {
                return unknown(cell, state);
            }
            CellCost cost = costs.of(cell.recipe(), size);
            Double rate = rate(cell);
            return new ExperimentForecast(
                    cell.recipe().name(),
                    cell.source().name(),
                    state,
                    Math.round(cost.texts()),
                    Math.round(cost.pairs()),
                    calls(cell),
                    rate == null ? null : (Double) (rate * cost.tokens()));
        } catch (PosbiasException failure) {
            session.say(Printable.line(cell.name() + ": no forecast: " + failure.line()));
            return unknown(cell, state);
        }
    }

    /** Size by the files if they are local, else as published; null if unpublished. */
    private @Nullable BenchmarkSize size(ExperimentCell cell) {
        if (isLocal(cell)) {
            return sizes.computeIfAbsent(
                    cell.source().name(), name -> BenchmarkSize.of(lazy(cell).open()));
        }
        return cell.source().entry() == null
                        || catalog.size(cell.source().entry()).isEmpty()
                ? null
                : BenchmarkSize.of(cell.source(), catalog);
    }

    private @Nullable Long calls(ExperimentCell cell) {
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

    private @Nullable Double rate(ExperimentCell cell) {
        Recipe recipe = cell.recipe();
        String model = recipe.name() + "\n" + cell.firstStage();
        if (!rates.containsKey(model)
                && isLocal(cell)
                && canRun(recipe, cell.runner().engine())) {
            rates.put(model, session.step("timing " + recipe.name(), () -> {
                try {
                    return Rate.measured(
                                    recipe,
                                    lazy(cell).open(),
                                    cell.runner().settings().k(),
                                    cell.runner().engine())
                            .perToken(recipe, costs);
                } catch (PosbiasException failure) {
                    session.say(Printable.line(cell.name() + ": not measured: " + failure.line()));
                    return Double.NaN;
                }
            }));
        }
        Double rate = rates.get(model);
        return rate == null || rate.isNaN() ? null : rate;
    }

    private static boolean canRun(Recipe recipe, Engine engine) {
        return !recipe.callsService() && recipe.files().stream().allMatch(files -> files.isLocal(engine.home()));
    }
}
