package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.VectorRetriever;
import java.util.Optional;

/** Raises the numbers of a vector to a power and keeps their signs (Perronnin et al. 2010). */
public final class PowerStrategy extends Strategy {
    public PowerStrategy() {
        super("power", "vectors whose numbers are raised to a power, so that no few of them decide", PowerRecipe.class);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return DerivedVectors.misfit(wrapped);
    }

    record PowerRecipe(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @Setting(usual = "0.5") double exponent) implements Wrapper {
        @Override
        public Retriever retriever() {
            Model.Encoder encoder = model.oneVector().orElseThrow();
            return VectorRetriever.derived(this, encoder, encoder.bytes(), engine -> {
                VectorSource own = encoder.open(engine);
                return new DerivedVectors(
                        own,
                        own.dimension(),
                        (vectors, role) -> vectors.map(own.dimension(), vector -> raised(vector, exponent)));
            });
        }
    }

    private static float[] raised(float[] vector, double exponent) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) (Math.signum(vector[i]) * Math.pow(Math.abs(vector[i]), exponent));
        }
        return vector;
    }
}
