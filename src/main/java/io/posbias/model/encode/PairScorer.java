package io.posbias.model.encode;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Cross-encoder: scores a passage for a query from both texts together. Safe for several threads. */
public interface PairScorer extends AutoCloseable {
    /** Returns an identifier of all that scores depend on, as {@link TextEncoder#space()}. */
    String space();

    /** Tokenises pairs; called ahead, while the previous window is scored. */
    PairWork prepare(List<TextPair> pairs);

    /** Returns the number of pairs per window: enough to sort by length, few enough for memory. */
    default int window() {
        return WINDOW_PAIRS;
    }

    /** Estimates service calls, or what a local model reads. */
    default CallEstimate estimate(List<TextPair> pairs) {
        return estimate(pairs, Integer.MAX_VALUE);
    }

    /**
     * Estimates what a local model reads.
     *
     * @param most tokens that it reads of a pair
     */
    static CallEstimate estimate(List<TextPair> pairs, int most) {
        return CallEstimate.local(
                pairs.stream().map(pair -> pair.query() + pair.passage()).toList(), most);
    }

    /** Counts service calls and dollars so far; empty for a local model. */
    default Map<String, Number> usage() {
        return Map.of();
    }

    record TextPair(String query, String passage) implements Serializable {}

    /** Prepared pairs. */
    @FunctionalInterface
    interface PairWork {
        /** Scores all pairs and hands over batches as they finish, in no particular order, from several threads. */
        void run(PairSink sink);
    }

    /** Receiver of scores; gets each pair once. */
    @FunctionalInterface
    interface PairSink {
        void accept(List<Scored> batch);
    }

    /**
     * Score of a pair.
     *
     * @param pair index in the prepared list
     * @param seen UTF-16 units read of the passage, {@link TextEncoder#WHOLE} or {@link TextEncoder#UNKNOWN}
     * @param queryCut true if the query was truncated
     */
    record Scored(int pair, float score, int seen, boolean queryCut) implements Serializable {}

    /** Window of a local model. */
    int WINDOW_PAIRS = 4_096;

    @Override
    void close();
}
