package io.posbias.data.position;

import io.posbias.data.dataset.Evidence;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bands of the passage's length in tokens: PosIR's Q1 to Q4. With edges 512, 1024 and 1536 the bands are (0, 512], (512, 1024],
 * (1024, 1536] and (1536, inf). A query without a token length is in none.
 *
 * @param edges upper edges of all bands but the last, ascending
 */
public record Strata(List<Integer> edges) {
    /** Stratum of all queries. */
    public static final String ALL = "all";

    static final String WORD = "tokens";

    public static final Strata NONE = new Strata(List.of());

    public Strata {
        edges = ascending("token edges", edges, 1);
    }

    static List<Integer> ascending(String what, List<Integer> edges, int least) {
        for (int i = 0; i < edges.size(); i++) {
            if (edges.get(i) < least || (i > 0 && edges.get(i) <= edges.get(i - 1))) {
                throw new IllegalArgumentException(what + " must ascend from " + least + " or more: " + edges);
            }
        }
        return List.copyOf(edges);
    }

    static String joined(List<Integer> edges) {
        return edges.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Names of the bands, Q1, Q2 and so on; empty without edges. */
    public List<String> bands() {
        int bands = edges.isEmpty() ? 0 : edges.size() + 1;
        return IntStream.rangeClosed(1, bands).mapToObj(band -> "Q" + band).toList();
    }

    /** Index of the band of a query's evidence, or -1. */
    public int of(@Nullable Evidence evidence) {
        if (edges.isEmpty() || evidence == null || evidence.tokenLength() < 1) {
            return -1;
        }
        return (int)
                edges.stream().filter(edge -> evidence.tokenLength() > edge).count();
    }

    @Override
    public String toString() {
        return WORD + ":" + joined(edges);
    }
}
