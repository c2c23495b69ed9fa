package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import io.posbias.study.diagnose.SaliencySettings.SaliencyMethod;
import io.posbias.study.diagnose.SaliencySettings.SaliencyScale;
import io.posbias.study.diagnose.SaliencySource.Occlusion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SaliencyTest {
    private static final String TEXT = "a1 b2 c3 d4 e5";
    private static final List<Span> WORDS = Words.cut(TEXT, "en");

    private static SaliencyPair pair(String document, @Nullable Span evidence, String unit) {
        return new SaliencyPair("q", "", "?", document, evidence, unit);
    }

    /** A map of one unit a value, three characters each. */
    private static SaliencyMap map(@Nullable Span evidence, double... values) {
        return map("u", evidence, values);
    }

    private static SaliencyMap map(String unit, @Nullable Span evidence, double... values) {
        List<Span> units = new ArrayList<>();
        List<SaliencyMap.SaliencyPart> parts = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            units.add(new Span(3 * i, 3 * i + 3));
            parts.add(new SaliencyMap.SaliencyPart(i, i + 1, values[i]));
        }
        return new SaliencyMap(pair("x".repeat(3 * values.length), evidence, unit), 1, null, units, parts, false, null);
    }

    @Test
    void theLastWindowEndsWithTheText() {
        Occlusion occlusion = new Occlusion(TEXT, WORDS, 2, 2);
        assertThat(occlusion.windows()).isEqualTo(3);
        assertThat(occlusion.texts()).containsExactly(TEXT, "c3 d4 e5", "a1 b2 e5", "a1 b2 c3");
        assertThat(new Occlusion(TEXT, WORDS, 4, 1).texts()).containsExactly(TEXT, "e5", "a1");
        assertThat(new Occlusion(TEXT, WORDS, 1, 1).texts())
                .containsExactly(TEXT, "b2 c3 d4 e5", "a1 c3 d4 e5", "a1 b2 d4 e5", "a1 b2 c3 e5", "a1 b2 c3 d4");
        // Four words in two windows: nothing is left out twice.
        String four = "a1 b2 c3 d4";
        assertThat(new Occlusion(four, Words.cut(four, "en"), 2, 2).texts()).containsExactly(four, "c3 d4", "a1 b2");
    }

    @Test
    void aWordsSaliencyIsTheMeanOfItsWindows() {
        // Windows [0,2) [2,4) [3,5): d4 is in two of them.
        SaliencyMap map = new Occlusion(TEXT, WORDS, 2, 2).map(pair(TEXT, null, "u"), new double[] {10, 9, 12, 4});
        assertThat(map.parts())
                .containsExactly(
                        new SaliencyMap.SaliencyPart(0, 2, 1),
                        new SaliencyMap.SaliencyPart(2, 4, -2),
                        new SaliencyMap.SaliencyPart(3, 5, 6));
        assertThat(map.values()).containsExactly(1, 1, -2, 2, 6);
        assertThat(map.score()).isEqualTo(10);
        assertThat(map.span(map.parts().getLast())).isEqualTo(new Span(9, 14));
        assertThat(map.stretches())
                .containsExactly(
                        new SaliencyMap.SaliencyStretch(new Span(0, 6), 1),
                        new SaliencyMap.SaliencyStretch(new Span(6, 9), -2),
                        new SaliencyMap.SaliencyStretch(new Span(9, 12), 2),
                        new SaliencyMap.SaliencyStretch(new Span(12, 14), 6));
    }

    @Test
    void aWindowLeavesSomethingOver() {
        assertThatThrownBy(() -> new Occlusion(TEXT, WORDS, 5, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Occlusion(TEXT, WORDS, 2, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Occlusion(TEXT, WORDS, 2, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** np.interp(np.linspace(0, 1, 100), np.linspace(0, 1, 4), [1, -2, 0, 4]) */
    @Test
    void pointsAreLinearBetweenUnits() {
        double[] points = map(null, 1, -2, 0, 4).points(SaliencyScale.NONE);
        assertThat(points).hasSize(100);
        assertThat(points[0]).isEqualTo(1);
        assertThat(points[33]).isEqualTo(-2);
        assertThat(points[66]).isEqualTo(0);
        assertThat(points[99]).isEqualTo(4);
        assertThat(points[11]).isEqualTo(0, within(1e-12));
        assertThat(points[50]).isCloseTo(-0.969696969697, within(1e-12));
        assertThat(points[98]).isCloseTo(3.878787878788, within(1e-12));
        assertThat(map(null, 7).points(SaliencyScale.NONE)).containsOnly(7);
    }

    /** np.percentile(abs(v), 99): of 0.00 to 2.00 in hundredths 1.98; of [1, -2, 0, 4] 3.94. */
    @Test
    void theScaleIsThe99thPercentileOfAbsoluteValues() {
        double[] many = IntStream.rangeClosed(0, 200)
                .mapToDouble(i -> (i % 2 == 0 ? 1 : -1) * i / 100.0)
                .toArray();
        assertThat(map(null, many).scale(SaliencyScale.P99)).isCloseTo(1.98, within(1e-12));
        SaliencyMap four = map(null, 1, -2, 0, 4);
        assertThat(four.scale(SaliencyScale.P99)).isCloseTo(3.94, within(1e-12));
        double[] points = four.points(SaliencyScale.P99);
        assertThat(points[0]).isCloseTo(1 / 3.94, within(1e-12));
        assertThat(points[33]).isCloseTo(-2 / 3.94, within(1e-12));
        assertThat(points[99]).isEqualTo(1);
        assertThat(SaliencyMap.scaled(-9, 3)).isEqualTo(-1);
        assertThat(map(null, 0, 0, 0, 0).points(SaliencyScale.P99)).containsOnly(0);
    }

    /** v / max(abs(v)): nothing is clipped, and one extreme unit is the whole scale. */
    @Test
    void theOtherScaleIsTheMaximum() {
        SaliencyMap four = map(null, 1, -2, 0, -8);
        assertThat(four.scale(SaliencyScale.MAXIMUM)).isEqualTo(8);
        double[] points = four.points(SaliencyScale.MAXIMUM);
        assertThat(points[0]).isEqualTo(1 / 8.0);
        assertThat(points[33]).isEqualTo(-2 / 8.0);
        assertThat(points[99]).isEqualTo(-1);
        assertThat(map(null, 0, 0).points(SaliencyScale.MAXIMUM)).containsOnly(0);
    }

    /** Units of 1/4: the second lies by 1/3 in the first third, the third by 1/3 in the last. */
    @Test
    void thirdsShareWhatIsAbove0() {
        assertThat(map(null, 2, 3, -5, 1).thirds().orElseThrow())
                .containsExactly(new double[] {3 / 6.0, 2 / 6.0, 1 / 6.0}, within(1e-12));
        assertThat(map(null, 0, 0, 1).thirds().orElseThrow()).containsExactly(0, 0, 1);
        assertThat(map(null, 5).thirds().orElseThrow())
                .containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, within(1e-12));
        assertThat(map(null, -1, 0).thirds()).isEmpty();
    }

    @Test
    void evidenceHasAShareOfSaliencyAndOfLength() {
        // From inside the second unit to the end of the third.
        assertThat(map(new Span(4, 9), 1, 4, -3, 3).evidenceShare()).contains(new SaliencyMap.EvidencePart(0.5, 0.5));
        assertThat(map(null, 1, 4).evidenceShare()).isEmpty();
        assertThat(map(new Span(0, 3), 0, 0).evidenceShare()).isEmpty();
        // Evidence behind what was read.
        assertThat(map(new Span(6, 9), 1, 4).evidenceShare()).isEmpty();
    }

    @Test
    void profilesAreMeansOverPairs() {
        List<SaliencyMap> maps = List.of(
                map("a", new Span(0, 3), 2, 1, 1),
                map("b", null, 1, 1, 2),
                map("c", new Span(3, 6), 4, 0, 0),
                map("d", null, -1, 0, 0));
        SaliencyProfile profile = SaliencyProfile.of(maps, SaliencyScale.NONE, 0.95);
        assertThat(profile.pairs()).isEqualTo(4);
        assertThat(profile.points().getFirst().mean()).isEqualTo(1.5);
        // numpy: std([2, 1, 4, -1], ddof=1); scipy: 3.182446305284263 of its standard errors.
        assertThat(profile.points().getFirst().deviation()).isCloseTo(2.081665999466133, within(1e-12));
        assertThat(Objects.requireNonNull(profile.points().getFirst().interval())
                        .high())
                .isCloseTo(1.5 + 3.182446305284263 * 2.081665999466133 / 2, within(1e-9));
        assertThat(profile.bins()).hasSize(10);
        assertThat(profile.bins().getFirst().mean())
                .isCloseTo(
                        Arrays.stream(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
                                .mapToDouble(i -> profile.points().get(i).mean())
                                .average()
                                .orElseThrow(),
                        within(1e-12));
        assertThat(profile.salient()).isEqualTo(3);
        assertThat(profile.thirds())
                .extracting(SaliencyProfile.SaliencyMean::mean)
                .satisfies(means -> assertThat(means.getFirst()).isCloseTo((0.5 + 0.25 + 1) / 3, within(1e-12)));
        assertThat(Objects.requireNonNull(profile.firstMinusLast()).value())
                .isCloseTo((0.25 - 0.25 + 1) / 3, within(1e-12));
        SaliencyProfile.EvidenceSaliency evidence = Objects.requireNonNull(profile.evidence());
        assertThat(evidence.pairs()).isEqualTo(2);
        assertThat(evidence.saliency().mean()).isEqualTo(0.25);
        assertThat(evidence.length().mean()).isCloseTo(1 / 3.0, within(1e-12));
    }

    @Test
    void onePairHasNoSpread() {
        SaliencyProfile profile = SaliencyProfile.of(List.of(map(null, -2, -1, -1)), SaliencyScale.P99, 0.95);
        assertThat(profile.points().getFirst().deviation()).isNull();
        assertThat(profile.thirds()).isEmpty();
        assertThat(profile.firstMinusLast()).isNull();
        assertThat(profile.evidence()).isNull();
    }

    @Test
    void modelsAreComparedOnThePairsThatBothFindSalient() {
        List<SaliencyMap> own = List.of(map("a", null, 1, 0, 0), map("b", null, 3, 0, 1), map("c", null, 0, 0, 1));
        List<SaliencyMap> base = List.of(map(null, 0, 0, 1), map(null, 1, 0, 1), map(null, -1, 0, 0));
        SaliencyProfile.SaliencyContrast contrast = new SaliencyProfile.SaliencyBaseline(
                        "base", SaliencyMethod.OCCLUSION, base)
                .contrast(own, SaliencyMethod.GRADIENT, 0.95);
        assertThat(contrast.method()).isEqualTo(SaliencyMethod.OCCLUSION);
        assertThat(contrast.pairs()).isEqualTo(2);
        assertThat(Objects.requireNonNull(contrast.difference()).value()).isCloseTo((2 + 0.5) / 2, within(1e-12));
    }
}
