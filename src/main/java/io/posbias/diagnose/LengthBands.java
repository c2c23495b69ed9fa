package io.posbias.diagnose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bands of the length of texts in words, right-closed.
 *
 * @param least words that a text has at least
 * @param most words that a text has at most
 * @param edges upper edges of all bands but the last, ascending, from {@code least} to below {@code most}
 */
public record LengthBands(int least, int most, List<Integer> edges) {
    private static final int QUARTERS = 4;

    /** Checks that the edges ascend and lie inside. */
    public LengthBands {
        edges = List.copyOf(edges);
        int before = least - 1;
        for (int edge : edges) {
            if (edge <= before || edge >= most) {
                throw new IllegalArgumentException(
                        "edges must ascend, from " + least + " to " + (most - 1) + ": " + edges);
            }
            before = edge;
        }
    }

    /**
     * Four bands that hold a quarter of the texts each, as nearly as texts of the same length allow; fewer where many have
     * the same.
     *
     * @param words of each text, at least one
     */
    public static LengthBands quartiles(int[] words) {
        int[] sorted = words.clone();
        Arrays.sort(sorted);
        List<Integer> edges = new ArrayList<>();
        for (int quarter = 1; quarter < QUARTERS; quarter++) {
            int edge = sorted[Math.ceilDiv(sorted.length * quarter, QUARTERS) - 1];
            boolean isNew = edges.isEmpty() || edge > edges.getLast();
            if (isNew && edge < sorted[sorted.length - 1]) {
                edges.add(edge);
            }
        }
        return new LengthBands(sorted[0], sorted[sorted.length - 1], edges);
    }

    /** What the bands are called, such as 101-120. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        int from = least;
        for (int edge : edges) {
            names.add(from + "-" + edge);
            from = edge + 1;
        }
        names.add(from + "-" + most);
        return names;
    }

    /** The band of a number of words, as an index into {@link #names()}. */
    public int of(int words) {
        int band = 0;
        while (band < edges.size() && words > edges.get(band)) {
            band++;
        }
        return band;
    }
}
