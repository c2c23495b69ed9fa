package io.posbias.study.build.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Counts candidates by the smallest margin of the rerankers and by position, as Table 6 of arXiv:2605.26578 does. For one thread. */
public final class Margins {
    /** Name of the note that lists each {@link Row}. */
    public static final String NOTE = "margins";

    /** Lower edges of strata above a margin below 0; an edge belongs to what is above it. */
    public static final List<Double> EDGES = List.of(0.0, 0.1, 0.2, 0.3);

    private final SequencedMap<String, Map<String, Long>> counts = new LinkedHashMap<>();

    public Margins() {
        counts.put("all", new LinkedHashMap<>());
        counts.put("failed", new LinkedHashMap<>());
        EDGES.forEach(edge -> counts.put(name(edge), new LinkedHashMap<>()));
    }

    /**
     * Candidates with a margin.
     *
     * @param margin {@code all}, {@code failed} below 0, or a least margin
     * @param positions candidates by position; none where a paper prints only the sum
     */
    public record Row(String margin, long all, Map<String, Long> positions) {}

    private static String name(double edge) {
        return edge == 0 ? "0 and more" : edge + " and more";
    }

    /** Returns the number of edges that a margin reaches: 0 for a failed top-rank check. */
    public static int stratum(double margin) {
        return (int) EDGES.stream().filter(edge -> margin >= edge).count();
    }

    public void add(double margin, String position) {
        int reached = stratum(margin);
        List<String> rows = new ArrayList<>(List.of("all"));
        EDGES.subList(0, reached).forEach(edge -> rows.add(name(edge)));
        if (reached == 0) {
            rows.add("failed");
        }
        rows.forEach(row ->
                counts.computeIfAbsent(row, none -> new LinkedHashMap<>()).merge(position, 1L, Long::sum));
    }

    /** Returns all, the failed ones, and those of each least margin. */
    public List<Row> rows() {
        return counts.sequencedEntrySet().stream()
                .map(row -> new Row(
                        row.getKey(),
                        row.getValue().values().stream()
                                .mapToLong(Long::longValue)
                                .sum(),
                        row.getValue()))
                .toList();
    }
}
