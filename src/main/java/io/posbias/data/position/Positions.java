package io.posbias.data.position;

import io.posbias.data.dataset.Evidence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Grouping of queries by evidence position. Immutable; prints as it parses. A query may be in several buckets (shared edges) or
 * in none (no evidence, or beyond the last edge).
 */
public sealed interface Positions {
    /** Names of the buckets, in table order. */
    List<String> buckets();

    /** Buckets of evidence, ascending, as indices into {@link #buckets()}; empty if the evidence lacks the required field. */
    int[] of(Evidence evidence);

    /** The text that {@link Bucketing#parse} reads back. */
    @Override
    String toString();

    /**
     * Buckets named by the benchmark, for example FineWeb-PosQ's beginning, middle and end. A query with several
     * labels is in several buckets.
     */
    record LabelBuckets(List<String> buckets) implements Positions {
        static final String WORD = "labels";

        public LabelBuckets {
            buckets = List.copyOf(buckets);
            if (buckets.isEmpty() || new HashSet<>(buckets).size() != buckets.size() || buckets.contains("")) {
                throw new IllegalArgumentException("labels must be different words: " + buckets);
            }
        }

        @Override
        public int[] of(Evidence evidence) {
            return IntStream.range(0, buckets.size())
                    .filter(bucket -> evidence.labels().contains(buckets.get(bucket)))
                    .toArray();
        }

        @Override
        public String toString() {
            return WORD + ":" + String.join(",", buckets);
        }
    }

    /** No buckets, for benchmarks without evidence positions. */
    record None() implements Positions {
        static final String WORD = "none";

        @Override
        public List<String> buckets() {
            return List.of();
        }

        @Override
        public int[] of(Evidence evidence) {
            return new int[0];
        }

        @Override
        public String toString() {
            return WORD;
        }
    }

    /**
     * Beginning, middle and end by Algorithm 1 of "An Empirical Study of Position Bias in Modern Information Retrieval": with z
     * the text's length, m and n the answer's start and end (in code points) and third = floor(z / 3), beginning if n &lt;
     * third, end if m &gt;= 2 third, otherwise middle.
     */
    record Thirds() implements Positions {
        static final String WORD = "thirds";

        private static final List<String> BUCKETS = List.of("beginning", "middle", "end");

        @Override
        public List<String> buckets() {
            return BUCKETS;
        }

        @Override
        public int[] of(Evidence evidence) {
            if (!evidence.isPlaced()) {
                return new int[0];
            }
            int third = evidence.textLength() / 3;
            if (evidence.end() < third) {
                return new int[] {0};
            }
            return new int[] {evidence.start() >= 2 * third ? 2 : 1};
        }

        @Override
        public String toString() {
            return WORD;
        }
    }

    /**
     * Equal bins of the relative position as in PosIR: the middle of the span divided by the text's length, clipped to [0, 1];
     * right-closed, the first bin also holds 0.
     */
    public record RelativeBins(int bins) implements Positions {
        static final String WORD = "relative";

        private static final int MOST = 1000;

        public RelativeBins {
            if (bins < 1 || bins > MOST) {
                throw new IllegalArgumentException("between 1 and " + MOST + " bins, not " + bins);
            }
        }

        /** Names by edges in percent: {@code 0-5%}, {@code 5-10%}. */
        @Override
        public List<String> buckets() {
            return IntStream.range(0, bins)
                    .mapToObj(bin -> percent(bin) + "-" + percent(bin + 1) + "%")
                    .toList();
        }

        @Override
        public int[] of(Evidence evidence) {
            return evidence.isPlaced() ? new int[] {evidence.relativeBin(bins)} : new int[0];
        }

        private String percent(int edge) {
            return 100 * edge % bins == 0
                    ? String.valueOf(100 * edge / bins)
                    : String.valueOf(Math.round(1000.0 * edge / bins) / 10.0);
        }

        @Override
        public String toString() {
            return WORD + ":" + bins;
        }
    }

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
}
