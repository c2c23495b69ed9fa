package io.posbias.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.PosbiasException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Numbers by hand. */
class SegmentSimilarityTest {
    private static final SegmentSample.Text TEXT = new SegmentSample.Text("p7", "text", 120);

    /** Vectors of length 5, 10, 2 and 1: the cosine does not look at lengths. */
    @Test
    void cosinesOfVectorsOfAnyLength() {
        SegmentCosines cosines = SegmentCosines.of(
                TEXT, true, new float[] {3, 4}, new float[] {6, 8}, new float[] {2, 0}, new float[] {0, -1});
        assertThat(cosines).isEqualTo(new SegmentCosines("p7", 120, true, 1, 0.6, -0.8));
    }

    @Test
    void aVectorOfZerosHasNoDirection() {
        float[] unit = {1, 0};
        assertThatThrownBy(() -> SegmentCosines.of(TEXT, false, unit, unit, new float[] {0, 0}, unit))
                .isInstanceOf(PosbiasException.class)
                .hasMessage(
                        "passage p7: no cosine of the whole and its middle: a vector is all zeros or holds what is no"
                                + " number");
        assertThatThrownBy(() -> SegmentCosines.of(TEXT, false, unit, new float[] {Float.NaN, 0}, unit, unit))
                .hasMessageContaining("its beginning");
    }

    @Test
    void quartilesHoldAQuarterEach() {
        LengthBands bands = LengthBands.quartiles(new int[] {8, 1, 7, 2, 6, 3, 5, 4});
        assertThat(bands.names()).containsExactly("1-2", "3-4", "5-6", "7-8");
        assertThat(bands.of(4)).isEqualTo(1);
        assertThat(bands.of(5)).isEqualTo(2);
        assertThat(LengthBands.quartiles(new int[] {5, 5, 5, 5, 9}).names()).containsExactly("5-5", "6-9");
        assertThat(LengthBands.quartiles(new int[] {5, 5}).names()).containsExactly("5-5");
        assertThatThrownBy(() -> new LengthBands(1, 9, List.of(3, 3))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LengthBands(1, 9, List.of(9))).isInstanceOf(IllegalArgumentException.class);
    }

    private static SegmentCosines cosines(int words, boolean cut, double beginning, double middle, double end) {
        return new SegmentCosines("p" + words, words, cut, beginning, middle, end);
    }

    /**
     * Differences 0.1, 0.2, 0.3: mean 0.2, standard error 0.1 / sqrt(3); t with 2 degrees of freedom is sqrt(12), its
     * 97.5% point 4.302653, and p = 1 - t / sqrt(2 + t^2).
     */
    @Test
    void meansAndPairedDifferencesOfABand() {
        List<SegmentCosines> all = List.of(
                cosines(110, false, 0.8, 0.8, 0.7),
                cosines(150, true, 0.8, 0.7, 0.6),
                cosines(160, false, 0.8, 0.6, 0.5),
                cosines(200, true, 0.4, 0.5, 0.6));
        SegmentSimilarity similarity = SegmentSimilarity.of(all, new LengthBands(101, 511, List.of(160, 180)), 0.95);
        assertThat(similarity.bands())
                .extracting(SegmentSimilarity.Band::words)
                .containsExactly("all", "101-160", "181-511");
        assertThat(similarity.bands()).extracting(SegmentSimilarity.Band::n).containsExactly(4, 3, 1);
        assertThat(similarity.bands()).extracting(SegmentSimilarity.Band::cut).containsExactly(2, 1, 1);
        SegmentSimilarity.Band band = similarity.bands().get(1);
        assertThat(band.segments().stream().mapToDouble(SegmentSimilarity.Mean::value))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(0.8, 0.7, 0.6);
        var end = Objects.requireNonNull(band.lessEnd().difference());
        double half = 4.302653 * 0.1 / Math.sqrt(3);
        assertThat(end.value()).isCloseTo(0.2, within(1e-12));
        assertThat(end.interval().low()).isCloseTo(0.2 - half, within(1e-6));
        assertThat(end.interval().high()).isCloseTo(0.2 + half, within(1e-6));
        assertThat(end.pValue()).isCloseTo(1 - Math.sqrt(12.0 / 14), within(1e-9));
        assertThat(Objects.requireNonNull(band.lessMiddle().difference()).value())
                .isCloseTo(0.1, within(1e-12));
        SegmentSimilarity.Band single = similarity.bands().getLast();
        assertThat(single.end().interval()).isNull();
        assertThat(single.lessEnd().difference()).isNull();
    }
}
