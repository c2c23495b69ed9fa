package io.posbias.encode.cache;

import io.posbias.encode.CallEstimate;
import io.posbias.encode.Role;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Vectors of texts: encoded and cached, or computed from those of another source. */
public interface VectorSource extends AutoCloseable {
    /** Numbers of a vector. */
    int dimension();

    /** Counts texts that were encoded and cache hits; a service's calls and dollars. */
    Map<String, Number> effort();

    /**
     * Estimates the calls of services for texts that are not cached and in no earlier estimate of the engine.
     *
     * @param texts receives the consumer of the texts, in the order of {@link #collector}
     */
    CallEstimate estimate(Consumer<Consumer<String>> texts, Role role);

    /**
     * Takes texts one after another.
     *
     * @param size number of texts
     * @param label of the progress line
     */
    Collector collector(int size, Role role, String label);

    /** Returns the vectors of a list of texts that fits in memory. */
    default Vectors encode(List<String> texts, Role role, String label) {
        try (Collector collector = collector(texts.size(), role, label)) {
            for (int i = 0; i < texts.size(); i++) {
                collector.add(i, texts.get(i));
            }
            return collector.finish();
        }
    }

    /** Takes the texts of one list. */
    interface Collector extends AutoCloseable {
        /** Takes the text at a place; each place once, in any order. */
        void add(int place, String text);

        /** Returns the vectors of all texts, when every place has one. */
        Vectors finish();

        @Override
        void close();
    }

    @Override
    void close();
}
