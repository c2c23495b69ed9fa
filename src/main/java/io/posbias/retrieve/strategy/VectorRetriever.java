package io.posbias.retrieve.strategy;

import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** A retriever whose vectors are made from those of a wrapped model. */
class VectorRetriever extends WrappedRetriever {
    private final double bytes;

    /** @param bytes of a vector in an index */
    VectorRetriever(Retriever inner, double bytes) {
        super(inner);
        this.bytes = bytes;
    }

    /** Why a recipe has no one vector for a text; empty where it has. */
    static Optional<String> misfit(Recipe wrapped) {
        return wrapped.retriever().vectors().isPresent()
                ? Optional.empty()
                : Optional.of("has no one vector for a passage");
    }

    static CachedEncoder vectors(Recipe wrapped, Engine engine) {
        return wrapped.retriever().vectors().orElseThrow().apply(engine);
    }

    /** Vectors made from those of a wrapped recipe's model, of some texts for each text. */
    static DenseRetriever.Derived from(Recipe wrapped, BiFunction<String, Role, List<String>> texts) {
        return new DenseRetriever.Derived(wrapped.retriever(), TruncatedDimensionsStrategy.dimension(wrapped), texts);
    }

    @Override
    public double vectorBytes(double texts, double tokens) {
        return texts * bytes;
    }
}
