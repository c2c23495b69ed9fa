package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Grouping of queries by evidence position. Immutable; prints as it parses. A query may be in several buckets (shared edges) or
 * in none (no evidence, or beyond the last edge).
 */
public sealed interface Positions
        permits CharacterEdges, Positions.LabelBuckets, RelativeBins, Positions.None, Positions.Thirds {
    /** Names of the buckets, in table order. */
    List<String> buckets();

    /** Buckets of evidence, ascending, as indices into {@link #buckets()}; empty if the evidence lacks the required field. */
    int[] of(Evidence evidence);

    /** The text that {@link Bucketing#parse} reads back. */
    @Override
    String toString();

    /**
     * Buckets named by the benchmark, such as FineWeb-PosQ's beginning, middle and end. A query with several labels is in
     * several buckets.
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
}
