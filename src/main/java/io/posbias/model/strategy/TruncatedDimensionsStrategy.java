package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.VectorRetriever;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leading numbers of vectors, as Matryoshka models are trained for (Kusupati et al. 2022, arXiv:2205.13147). */
public final class TruncatedDimensionsStrategy extends Strategy {
    public TruncatedDimensionsStrategy() {
        super(
                "truncated-dimensions",
                "the first numbers of each vector, by default half of them",
                TruncatedDimensions.class);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return DerivedVectors.misfit(wrapped);
    }

    /** Half of the numbers, where the recipe says how many there are. */
    @Override
    public List<String> usual(Recipe wrapped) {
        return wrapped.dimension() > 0 ? List.of("") : List.of();
    }

    /**
     * Recipe of shorter vectors.
     *
     * @param dimensions null for half of them
     */
    record TruncatedDimensions(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @Setting(least = 1) @Nullable Integer dimensions) implements Wrapper {
        private static final String FIELD = "dimensions";

        @Override
        public int dimension() {
            return Objects.requireNonNullElse(dimensions, Math.max(1, model.dimension() / 2));
        }

        @Override
        public Retriever retriever() {
            int whole = model.dimension();
            if (dimensions == null && whole == 0) {
                throw settings()
                        .bad(FIELD, "is missing", "the recipe of " + model.name() + " does not state its dimension");
            }
            if (whole > 0 && dimension() > whole) {
                throw settings().bad(FIELD, "is " + dimension(), model.name() + " has " + whole);
            }
            Model.Encoder encoder = model.oneVector().orElseThrow();
            return VectorRetriever.derived(
                    this, encoder, dimension() * (double) Float.BYTES, engine -> first(encoder.open(engine)));
        }

        private VectorSource first(VectorSource inner) {
            int size = dimension();
            if (size > inner.dimension()) {
                inner.close();
                throw settings().bad(FIELD, "is " + size, "the model has " + inner.dimension());
            }
            boolean unit = VectorRetriever.normalises(this);
            return new DerivedVectors(
                    inner,
                    size,
                    (vectors, role) ->
                            vectors.map(size, vector -> TruncatedDimensionsStrategy.first(vector, size, unit)));
        }
    }

    /**
     * Returns the first numbers.
     *
     * @param unit true to scale them to length 1
     */
    private static float[] first(float[] vector, int size, boolean unit) {
        float[] first = Arrays.copyOf(vector, size);
        if (unit) {
            Pooling.normalise(first, 0, size);
        }
        return first;
    }
}
