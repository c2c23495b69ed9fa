package io.posbias.model.encode.cache;

import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Role;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Vectors of texts: encoded and cached, or computed from those of another source. */
public interface VectorSource extends AutoCloseable {
    int dimension();

    /** Counts texts that were encoded and cache hits; a service's calls and dollars. */
    Map<String, Number> usage();

    /**
     * Estimates the calls of services for texts that are not cached and in no earlier estimate of the engine.
     *
     * @param texts receives the consumer of the texts, in the order of {@link #collector}
     */
    CallEstimate estimate(Consumer<Consumer<String>> texts, Role role);

    /**
     * Starts a list of texts.
     *
     * @param label of the progress line
     */
    Collector collector(int size, Role role, String label);

    /** Encodes texts that fit in memory. */
    default Vectors encode(List<String> texts, Role role, String label) {
        try (Collector collector = collector(texts.size(), role, label)) {
            for (int i = 0; i < texts.size(); i++) {
                collector.add(i, texts.get(i));
            }
            return collector.finish();
        }
    }

    /** Receiver of the texts of one list. */
    interface Collector extends AutoCloseable {
        /** Adds the text at an index; each index once, in any order. */
        void add(int place, String text);

        /** Returns the vectors when every index has a text. */
        Vectors finish();

        @Override
        void close();
    }

    @Override
    void close();
}
