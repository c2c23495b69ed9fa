package io.posbias.model.inside.torch;

import java.util.Set;

/**
 * Query and relevant passage.
 *
 * @param id name in messages
 * @param passage text with title
 * @param passageId identifier of the passage; its text if the data has no identifiers
 * @param document identifier of the passage's document; the passage's identifier if it is a whole document
 * @param others identifiers of passages in other documents that are not negatives of the query
 * @param evidenceEnd end of the evidence in {@code passage} in UTF-16 units, exclusive, or {@link #UNKNOWN}
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

    /** Returns true if the passage of another pair is a negative of this query. Equal queries share no negatives. */
    boolean isNegative(Pair other) {
        return !document.equals(other.document)
                && !passage.equals(other.passage)
                && !query.equals(other.query)
                && !others.contains(other.passageId);
    }
}
