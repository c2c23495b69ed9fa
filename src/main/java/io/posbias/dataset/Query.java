package io.posbias.dataset;

import org.jspecify.annotations.Nullable;

/**
 * A question asked of the corpus.
 *
 * @param id its identifier, unique in the benchmark
 * @param text the question
 * @param evidence where its answer lies; null when the benchmark does not say
 * @param passage the identifier of the passage that holds the evidence, where the benchmark names it; else null
 */
public record Query(
        String id,
        String text,
        @Nullable Evidence evidence,
        @Nullable String passage) {
    /** A query whose evidence is in its one relevant passage, or not known. */
    public Query(String id, String text, @Nullable Evidence evidence) {
        this(id, text, evidence, null);
    }
}
