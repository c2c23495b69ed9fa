package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Equal bins of the relative position, PosIR's way: the middle of the span over the length of the text, clipped to
 * [0, 1]; bins are right-closed and the first holds 0 as well. With 20 bins a position of exactly 0.05 is in the first.
 *
 * @param bins how many, at least 1
 */
public record RelativeBins(int bins) implements Positions {
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
