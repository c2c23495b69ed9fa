package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.VectorRetriever;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Passage vectors quantised to 8 bits or 1 bit per number, as in vector databases. */
public final class QuantisedStrategy extends Strategy {
    /** Steps from 0 to the largest number in 8 bits. */
    private static final int STEPS = 127;

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

    public QuantisedStrategy() {
        super("quantised", "vectors of passages in 8 bits or 1 bit per number", Quantised.class);
    }

    @Override
    public List<String> usual(Recipe wrapped) {
        return List.of("", ":numbers=binary");
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return DerivedVectors.misfit(wrapped);
    }

    /**
     * Recipe of quantised vectors.
     *
     * @param rescored candidates per requested passage; null for four, as in sentence-transformers' binary search
     */
    record Quantised(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @Setting(usual = "int8") Numbers numbers,
            @Setting(least = 1) @Nullable Integer rescored)
            implements Wrapper {
        Quantised {
            if (numbers == Numbers.INT8 && rescored != null) {
                throw new Setting.Wrong("rescored", "has no meaning with numbers: int8", "set numbers: binary");
            }
        }

        @Override
        public Retriever retriever() {
            Model.Encoder encoder = model.oneVector().orElseThrow();
            return numbers == Numbers.INT8
                    ? derived(encoder, false)
                    : new RescoredRetriever(
                            encoder,
                            inner -> derived(inner, true),
                            inner -> derived(inner, false),
                            Objects.requireNonNullElse(rescored, 4));
        }

        /** @param bothSides true to quantise queries, too */
        private VectorRetriever derived(Model.Encoder encoder, boolean bothSides) {
            return VectorRetriever.derived(this, encoder, numbers.bytes(dimension()), engine -> {
                VectorSource inner = encoder.open(engine);
                return new DerivedVectors(
                        inner,
                        inner.dimension(),
                        (vectors, role) -> role == Role.QUERY && !bothSides
                                ? vectors
                                : vectors.map(inner.dimension(), numbers::of));
            });
        }
    }
}
