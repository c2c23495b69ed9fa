package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Clusters;
import io.posbias.study.probe.ProbeType;
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

    /** The appendix prints the range of the nine others: the last segment ends with the token that is pooled. */
    @Test
    void publishedRangeOfNineSegments() {
        List<Double> means = published("Qwen3-0.6B").places().stream()
                .map(PlaceCurve.Place::mean)
                .toList();
        assertThat(means).hasSize(10);
        assertThat(PlaceCurve.of(means.subList(0, 9)).peakMinusLowest()).isCloseTo(0.024, within(1e-9));
        assertThat(PlaceCurve.of(means).peak()).isEqualTo(10);
    }

    /** Differences to place 1 by hand: 2, 4 and 0, 0; the means 1, 4, 1 have their peak at place 2. */
    @Test
    void publishedMeansHaveNoTests() {
        List<double[]> scores = List.of(new double[] {1, 1}, new double[] {3, 5}, new double[] {1, 1});
        PlaceCurve curve = PlaceCurve.of(ProbeType.pairs("p"), scores, Clusters.single(2), 0.95);
        assertThat(curve.lines()).extracting(line -> line.lessFirst() == null).containsExactly(true, false, false);
        assertThat(curve.tests()).extracting(test -> test.comparison()).containsExactly("2 - 1", "3 - 1");
        assertThat(curve.tests()).extracting(test -> test.meanDifference()).containsExactly(3.0, 0.0);
        PlaceCurve means = PlaceCurve.of(List.of(1.0, 4.0, 1.0));
        assertThat(means.peak()).isEqualTo(curve.peak()).isEqualTo(2);
        assertThat(means.lowest()).isEqualTo(curve.lowest()).isEqualTo(1);
        assertThat(means.lines()).allMatch(line -> line.lessFirst() == null);
    }
}
