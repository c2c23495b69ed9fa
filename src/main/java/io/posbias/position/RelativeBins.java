package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Equal bins of the relative position, PosIR's way: the middle of the span over the length of the text, clipped to
 * [0, 1]; bins are right-closed and the first holds 0 as well. With 20 bins a position of exactly 0.05 is in the first.
 *
 * <p>Edges are compared in whole numbers, so no position falls on the wrong side by rounding.
 *
 * @param bins how many, at least 1
 */
public record RelativeBins(int bins) implements Positions {
    /** The word in specifications. */
    static final String WORD = "relative";

    private static final int MOST = 1000;

    /** Checks the number of bins. */
    public RelativeBins {
        if (bins < 1 || bins > MOST) {
            throw new IllegalArgumentException("between 1 and " + MOST + " bins, not " + bins);
        }
    }

    /** The bins by their edges in percent: {@code 0-5%}, {@code 5-10%}. */
    @Override
    public List<String> buckets() {
        return IntStream.range(0, bins)
                .mapToObj(bin -> percent(bin) + "-" + percent(bin + 1) + "%")
                .toList();
    }

    @Override
    public int[] of(Evidence evidence) {
        if (!evidence.isPlaced()) {
            return new int[0];
        }
        // position p = (start + end) / (2 length); the right-closed bin of p is ceil(p * bins) - 1.
        long scaled = ((long) evidence.start() + evidence.end()) * bins;
        long bin = Math.ceilDiv(scaled, 2L * evidence.textLength()) - 1;
        return new int[] {Math.clamp(bin, 0, bins - 1)};
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
