package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.List;

/**
 * Beginning, middle and end of the text by Algorithm 1 of "An Empirical Study of Position Bias in Modern Information
 * Retrieval": with z the text's length, m and n the answer's start and end (all in code points) and third = floor(z / 3),
 * beginning when n &lt; third, end when m &gt;= 2 third, middle otherwise. An answer across a border is in the middle.
 */
public record Thirds() implements Positions {
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
