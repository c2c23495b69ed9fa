package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Attention calibration: the graph with calibrated attention that the model's recipe names. Schuhmacher et al. 2026,
 * arXiv:2601.16934, with a strength by Michail et al. 2026, arXiv:2606.02737; scripts/export_calibrated.py has the formula.
 */
public final class CalibratedStrategy extends Strategy {
    public CalibratedStrategy() {
        super("calibrated", "the pooled tokens attend to all parts of a text alike", Calibrated.class);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        if (!(wrapped instanceof DenseRecipe dense)) {
            return Optional.of(
                    wrapped instanceof Calibrated
                            ? "is calibrated already"
                            : "is of kind " + wrapped.kind() + ": only graphs of dense encoders are calibrated");
        }
        DenseSettings settings = dense.model();
        if (Stream.of(Pooling.CLS, Pooling.LAST, Pooling.MEAN).noneMatch(settings::pools)) {
            return Optional.of("has pooling: " + String.join(", ", Suggestions.words(settings.pooling()))
                    + ", and attention is calibrated for pooling: cls, last or mean");
        }
        return settings.attentionCalibration().isEmpty()
                ? Optional.of("names no graph with calibrated attention: 'python3 scripts/export_onnx.py "
                        + settings.graph().files().pull()
                        + " --calibrated --out DIR' writes it and DIR/recipe.yaml, a recipe that names it")
                : Optional.empty();
    }

    record Calibrated(@JsonUnwrapped RecipeCard card, Recipe model) implements Wrapper {
        @Override
        public Retriever retriever() {
            return ((DenseRecipe) model).calibrated(this);
        }
    }
}
