package io.posbias.run.experiment;

import io.posbias.base.process.UsageException;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.run.CellRunner;
import io.posbias.run.ContentFixing;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Cells of an experiment, grouped by benchmark and group. */
public record ExperimentCells(List<ExperimentCell> list) {
    public ExperimentCells {
        list = List.copyOf(list);
    }

    /**
     * Returns all cells of an experiment.
     *
     * @throws UsageException if two cells have one name
     */
    public static ExperimentCells of(
            Experiment experiment, Datasets known, Engine engine, boolean overwrite, String file) {
        List<ExperimentCell> cells = new ArrayList<>();
        ModelFinder finder = new ModelFinder(engine.session());
        for (Experiment.ExperimentGroup group : experiment.groups()) {
            CellRunner runner = new CellRunner(group.settings(), engine, overwrite, fixing(group, engine));
            List<Datasets.Source> sources = known.sources(group.datasets());
            List<Recipe> recipes = group.recipes(finder);
            CellRunner.requireDistinctNames(file, recipes, file, sources);
            cells.addAll(of(recipes, sources, runner).list());
        }
        requireDistinctNames(cells, file);
        return new ExperimentCells(cells);
    }

    /** Returns all models on all benchmarks. */
    public static ExperimentCells of(List<Recipe> recipes, List<Datasets.Source> sources, CellRunner runner) {
        return new ExperimentCells(sources.stream()
                .flatMap(source -> recipes.stream().map(recipe -> new ExperimentCell(recipe, source, runner)))
                .toList());
    }

    private static void requireDistinctNames(List<ExperimentCell> cells, String file) {
        Set<String> seen = new HashSet<>();
        for (ExperimentCell cell : cells) {
            if (!seen.add(cell.name())) {
                throw new UsageException(file + " names " + cell.name() + " in two groups");
            }
        }
    }

    private static @Nullable ContentFixing fixing(Experiment.ExperimentGroup group, Engine engine) {
        Integer queries = group.contentFixed();
        return queries == null
                ? null
                : RelocatedTexts.fixing(
                        RelocatedTexts.Choice.of(Relocation.ROTATION),
                        queries,
                        (int) group.settings().seed(),
                        engine.session());
    }

    /**
     * Evaluates unfinished cells; opens each benchmark once for consecutive cells.
     *
     * @param folder of a cell, by benchmark and model
     */
    public CellRunner.CellOutcome run(BiFunction<String, String, Path> folder) {
        CellRunner.Counter counter = new CellRunner.Counter(list.size());
        CellRunner.CellOutcome all = new CellRunner.CellOutcome(new ArrayList<>(), new ArrayList<>());
        byBenchmark(cells -> {
            ExperimentCell first = cells.getFirst();
            CellRunner.CellOutcome outcome = first.runner()
                    .all(
                            cells.stream().map(ExperimentCell::recipe).toList(),
                            List.of(first.source()),
                            folder,
                            counter,
                            benchmark -> {});
            all.results().addAll(outcome.results());
            all.failures().addAll(outcome.failures());
        });
        return all;
    }

    private void byBenchmark(Consumer<List<ExperimentCell>> work) {
        List<ExperimentCell> together = new ArrayList<>();
        for (ExperimentCell cell : list) {
            if (!together.isEmpty() && !isBeside(together.getFirst(), cell)) {
                work.accept(List.copyOf(together));
                together.clear();
            }
            together.add(cell);
        }
        if (!together.isEmpty()) {
            work.accept(together);
        }
    }

    private static boolean isBeside(ExperimentCell first, ExperimentCell second) {
        return first.runner() == second.runner() && first.source().equals(second.source());
    }
}
