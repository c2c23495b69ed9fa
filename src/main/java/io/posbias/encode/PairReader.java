package io.posbias.encode;

/**
 * Tells how much a model reads of passages together with queries, by its tokenizer alone: the model is not loaded. Safe for
 * several threads.
 */
public interface PairReader extends AutoCloseable {
    /** How much of a pair fits within the model's limit. */
    Seen read(PairScorer.TextPair pair);

    /**
     * What is read of a pair.
     *
     * @param passage UTF-16 units of the passage, or {@link TextEncoder#WHOLE}: what {@link PairScorer.Scored#seen} will be
     * @param queryCut whether the query itself is cut
     */
    record Seen(int passage, boolean queryCut) {}

    @Override
    void close();
}
