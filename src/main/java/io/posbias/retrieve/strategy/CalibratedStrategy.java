package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.encode.model.AttentionCalibration;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** {@linkplain AttentionCalibration Attention calibration}: the model's recipe with one field more. */
public final class CalibratedStrategy implements Strategy {
    @Override
    public String kind() {
        return "calibrated";
    }

    @Override
    public String meaning() {
        return "the pooled token attends to all parts of a text alike";
    }

    @Override
    public List<String> fields() {
        return AttentionCalibration.FIELDS;
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return wrapped.kind().equals(kind()) || isCalibrated(wrapped.settings())
                ? Optional.of("is calibrated already")
                : AttentionCalibration.unfit(wrapped.settings());
    }

    private static boolean isCalibrated(Fields recipe) {
        return recipe.has(AttentionCalibration.FIELD) && !Boolean.FALSE.equals(recipe.raw(AttentionCalibration.FIELD));
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        SequencedMap<String, @Nullable Object> settings = new LinkedHashMap<>();
        for (String field : fields()) {
            if (recipe.settings().has(field)) {
                settings.put(field, recipe.settings().raw(field));
            }
        }
        SequencedMap<String, @Nullable Object> changed = wrapped.record();
        changed.put("name", recipe.name());
        changed.put(AttentionCalibration.FIELD, settings);
        return new Recipe(
                        recipe.name(),
                        wrapped.kind(),
                        recipe.family(),
                        recipe.description(),
                        recipe.citation(),
                        new Fields(wrapped.settings().where(), changed))
                .retriever();
    }
}
