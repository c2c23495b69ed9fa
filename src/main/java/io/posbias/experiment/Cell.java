package io.posbias.experiment;

import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.Datasets;
import io.posbias.retrieve.Recipe;

/**
 * A model on a benchmark.
 *
 * @param runner evaluates it
 */
public record Cell(Recipe recipe, Datasets.Source source, CellRunner runner) {
    /** As errors and progress call it. */
    public String name() {
        return recipe.name() + " on " + source.name();
    }

    /** The recipe's first stage; empty where it has none. */
    String firstStage() {
        return recipe.settings().text("first-stage", "");
    }
}
