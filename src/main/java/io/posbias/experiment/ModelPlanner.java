package io.posbias.experiment;

import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.Recipe;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts what one model would do on several benchmarks, and measures how fast it does. */
final class ModelPlanner implements AutoCloseable {
    /** Passages, and queries, of a trial of a model. */
    private static final int SAMPLE = 256;

    private static final long SEED = 42;

    /** A model that needs so many seconds more for a few texts than for one is not given hundreds. */
    private static final double PATIENCE = 5;

    private static final int FEW = 16;

    /** Passages of a trial where no model reads them, and queries. */
    private static final int WORDS_PASSAGES = WorkCounter.LEAST_PASSAGES;

    private static final int WORDS_QUERIES = 1_024;

    private static final int TRIAL_PAIRS = 512;

    private final Recipe recipe;
    private final Reading reading;
    private final Engine engine;
    private final boolean isHere;
    private final PlannedModels models;
    private final CountedTexts counted;
    private final PlanWorkers workers;

    /**
     * @param looksIntoCache whether vectors that are here are left out, for which the model is loaded
     * @param counted the texts of models before
     * @param workers whom time is told for
     */
    ModelPlanner(Recipe recipe, Engine engine, boolean looksIntoCache, CountedTexts counted, PlanWorkers workers) {
        this.recipe = recipe;
        this.reading = recipe.retriever().reading();
        this.engine = engine;
        this.isHere = CountedTexts.within(recipe).allMatch(model -> PlannedModel.isHere(model, engine));
        this.models = new PlannedModels(engine, looksIntoCache);
        this.counted = counted;
        this.workers = workers;
    }

    /** Counts the texts of a benchmark that is here. */
    Work count(Dataset dataset) {
        return reading.changed()
                ? engine.session().step("cut " + dataset.name() + " for " + recipe.name(), () -> count(dataset, true))
                : count(dataset, true);
    }

    /** @param isPart whether it is one of the cells: of a trial everything is new */
    private Work count(Dataset dataset, boolean isPart) {
        WorkCounter counter = counter(isPart);
        recipe.retriever().outline(dataset, engine, counter);
        return counter.work(dataset.judgedQueries().size());
    }

    private WorkCounter counter(boolean isPart) {
        return new WorkCounter(
                models, isPart, isPart ? counted : new CountedTexts(), engine, isPart ? workers.slots() : null);
    }

    /** The same of texts that are not here; empty where the recipe makes others of them, which nobody published. */
    Optional<Work> count(BenchmarkSize published) {
        if (reading.changed()) {
            return Optional.empty();
        }
        WorkCounter counter = counter(true);
        counter.published(recipe, published);
        return Optional.of(counter.work(published.queries()));
    }

    /**
     * What is told of a cell.
     *
     * @param load seconds to read the benchmark
     * @param speed null where nobody knows it
     * @param first whether it is the first cell of the model
     */
    PlannedCell cell(
            Cell cell,
            String state,
            PlannedCell.Basis basis,
            Work work,
            double load,
            @Nullable Speed speed,
            boolean first) {
        double fixed =
                speed == null ? 0 : load + speed.start() + (first ? speed.first() : 0) + speed.measure() * work.asked();
        return new PlannedCell(
                cell.recipe().name(),
                cell.source().name(),
                cell.firstStage(),
                state,
                basis,
                work.passages(),
                work.asked(),
                work.tokens(),
                workers.slots() == null ? null : PlannedCell.Blocks.of(work, workers.slots()),
                work.vectorBytes(),
                work.flops(),
                speed == null ? null : (Double) (fixed + work.seconds(speed)),
                speed == null
                        ? List.of()
                        : workers.all().stream()
                                .map(slots -> fixed + work.seconds(speed, slots))
                                .toList());
    }

    /** Measures the speed on a part of a benchmark that is here; empty where that fails, which is said. */
    Optional<Speed> calibrate(Cell cell, Dataset dataset) {
        if (!isHere) {
            return Optional.empty();
        }
        try {
            return Optional.of(engine.session().step("calibrate " + recipe.name(), () -> measured(cell, dataset)));
        } catch (PosbiasException failure) {
            engine.say(cell.name() + ": not calibrated: " + failure.line());
            return Optional.empty();
        }
    }

    private Speed measured(Cell cell, Dataset dataset) {
        Trial one = Trial.of(dataset, 1, 1, SEED);
        Trial.Seconds cold = run(one, cell);
        Speed.Sample small = sample(one, cell);
        Trial few = Trial.of(dataset, FEW, queries(FEW), SEED);
        Speed.Sample large = sample(few, cell);
        if (large.seconds().sum() - small.seconds().sum() < PATIENCE) {
            boolean words = reading.unit() == Reading.Unit.WORDS;
            int passages = words ? WORDS_PASSAGES : SAMPLE;
            large = sample(Trial.of(dataset, passages, words ? WORDS_QUERIES : queries(passages), SEED), cell);
        }
        return Speed.between(small, large, cold);
    }

    private int queries(int passages) {
        return reading.unit() == Reading.Unit.PAIRS
                ? Math.max(2, TRIAL_PAIRS / Math.min(reading.depth(), passages))
                : passages;
    }

    private Speed.Sample sample(Trial trial, Cell cell) {
        Trial.Seconds seconds = run(trial, cell);
        Work work = count(trial.part(), false);
        return new Speed.Sample(seconds, work.index(), work.search(), work.asked());
    }

    private Trial.Seconds run(Trial trial, Cell cell) {
        Engine quiet = new Engine(
                engine.device(),
                workers.slots() == null ? engine.threads() : workers.slots().threads(),
                engine.batchTokens(),
                false,
                CallLimit.none(),
                engine.session().quiet());
        return trial.run(recipe, cell.runner().scoring(), cell.runner().k(), quiet);
    }

    @Override
    public void close() {
        models.close();
    }
}
