package io.posbias.run.experiment;

import io.posbias.data.named.Datasets;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.CellRunner;
import java.util.Objects;

public record ExperimentCell(Recipe recipe, Datasets.Source source, CellRunner runner) {
    /** Returns the name in errors and progress. */
    public String name() {
        return recipe.name() + " on " + source.name();
    }

    String firstStage() {
        return String.valueOf(Objects.requireNonNullElse(recipe.settings().raw("first-stage"), ""));
    }
}
