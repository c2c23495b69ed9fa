package io.posbias.retrieve.strategy;

import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.model.Pooling;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Model;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Leading numbers of vectors, as Matryoshka models are trained for (Kusupati et al. 2022, arXiv:2205.13147). */
public final class TruncatedDimensionsStrategy implements Strategy {
    private static final String KIND = "truncated-dimensions";
    private static final String SIZE = "dimensions";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public String meaning() {
        return "the first numbers of each vector, by default half of them";
    }

    @Override
    public List<String> fields() {
        return List.of(SIZE);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return DerivedVectors.misfit(wrapped);
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        int whole = dimension(wrapped);
        int size = size(recipe, whole);
        if (!recipe.settings().has(SIZE) && whole == 0) {
            throw recipe.settings()
                    .bad(SIZE, "is missing", "the recipe of " + wrapped.name() + " does not state its dimension");
        }
        if (whole > 0 && size > whole) {
            throw recipe.settings().bad(SIZE, "is " + size, wrapped.name() + " has " + whole);
        }
        boolean unit = wrapped.innermost().settings().flag("normalise", true);
        Model.Encoder encoder = wrapped.oneVector().orElseThrow();
        return DenseRetriever.derived(
                recipe,
                encoder,
                size * (double) Float.BYTES,
                engine -> first(encoder.open(engine), size, unit, recipe));
    }

    /** Returns the dimension of a recipe's vectors, reduced by this strategy; 0 if unknown. */
    static int dimension(Recipe recipe) {
        List<Recipe> inner = recipe.wrapped();
        if (inner.isEmpty()) {
            return recipe.settings().integer("dimension", 0);
        }
        int whole = dimension(inner.getFirst());
        return recipe.kind().equals(KIND) ? size(recipe, whole) : whole;
    }

    private static int size(Recipe recipe, int whole) {
        return recipe.settings().positive(SIZE, Math.max(1, whole / 2));
    }

    private static VectorSource first(VectorSource inner, int size, boolean unit, Recipe recipe) {
        if (size > inner.dimension()) {
            inner.close();
            throw recipe.settings().bad(SIZE, "is " + size, "the model has " + inner.dimension());
        }
        return new DerivedVectors(
                inner, size, (vectors, role) -> vectors.map(size, vector -> first(vector, size, unit)));
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
