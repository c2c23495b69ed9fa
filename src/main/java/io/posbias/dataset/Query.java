package io.posbias.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question asked of the corpus.
 *
 * @param id its identifier, unique in the benchmark
 * @param text the question
 * @param evidence where its answer lies; null when the benchmark does not say
 * @param passage the identifier of the passage that holds the evidence, where the benchmark names it; else null
 * @param excluded identifiers of passages that are left out of what is found for it, as BRIGHT does: neither right nor wrong
 * @param variant what it is a variant of; null for a query by itself
 */
public record Query(
        String id,
        String text,
        @Nullable Evidence evidence,
        @Nullable String passage,
        List<String> excluded,
        @Nullable Variant variant) {
    /**
     * A question that is asked several times, each time with its evidence at another place of the passage that is relevant.
     *
     * @param of the question's identifier, which its variants share
     * @param place the place, from 1
     * @param document what the passages of all its variants were cut from
     */
    public record Variant(String of, int place, String document) {}

    /** Copies the list. */
    public Query {
        excluded = List.copyOf(excluded);
    }

    /** A query by itself, of which no passage is left out. */
    public Query(String id, String text, @Nullable Evidence evidence, @Nullable String passage) {
        this(id, text, evidence, passage, List.of(), null);
    }

    /** A query whose evidence is in its one relevant passage, or not known. */
    public Query(String id, String text, @Nullable Evidence evidence) {
        this(id, text, evidence, null);
    }

    /** The same query with other evidence. */
    public Query with(@Nullable Evidence other) {
        return new Query(id, text, other, passage, excluded, variant);
    }
}
