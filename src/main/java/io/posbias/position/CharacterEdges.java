package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Buckets of the answer's first code point.
 *
 * <p>Closed: both edges belong to a bucket, as published for SQuAD-PosQ; with edges 0, 100, 200 a start of 100 is in 0-100 and
 * in 100-200, and a start beyond the last edge in none. Half-open: a bucket holds its lower edge only, and the last bucket has
 * no end.
 *
 * @param edges ascending, at least two if closed, otherwise one
 */
public record CharacterEdges(List<Integer> edges, boolean closed) implements Positions {
    static final String HALF_OPEN = "characters";
    static final String CLOSED = "characters-closed";

    public CharacterEdges {
        if (edges.size() < (closed ? 2 : 1)) {
            throw new IllegalArgumentException(
                    closed ? "at least two edges are needed" : "at least one edge is needed");
        }
        edges = Strata.ascending("edges", edges, 0);
    }

    @Override
    public List<String> buckets() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i + 1 < edges.size(); i++) {
            names.add(edges.get(i) + "-" + edges.get(i + 1));
        }
        if (!closed) {
            names.add(edges.getLast() + "+");
        }
        return names;
    }

    @Override
    public int[] of(Evidence evidence) {
        int start = evidence.start();
        if (start == Evidence.UNKNOWN) {
            return new int[0];
        }
        return IntStream.range(0, closed ? edges.size() - 1 : edges.size())
                .filter(bucket -> holds(bucket, start))
                .toArray();
    }

    private boolean holds(int bucket, int start) {
        boolean last = bucket + 1 == edges.size();
        return start >= edges.get(bucket)
                && (last || start < edges.get(bucket + 1) || (closed && start == edges.get(bucket + 1)));
    }

    @Override
    public String toString() {
        return (closed ? CLOSED : HALF_OPEN) + ":" + Strata.joined(edges);
    }
}
