package io.posbias.retrieve.strategy;

import io.posbias.encode.cache.VectorSource;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Model;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.List;
import java.util.Optional;

/** Raises the numbers of a vector to a power and keeps their signs (Perronnin et al. 2010). */
public final class PowerStrategy implements Strategy {
    @Override
    public String kind() {
        return "power";
    }

    @Override
    public String meaning() {
        return "vectors whose numbers are raised to a power, so that no few of them decide";
    }

    @Override
    public List<String> fields() {
        return List.of("exponent");
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return DerivedVectors.misfit(wrapped);
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        double exponent = recipe.settings().number("exponent", 0.5);
        Model.Encoder encoder = wrapped.oneVector().orElseThrow();
        return DenseRetriever.derived(recipe, encoder, encoder.bytes(), engine -> {
            VectorSource own = encoder.open(engine);
            return new DerivedVectors(
                    own,
                    own.dimension(),
                    (vectors, role) -> vectors.map(own.dimension(), vector -> raised(vector, exponent)));
        });
    }

    private static float[] raised(float[] vector, double exponent) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) (Math.signum(vector[i]) * Math.pow(Math.abs(vector[i]), exponent));
        }
        return vector;
    }
}
