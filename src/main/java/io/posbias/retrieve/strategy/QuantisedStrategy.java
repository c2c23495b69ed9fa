package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.Suggestions;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.List;
import java.util.Optional;

/** Keeps passages' vectors in 8 bits or 1 bit a number, as vector databases do. */
public final class QuantisedStrategy implements Strategy {
    private static final String NUMBERS = "numbers";
    private static final String RESCORED = "rescored";

    /** As sentence-transformers searches binary vectors: four candidates for each passage that is wanted. */
    private static final int CANDIDATES = 4;

    /** What a passage's number becomes. */
    enum Numbers {
        /** One of 255, evenly over the range of its vector; the query stays as it is. */
        INT8,
        /** Its sign; passages are found by the signs of the query, and ordered by the query as it is. */
        BINARY
    }

    @Override
    public String kind() {
        return "quantised";
    }

    @Override
    public String meaning() {
        return "vectors of passages in 8 bits or 1 bit a number";
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
        return VectorRetriever.misfit(wrapped);
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        Fields fields = recipe.settings();
        Numbers numbers = fields.oneOf(NUMBERS, Numbers.INT8, List.of(Numbers.values()));
        int dimension = TruncatedDimensionsStrategy.dimension(wrapped);
        if (numbers == Numbers.INT8) {
            if (fields.has(RESCORED)) {
                throw fields.bad(RESCORED, "has no meaning with numbers: int8", "say numbers: binary");
            }
            return new VectorRetriever(
                    DenseRetriever.derived(
                            recipe,
                            wrapped,
                            engine -> new Quantised(VectorRetriever.vectors(wrapped, engine), numbers, false)),
                    dimension + Float.BYTES);
        }
        int candidates = fields.positive(RESCORED, CANDIDATES);
        return new RescoredRetriever(
                engine -> VectorRetriever.vectors(wrapped, engine),
                inner -> derived(recipe, wrapped, inner, true),
                inner -> derived(recipe, wrapped, inner, false),
                candidates,
                Math.ceilDiv(dimension, Byte.SIZE));
    }

    private static Retriever derived(Recipe recipe, Recipe wrapped, RescoredRetriever.Inner inner, boolean bothSides) {
        return DenseRetriever.derived(recipe, wrapped, engine -> {
            Quantised encoder = new Quantised(inner.opener().apply(engine), Numbers.BINARY, bothSides);
            return inner.isShared() ? encoder.lent() : encoder;
        });
    }

    /** Vectors as they are after being quantised, in floats. */
    private static final class Quantised extends DerivedEncoder {
        private static final int STEPS = 127;

        private final Numbers numbers;
        private final boolean bothSides;

        Quantised(CachedEncoder inner, Numbers numbers, boolean bothSides) {
            super(inner, "quantised " + Suggestions.word(numbers) + " " + bothSides, inner.dimension());
            this.numbers = numbers;
            this.bothSides = bothSides;
        }

        @Override
        float[] derive(List<float[]> vectors, Role role) {
            float[] vector = vectors.getFirst();
            if (role == Role.QUERY && !bothSides) {
                return vector;
            }
            return numbers == Numbers.BINARY ? signs(vector) : rounded(vector);
        }

        private static float[] signs(float[] vector) {
            float[] signs = new float[vector.length];
            for (int i = 0; i < signs.length; i++) {
                signs[i] = vector[i] > 0 ? 1 : -1;
            }
            return signs;
        }

        private static float[] rounded(float[] vector) {
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
    }
}
