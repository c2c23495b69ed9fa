package io.posbias.model.inside.torch;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Query and relevant passage.
 *
 * @param id name in messages
 * @param others identifiers of passages in other documents that are not negatives of the query
 * @param evidenceEnd end of the evidence in the passage in UTF-16 units, exclusive, or {@link #UNKNOWN}
 * @param negatives hard negatives
 */
public record Pair(
        String id, String query, Text passage, Set<String> others, int evidenceEnd, List<Text> negatives) {
    static final int UNKNOWN = -1;

    /**
     * Text of a passage.
     *
     * @param text with title
     * @param id of the passage; its text if the data has no identifiers
     * @param document identifier of the passage's document; the passage's identifier if it is a whole document
     */
    public record Text(String text, String id, String document) {
        /** Creates a text of data without identifiers. */
        static Text unnamed(String text) {
            return new Text(text, text, text);
        }
    }

    /** Creates a pair without hard negatives. */
    Pair(String id, String query, Text passage, Set<String> others, int evidenceEnd) {
        this(id, query, passage, others, evidenceEnd, List.of());
    }

    public Pair {
        others = Set.copyOf(others);
        negatives = List.copyOf(negatives);
    }

    /** Returns true if the passage of another pair is a negative of this query. Equal queries share no negatives. */
    boolean isNegative(Pair other) {
        return !query.equals(other.query) && isNegative(other.passage);
    }

    /** Returns true if a passage or a hard negative of another pair is a negative of this query. */
    boolean isNegative(Text other) {
        return !passage.document.equals(other.document)
                && !passage.text.equals(other.text)
                && !others.contains(other.id);
    }

    /**
     * Returns the pair with the negatives of an epoch: the next in turn, from the first again behind the last.
     *
     * @param most number of negatives
     */
    Pair inEpoch(int epoch, int most) {
        int size = negatives.size();
        if (size <= most) {
            return this;
        }
        int first = Math.toIntExact((long) epoch * most % size);
        List<Text> own = IntStream.range(first, first + most)
                .mapToObj(i -> negatives.get(i % size))
                .toList();
        return new Pair(id, query, passage, others, evidenceEnd, own);
    }
}
