package io.posbias.model.inside;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck.Fact;
import io.posbias.model.encode.ModelCheck.Outcome;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.util.Locale;
import java.util.Optional;

/** Comparison of a recipe's white box with its ONNX file, a line of {@code posbias models check}. */
public final class WhiteBoxCheck {
    private static final String NAME = "white box";

    private WhiteBoxCheck() {}

    /**
     * Compares a white box whose weights are in other files than the ONNX file.
     *
     * @return empty for a model without a white box, and for one that reads its weights from the ONNX file
     */
    public static Optional<Fact> of(Recipe recipe, Engine engine) {
        if (!(recipe instanceof DenseRecipe dense) || InsideModel.unfit(dense).isPresent()) {
            return Optional.empty();
        }
        Architecture architecture = Architecture.of(dense);
        if (architecture.weights().isEmpty()) {
            return Optional.empty();
        }
        ModelFiles files = dense.model().graph().files();
        if (!architecture.isLocal(engine.home())) {
            return Optional.of(new Fact(Outcome.INFO, NAME, "its files are not installed"));
        }
        try {
            InsideModel.check(recipe, engine.session());
            return Optional.of(compared(recipe, files, engine));
        } catch (PosbiasException missing) {
            return Optional.of(
                    new Fact(Outcome.WARN, NAME, "not compared with " + files.graph() + ": " + missing.line()));
        }
    }

    private static Fact compared(Recipe recipe, ModelFiles files, Engine engine) {
        try (InsideModel model = InsideModel.open(recipe, engine)) {
            String distance = String.format(Locale.ROOT, "%.1e", model.distance());
            return new Fact(
                    Outcome.OK,
                    NAME,
                    "vectors differ by at most " + distance + " of their length from those of " + files.graph());
        } catch (PosbiasException different) {
            return new Fact(Outcome.FAIL, NAME, different.line());
        }
    }
}
