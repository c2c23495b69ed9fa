package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Interval;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.run.placing.EvidenceMover;
import io.posbias.study.diagnose.MovingDiagnosis.MovingCurve;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.ProbeItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MovingCurveTest {
    private static List<ScoredItem> items(double[]... queries) {
        List<ScoredItem> items = new ArrayList<>();
        for (int query = 0; query < queries.length; query++) {
            for (int place = 0; place < queries[query].length; place++) {
                ProbeItem item = new ProbeItem(
                        MovingDiagnosis.PROBE,
                        "q" + query,
                        "?",
                        "text",
                        null,
                        Map.of("position", String.valueOf(place + 1)));
                items.add(new ScoredItem(item, queries[query][place], null));
            }
        }
        return items;
    }

    /** By hand: means 2, 3, 1; peak less lowest 1, 3, 2, whose t interval is 2 ± 4.302653 / sqrt(3). */
    @Test
    void peakAndLowestArePaired() {
        MovingCurve moved =
                MovingCurve.of(items(new double[] {1, 2, 1}, new double[] {3, 4, 1}, new double[] {2, 3, 1}), 0.95);
        assertThat(moved.queries()).isEqualTo(3);
        PlaceCurve curve = moved.curve();
        assertThat(curve.places()).extracting(PlaceCurve.Place::mean).containsExactly(2.0, 3.0, 1.0);
        assertThat(curve.peak()).isEqualTo(2);
        assertThat(curve.lowest()).isEqualTo(3);
        assertThat(curve.peakMinusLowest()).isEqualTo(2);
        Interval drop = Objects.requireNonNull(curve.interval());
        assertThat(drop.low()).isCloseTo(2 - 4.302653 / Math.sqrt(3), within(1e-6));
        assertThat(drop.high()).isCloseTo(2 + 4.302653 / Math.sqrt(3), within(1e-6));
        assertThat(curve.tests())
                .extracting(test -> Objects.requireNonNull(test.difference()).value())
                .containsExactly(1.0, -1.0);
        Interval first = Objects.requireNonNull(curve.places().getFirst().interval());
        assertThat(first.high()).isCloseTo(2 + 4.302653 / Math.sqrt(3), within(1e-6));
    }

    @Test
    void ofEqualPlacesTheFirstIsNamed() {
        PlaceCurve curve = MovingCurve.of(items(new double[] {5, 5, 5}, new double[] {7, 7, 7}), 0.95)
                .curve();
        assertThat(curve.peak()).isEqualTo(1);
        assertThat(curve.lowest()).isEqualTo(1);
        assertThat(curve.peakMinusLowest()).isZero();
    }

    @Test
    void oneQueryHasNoInterval() {
        PlaceCurve curve = MovingCurve.of(items(new double[] {1, 2}), 0.95).curve();
        assertThat(curve.interval()).isNull();
        assertThat(curve.peakMinusLowest()).isEqualTo(1);
        assertThat(curve.places().getFirst().interval()).isNull();
    }

    @Test
    void itemsAreTaggedWithTheirPlace() {
        List<ProbeItem> items = MovingDiagnosis.items(
                EvidenceMover.of(Sentences.of("Ants. Bees. Cats.", "en"), new Span(12, 16))
                        .orElseThrow(),
                new Query("q", "which?", null),
                "p",
                2);
        assertThat(items)
                .containsExactly(
                        new ProbeItem(
                                MovingDiagnosis.PROBE,
                                "q",
                                "which?",
                                "Cats. Ants. Bees.",
                                null,
                                Map.of("position", "1"),
                                "p"),
                        new ProbeItem(
                                MovingDiagnosis.PROBE,
                                "q",
                                "which?",
                                "Ants. Bees. Cats.",
                                null,
                                Map.of("position", "2"),
                                "p"));
    }
}
