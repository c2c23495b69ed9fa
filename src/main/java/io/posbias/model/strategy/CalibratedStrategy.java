package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.encode.model.AttentionCalibration;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** {@linkplain AttentionCalibration Attention calibration}: the model's recipe with one field more. */
public final class CalibratedStrategy implements Strategy {
    private static final String ALREADY = "is calibrated already";

    @Override
    public String kind() {
        return "calibrated";
    }

    @Override
    public String meaning() {
        return "the pooled token attends to all parts of a text alike";
    }

    @Override
    public Class<Calibrated> type() {
        return Calibrated.class;
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        if (!(wrapped instanceof DenseRecipe dense)) {
            return Optional.of(
                    wrapped instanceof Calibrated
                            ? ALREADY
                            : "is of kind " + wrapped.kind() + ": only dense encoders pool one token's vector");
        }
        return dense.model().attentionCalibration() == null
                ? AttentionCalibration.unfit(dense.model())
                : Optional.of(ALREADY);
    }

    record Calibrated(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @JsonUnwrapped AttentionCalibration.Strengths strengths) implements Wrapper {
        @Override
        public Retriever retriever() {
            SequencedMap<String, @Nullable Object> own = record();
            own.keySet().retainAll(Json.names(AttentionCalibration.Strengths.class));
            SequencedMap<String, @Nullable Object> changed = model.record();
            changed.put("name", name());
            changed.put(AttentionCalibration.FIELD, own);
            return RecipeBook.read(new Fields(model.settings().where(), changed))
                    .retriever();
        }
    }
}
