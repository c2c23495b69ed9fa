package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Bands of the length of the text that holds the evidence, in tokens: PosIR's Q1 to Q4. With edges 512, 1024 and 1536
 * the bands are (0, 512], (512, 1024], (1024, 1536] and (1536, inf). A query without a token length is in none.
 *
 * @param edges upper edges of all bands but the last, ascending
 */
public record Strata(List<Integer> edges) {
    /** The stratum that every query is in. */
    public static final String ALL = "all";

    /** The word in specifications. */
    static final String WORD = "tokens";

    /** No bands: only {@link #ALL}. */
    public static final Strata NONE = new Strata(List.of());

    /** Checks that the edges ascend. */
    public Strata {
        edges = List.copyOf(edges);
        for (int i = 0; i < edges.size(); i++) {
            if (edges.get(i) < 1 || (i > 0 && edges.get(i) <= edges.get(i - 1))) {
                throw new IllegalArgumentException("token edges must ascend from 1 or more: " + edges);
            }
        }
    }

    /** The names of the bands, without {@link #ALL}: Q1, Q2 and so on; empty when there are no edges. */
    public List<String> bands() {
        List<String> names = new ArrayList<>();
        if (!edges.isEmpty()) {
            for (int band = 0; band <= edges.size(); band++) {
                names.add("Q" + (band + 1));
            }
        }
        return names;
    }

    /** The band of a query's evidence as an index into {@link #bands()}, or -1 when it is in none. */
    public int of(@Nullable Evidence evidence) {
        if (edges.isEmpty() || evidence == null || evidence.tokenLength() < 1) {
            return -1;
        }
        int band = 0;
        while (band < edges.size() && evidence.tokenLength() > edges.get(band)) {
            band++;
        }
        return band;
    }

    @Override
    public String toString() {
        return WORD + ":" + edges.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
