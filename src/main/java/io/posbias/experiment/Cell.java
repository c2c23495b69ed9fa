package io.posbias.experiment;

import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.Datasets;
import io.posbias.retrieve.Recipe;
import java.util.Objects;

public record Cell(Recipe recipe, Datasets.Source source, CellRunner runner) {
    /** Returns the name in errors and progress. */
    public String name() {
        return recipe.name() + " on " + source.name();
    }

    String firstStage() {
        return String.valueOf(Objects.requireNonNullElse(recipe.settings().raw("first-stage"), ""));
    }
}
