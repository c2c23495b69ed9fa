package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.List;
import java.util.stream.IntStream;

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
