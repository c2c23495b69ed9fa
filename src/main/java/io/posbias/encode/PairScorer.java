package io.posbias.encode;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Scores passages for queries by reading both together. Safe for several threads. */
public interface PairScorer extends AutoCloseable {
    /** What its scores depend on, as in {@link TextEncoder#space()}. */
    String space();

    /** Prepares pairs: tokenises them. Called ahead, while the work before is still running. */
    PairWork prepare(List<TextPair> pairs);

    /** How many pairs make a good piece of work: enough to sort by length, few enough for memory. */
    default int window() {
        return WINDOW_PAIRS;
    }

    /** What calls of services it would take to score pairs; none for models that run here. */
    default CallEstimate estimate(List<TextPair> pairs) {
        return CallEstimate.NONE;
    }

    /** What it took so far beyond time, such as calls and dollars. */
    default Map<String, Number> effort() {
        return Map.of();
    }

    /** A query and a passage as the data set has them. */
    record TextPair(String query, String passage) implements Serializable {}

    /** Pairs on their way to scores. */
    @FunctionalInterface
    interface PairWork {
        /** Scores all pairs; batches are handed over as they finish, in no particular order, by several threads. */
        void run(PairSink sink);
    }

    /** Takes finished scores. */
    @FunctionalInterface
    interface PairSink {
        /** Takes the scores of some pairs, each once. */
        void accept(List<Scored> batch);
    }

    /**
     * The score of a pair.
     *
     * @param pair its place in the list that was prepared
     * @param score higher is better
     * @param seen how many UTF-16 units of the passage were read, or a mark as in {@link TextEncoder.Encoded}
     * @param queryCut whether the query itself was cut
     */
    record Scored(int pair, float score, int seen, boolean queryCut) implements Serializable {}

    /** Of a model in this process. */
    int WINDOW_PAIRS = 4_096;

    @Override
    void close();
}
