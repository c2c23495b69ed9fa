package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A way to group queries by where their evidence lies. Immutable; prints as it parses.
 *
 * <p>A query may fall in several buckets (edges that belong to both sides) or in none (no evidence, or a position beyond
 * the last edge). Whoever counts must count both.
 */
public sealed interface Positions
        permits CharacterEdges, Positions.LabelBuckets, RelativeBins, Positions.None, Positions.Thirds {
    /** The names of the buckets, in the order in which tables show them. */
    List<String> buckets();

    /**
     * The buckets that evidence falls in, ascending, as indices into {@link #buckets()}; empty when the evidence lacks
     * what this kind looks at.
     */
    int[] of(Evidence evidence);

    /** The text that {@link Bucketing#parse} reads back as an equal value. */
    @Override
    String toString();

    /**
     * Buckets that the benchmark itself names, such as FineWeb-PosQ's beginning, middle and end. A query with several
     * labels falls in several buckets.
     *
     * @param buckets the labels, in the order in which tables show them
     */
    record LabelBuckets(List<String> buckets) implements Positions {
        static final String WORD = "labels";

        /** Checks that the labels differ. */
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

    /** No buckets: of a benchmark that does not say where evidence is. */
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
     * Beginning, middle and end of the text by Algorithm 1 of "An Empirical Study of Position Bias in Modern Information
     * Retrieval": with z the text's length, m and n the answer's start and end (all in code points) and third =
     * floor(z / 3), beginning when n &lt; third, end when m &gt;= 2 third, middle otherwise. An answer across a border
     * is in the middle.
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
