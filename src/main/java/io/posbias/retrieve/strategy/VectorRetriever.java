package io.posbias.retrieve.strategy;

import io.posbias.encode.Engine;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.Optional;

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

    @Override
    public double vectorBytes(double texts, double tokens) {
        return texts * bytes;
    }
}
