package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.encode.Role;
import io.posbias.encode.cache.VectorSource;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Model;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.List;
import java.util.Optional;

/** Passage vectors quantised to 8 bits or 1 bit per number, as in vector databases. */
public final class QuantisedStrategy implements Strategy {
    private static final String NUMBERS = "numbers";
    private static final String RESCORED = "rescored";

    /** Steps from 0 to the largest number in 8 bits. */
    private static final int STEPS = 127;

    /** As in sentence-transformers' binary search: four candidates per requested passage. */
    private static final int CANDIDATES = 4;

    /** Quantisation of a passage's numbers. */
    enum Numbers {
        /** One of 255 levels, evenly over the range of the vector; queries are not quantised. */
        INT8 {
            @Override
            int bytes(int dimension) {
                return dimension + Float.BYTES;
            }

            @Override
            float[] of(float[] vector) {
                float most = 0;
                for (float number : vector) {
                    most = Math.max(most, Math.abs(number));
                }
                float step = most / STEPS;
                float[] rounded = new float[vector.length];
                for (int i = 0; i < rounded.length && step > 0; i++) {
                    rounded[i] = Math.round(vector[i] / step) * step;
                }
                return rounded;
            }
        },
        /** The sign; passages are found by the query's signs and ordered by the unquantised query. */
        BINARY {
            @Override
            int bytes(int dimension) {
                return Math.ceilDiv(dimension, Byte.SIZE);
            }

            @Override
            float[] of(float[] vector) {
                float[] signs = new float[vector.length];
                for (int i = 0; i < signs.length; i++) {
                    signs[i] = vector[i] > 0 ? 1 : -1;
                }
                return signs;
            }
        };

        /** Returns the bytes of a vector in an index. */
        abstract int bytes(int dimension);

        abstract float[] of(float[] vector);
    }

    @Override
    public String kind() {
        return "quantised";
    }

    @Override
    public String meaning() {
        return "vectors of passages in 8 bits or 1 bit per number";
    }

    @Override
    public List<String> fields() {
        return List.of(NUMBERS, RESCORED);
    }

    @Override
    public List<String> usual(Recipe wrapped) {
        return List.of("", ":numbers=binary");
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return DerivedVectors.misfit(wrapped);
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        Fields fields = recipe.settings();
        Numbers numbers = fields.oneOf(NUMBERS, Numbers.INT8, List.of(Numbers.values()));
        if (numbers == Numbers.INT8 && fields.has(RESCORED)) {
            throw fields.bad(RESCORED, "has no meaning with numbers: int8", "set numbers: binary");
        }
        Model.Encoder encoder = wrapped.oneVector().orElseThrow();
        int dimension = TruncatedDimensionsStrategy.dimension(wrapped);
        return numbers == Numbers.INT8
                ? derived(recipe, encoder, numbers.bytes(dimension), numbers, false)
                : new RescoredRetriever(
                        encoder,
                        inner -> derived(recipe, inner, numbers.bytes(dimension), numbers, true),
                        inner -> derived(recipe, inner, numbers.bytes(dimension), numbers, false),
                        fields.positive(RESCORED, CANDIDATES));
    }

    /**
     * @param bothSides true to quantise queries, too
     */
    private static DenseRetriever derived(
            Recipe recipe, Model.Encoder encoder, double bytes, Numbers numbers, boolean bothSides) {
        return DenseRetriever.derived(recipe, encoder, bytes, engine -> {
            VectorSource inner = encoder.open(engine);
            return new DerivedVectors(
                    inner,
                    inner.dimension(),
                    (vectors, role) ->
                            role == Role.QUERY && !bothSides ? vectors : vectors.map(inner.dimension(), numbers::of));
        });
    }
}
