package io.posbias.inside.torch;

import java.util.Set;

/**
 * A query and a passage that answers it.
 *
 * @param id what errors call it
 * @param query the query's text
 * @param passage the passage's text, with its title
 * @param passageId its identifier; the text itself where the data has none
 * @param document what the passage was cut from; the passage's identifier where it is a document of its own
 * @param others identifiers of passages that are no negatives of the query, besides those of the document
 * @param evidenceEnd the UTF-16 unit of {@code passage} behind the evidence, or {@link #UNKNOWN}
 */
public record Pair(
        String id,
        String query,
        String passage,
        String passageId,
        String document,
        Set<String> others,
        int evidenceEnd) {
    static final int UNKNOWN = -1;

    /** Copies the set. */
    public Pair {
        others = Set.copyOf(others);
    }

    /** Whether another pair's passage is a negative of this one's query: what answers the same words is none. */
    boolean isNegative(Pair other) {
        return !document.equals(other.document)
                && !passage.equals(other.passage)
                && !query.equals(other.query)
                && !others.contains(other.passageId);
    }
}
