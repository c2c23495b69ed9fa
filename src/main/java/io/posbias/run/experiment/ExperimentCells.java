package io.posbias.run.experiment;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.UsageException;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.run.CellRunner;
import io.posbias.run.Cells;
import io.posbias.run.ContentFixing;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Cells of an experiment, grouped by benchmark and group. */
public record ExperimentCells(List<Cells.Job> list) {
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
        List<Cells.Job> cells = new ArrayList<>();
        ModelFinder finder = new ModelFinder(engine.session());
        for (Experiment.ExperimentGroup group : experiment.groups()) {
            CellRunner runner = new CellRunner(group.settings(), engine, overwrite, fixing(group, engine));
            List<Datasets.Source> sources = known.sources(group.datasets());
            List<Recipe> recipes = group.recipes(finder);
            FileNames.requireDistinct(file, "model", recipes.stream().map(Recipe::name));
            FileNames.requireDistinct(file, "dataset", sources.stream().map(Datasets.Source::name));
            cells.addAll(Cells.jobs(recipes, sources, runner));
        }
        requireDistinctNames(cells, file);
        return new ExperimentCells(cells);
    }

    private static void requireDistinctNames(List<Cells.Job> cells, String file) {
        Set<String> seen = new HashSet<>();
        for (Cells.Job cell : cells) {
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
    public Cells run(BiFunction<String, String, Path> folder) {
        return new Cells(list, folder, true).finish();
    }
}
