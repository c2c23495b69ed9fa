package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Clusters;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeType;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceCurveTest {
    private static PlaceCurve published(String model) {
        return PlaceCurve.Published.read(SegmentCurvesDiagnosis.PUBLISHED).stream()
                .filter(one -> one.model().equals(model) && one.set().equals("Base"))
                .findFirst()
                .orElseThrow()
                .curve();
    }

    /** Ranges printed in appendix C of arXiv:2605.26578, of the cosines of its Figure 7. */
    @ParameterizedTest
    @CsvSource({
        "Longformer-base, 0.003",
        "ModernBERT-base, 0.032",
        "ModernBERT-large, 0.051",
        "BERT-base, 0.042",
        "GPT-2-medium, 0.016"
    })
    void publishedRangesRecompute(String model, double range) {
        assertThat(published(model).peakMinusLowest()).isCloseTo(range, within(1e-9));
    }

    /** The appendix prints the range of the nine others. */
    @Test
    void publishedRangeOfNineSegments() {
        PlaceCurve curve = published("Qwen3-0.6B");
        assertThat(curve.peak()).isEqualTo(10);
        DoubleSummaryStatistics nine = curve.places().stream()
                .limit(9)
                .mapToDouble(PlaceCurve.Place::mean)
                .summaryStatistics();
        assertThat(nine.getMax() - nine.getMin()).isCloseTo(0.024, within(1e-9));
    }

    /** Means 1, 4, 1: of the equal places the first is the lowest, and differences are to place 1. */
    @Test
    void placesAreComparedWithTheFirst() {
        List<double[]> scores = List.of(new double[] {1, 1}, new double[] {3, 5}, new double[] {1, 1});
        PlaceCurve curve = PlaceCurve.of(ProbeType.pairs("p"), scores, Clusters.single(2), 0.95);
        assertThat(curve.peak()).isEqualTo(2);
        assertThat(curve.lowest()).isEqualTo(1);
        assertThat(curve.tests()).extracting(PairTest::comparison).containsExactly("2 - 1", "3 - 1");
        assertThat(curve.tests()).extracting(PairTest::meanDifference).containsExactly(3.0, 0.0);
        assertThat(curve.lines()).extracting(line -> line.lessFirst() == null).containsExactly(true, false, false);
    }
}
