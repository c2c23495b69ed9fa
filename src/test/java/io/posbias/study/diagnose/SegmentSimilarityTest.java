package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Moments.Mean;
import io.posbias.study.diagnose.SegmentsDiagnosis.SegmentBand;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SegmentSimilarityTest {
    /** Vectors of length 5, 10, 2 and 1: the cosine does not look at lengths. */
    @Test
    void cosinesOfVectorsOfAnyLength() {
        float[] whole = {3, 4};
        assertThat(SegmentSimilarity.cosine(whole, new float[] {6, 8})).isEqualTo(1);
        assertThat(SegmentSimilarity.cosine(whole, new float[] {2, 0})).isEqualTo(0.6);
        assertThat(SegmentSimilarity.cosine(whole, new float[] {0, -1})).isEqualTo(-0.8);
    }

    @Test
    void aVectorOfZerosHasNoDirection() {
        float[] unit = {1, 0};
        assertThat(SegmentSimilarity.cosine(unit, new float[] {0, 0})).isNaN();
        assertThat(SegmentSimilarity.cosine(unit, new float[] {Float.NaN, 0})).isNaN();
        assertThat(SegmentSimilarity.cosine(unit, new float[] {Float.POSITIVE_INFINITY, 0}))
                .isNaN();
    }

    private static SegmentSample.SegmentBands quartiles(int... words) {
        List<SegmentSample.SampledText> texts = IntStream.of(words)
                .mapToObj(number -> new SegmentSample.SampledText("p", "text", number))
                .toList();
        return new SegmentSample(texts, texts.size(), texts.size()).quartiles();
    }

    @Test
    void quartilesHoldAQuarterEach() {
        SegmentSample.SegmentBands bands = quartiles(8, 1, 7, 2, 6, 3, 5, 4);
        assertThat(bands.names()).containsExactly("1-2", "3-4", "5-6", "7-8");
        assertThat(bands.of(4)).isEqualTo(1);
        assertThat(bands.of(5)).isEqualTo(2);
        assertThat(quartiles(5, 5, 5, 5, 9).names()).containsExactly("5-5", "6-9");
        assertThat(quartiles(5, 5).names()).containsExactly("5-5");
        assertThatThrownBy(() -> new SegmentSample.SegmentBands(1, 9, List.of(3, 3)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SegmentSample.SegmentBands(1, 9, List.of(9)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static SegmentSimilarity.TextCosines cosines(int words, boolean cut, Double... cosines) {
        return new SegmentSimilarity.TextCosines("p" + words, words, cut, List.of(cosines));
    }

    /**
     * Differences 0.1, 0.2, 0.3: mean 0.2, standard error 0.1 / sqrt(3); t with 2 degrees of freedom is sqrt(12), its
     * 97.5% point 4.302653, and p = 1 - t / sqrt(2 + t^2).
     */
    @Test
    void meansAndPairedDifferencesOfABand() {
        List<SegmentSimilarity.TextCosines> all = List.of(
                cosines(110, false, 0.8, 0.8, 0.7),
                cosines(150, true, 0.8, 0.7, 0.6),
                cosines(160, false, 0.8, 0.6, 0.5),
                cosines(200, true, 0.4, 0.5, 0.6));
        List<SegmentBand> bands = new SegmentSimilarity(all, new SegmentSimilarity.SegmentTruncation(256, true, 2, 0))
                .bands(new SegmentSample.SegmentBands(101, 511, List.of(160, 180))).stream()
                        .map(band -> SegmentBand.of(band, 0.95))
                        .toList();
        assertThat(bands).extracting(one -> one.means().words()).containsExactly("all", "101-160", "181-511");
        assertThat(bands).extracting(one -> one.means().n()).containsExactly(4, 3, 1);
        assertThat(bands).extracting(SegmentBand::cut).containsExactly(2, 1, 1);
        SegmentBand band = bands.get(1);
        assertThat(band.means().all().stream().mapToDouble(Mean::mean))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(0.8, 0.7, 0.6);
        var end = Objects.requireNonNull(band.tests().getLast().difference());
        double half = 4.302653 * 0.1 / Math.sqrt(3);
        assertThat(end.value()).isCloseTo(0.2, within(1e-12));
        assertThat(end.interval().low()).isCloseTo(0.2 - half, within(1e-6));
        assertThat(end.interval().high()).isCloseTo(0.2 + half, within(1e-6));
        assertThat(end.pValue()).isCloseTo(1 - Math.sqrt(12.0 / 14), within(1e-9));
        assertThat(Objects.requireNonNull(band.tests().getFirst().difference()).value())
                .isCloseTo(0.1, within(1e-12));
        SegmentBand single = bands.getLast();
        assertThat(single.means().end().interval()).isNull();
        assertThat(single.tests().getLast().difference()).isNull();
    }
}
