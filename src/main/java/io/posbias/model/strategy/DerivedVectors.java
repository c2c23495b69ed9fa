package io.posbias.model.strategy;

import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.retrieve.Recipe;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Vectors computed from another source on every read; nothing is encoded or stored twice. */
class DerivedVectors implements VectorSource {
    private final VectorSource inner;
    private final int dimension;
    private final BiFunction<Vectors, Role, Vectors> change;

    /**
     * @param inner closed with this
     * @param dimension of the computed vectors
     */
    DerivedVectors(VectorSource inner, int dimension, BiFunction<Vectors, Role, Vectors> change) {
        this.inner = inner;
        this.dimension = dimension;
        this.change = change;
    }

    /** Returns a view whose {@link #close} does nothing. */
    static VectorSource lent(VectorSource source) {
        return new DerivedVectors(source, source.dimension(), (vectors, role) -> vectors) {
            @Override
            public void close() {
                // Its owner closes it.
            }
        };
    }

    /** Returns the reason why a recipe has no single vector per text; empty if it has. */
    static Optional<String> misfit(Recipe wrapped) {
        return wrapped.oneVector().isPresent()
                ? Optional.empty()
                : Optional.of("does not encode a passage as one vector");
    }

    final VectorSource inner() {
        return inner;
    }

    @Override
    public final int dimension() {
        return dimension;
    }

    @Override
    public final Map<String, Number> usage() {
        return inner.usage();
    }

    @Override
    public CallEstimate estimate(Consumer<Consumer<String>> texts, Role role) {
        return inner.estimate(texts, role);
    }

    @Override
    public Collector collector(int size, Role role, String label) {
        Collector collector = inner.collector(size, role, label);
        return new Collector() {
            @Override
            public void add(int place, String text) {
                collector.add(place, text);
            }

            @Override
            public Vectors finish() {
                return change.apply(collector.finish(), role);
            }

            @Override
            public void close() {
                collector.close();
            }
        };
    }

    @Override
    public void close() {
        inner.close();
    }
}
