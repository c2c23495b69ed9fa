package io.posbias.model.encode;

/** Truncation of query and passage pairs, measured by the tokenizer alone. Safe for several threads. */
public interface PairReader extends AutoCloseable {
    Seen read(PairScorer.TextPair pair);

    /**
     * Truncation of a pair.
     *
     * @param passage UTF-16 units read of the passage, or {@link TextEncoder#WHOLE}, as {@link PairScorer.Scored#seen}
     * @param queryCut true if the query is truncated
     */
    record Seen(int passage, boolean queryCut) {}

    @Override
    void close();
}
