package io.posbias.model.inside;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Query and relevant passage.
 *
 * @param others identifiers of passages in other documents that are not negatives of the query
 * @param evidenceEnd end of the evidence in the passage in UTF-16 units, exclusive, or {@link #UNKNOWN}
 * @param negatives hard negatives
 */
public record Pair(String query, Text passage, Set<String> others, int evidenceEnd, List<Text> negatives) {
    static final int UNKNOWN = -1;

    /**
     * Text of a passage.
     *
     * @param text with title
     * @param id of the passage; its text if the data has no identifiers
     * @param document identifier of the passage's document; the passage's identifier if it is a whole document
     */
    public record Text(String text, String id, String document) {}

    public Pair {
        others = Set.copyOf(others);
        negatives = List.copyOf(negatives);
    }

    /** Returns what the worker reads of it; the end of the evidence is in code points. */
    Map<String, Object> row() {
        String text = passage.text;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("query", query);
        row.put("passage", passage);
        row.put("others", new TreeSet<>(others));
        row.put("evidence", evidenceEnd == UNKNOWN ? UNKNOWN : text.codePointCount(0, evidenceEnd));
        row.put("negatives", negatives);
        return row;
    }
}
