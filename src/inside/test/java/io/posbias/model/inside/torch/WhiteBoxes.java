package io.posbias.model.inside.torch;

import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.retrieve.Recipe;
import java.nio.file.Path;

/** White boxes of tests' own models. */
final class WhiteBoxes {
    private WhiteBoxes() {}

    /** Opens a model. */
    static WhiteBox open(Path folder, Recipe recipe) {
        return WhiteBox.open(recipe, Engine.quiet(1, Sessions.in(folder)));
    }

    /** The vector of a passage by a model's own weights. */
    static float[] vector(Recipe recipe, String text, Path home) {
        try (WhiteBox box = open(home, recipe)) {
            return box.vector(text, Role.PASSAGE);
        }
    }
}
