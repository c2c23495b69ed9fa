package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Estimate;
import io.posbias.study.diagnose.Reversal.Third;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReversalTest {
    private static final List<Reversal.MovedQuery> PAIRS = List.of(
            new Reversal.MovedQuery("a", "a", 0.9, 0.1, 0.9, 0.2, 0.8),
            new Reversal.MovedQuery("b", "b", 0.8, 0.2, 0.8, 0.4, 0.6),
            new Reversal.MovedQuery("c", "c", 0.1, 0.9, 0.1, 0.9, 0.5),
            new Reversal.MovedQuery("d", "d", 0.2, 0.8, 0.2, 0.7, 0.4),
            new Reversal.MovedQuery("e", "e", 0.5, 0.7, 0.5, 0.1, 0.2));

    private static Estimate known(Estimate estimate, double value) {
        assertThat(estimate.value()).isCloseTo(value, within(1e-12));
        return estimate;
    }

    @Test
    void gapsAndContrast() {
        Reversal reversal = Reversal.of(PAIRS, Reversal.Groups.THIRDS, 0.95);
        known(Objects.requireNonNull(reversal.gap()), 0.5);
        known(Objects.requireNonNull(reversal.gapByPlaceNow()), 1 / 3.0);
        known(Objects.requireNonNull(reversal.gapByPlaceThen()), -0.25);
        known(Objects.requireNonNull(reversal.backToFront()), 0.4);
        known(Objects.requireNonNull(reversal.frontToBack()), -0.35);
        Estimate contrast = known(Objects.requireNonNull(reversal.contrast()), 0.75);
        // scipy.stats.ttest_ind([.6, .2], [-.4, -.3], equal_var=False)
        assertThat(contrast.pValue()).isCloseTo(0.14866303522830668, within(1e-9));
    }

    /** The paper's gap looks at the reversed corpus alone: scipy.stats.ttest_ind([.8, .6], [.5, .4], equal_var=False). */
    @Test
    void deltaRevIsThePapersGap() {
        Estimate delta = known(
                Objects.requireNonNull(
                        Reversal.of(PAIRS, Reversal.Groups.THIRDS, 0.95).deltaRev()),
                0.25);
        assertThat(delta.pValue()).isCloseTo(0.19872738893452624, within(1e-9));
    }

    @Test
    void cellsHoldTheQueriesOfOneWay() {
        List<Reversal.ReversalCell> cells =
                Reversal.of(PAIRS, Reversal.Groups.THIRDS, 0.95).places();
        assertThat(cells)
                .extracting(Reversal.ReversalCell::from)
                .containsExactly(Third.FRONT, Third.MIDDLE, Third.BACK);
        assertThat(cells).extracting(Reversal.ReversalCell::to).containsExactly(Third.BACK, Third.BACK, Third.FRONT);
        assertThat(cells).extracting(cell -> cell.means().n()).containsExactly(2, 1, 2);
        assertThat(cells.getFirst().means().original()).isCloseTo(0.8, within(1e-12));
        assertThat(cells.get(1).difference()).isNull();
    }

    @Test
    void tooFewQueriesHaveNoContrast() {
        Reversal reversal = Reversal.of(PAIRS.subList(0, 3), Reversal.Groups.THIRDS, 0.95);
        assertThat(reversal.contrast()).isNull();
        assertThat(reversal.deltaRev()).isNull();
        assertThat(reversal.backToFront()).isNotNull();
    }

    /** Two queries that score the same would count as certain. */
    @Test
    void aGroupThatDoesNotVaryHasNoContrast() {
        List<Reversal.MovedQuery> pairs = new ArrayList<>(PAIRS);
        pairs.set(3, new Reversal.MovedQuery("d", "d", 0.2, 0.8, 0.2, 0.7, 0.5));
        assertThat(Reversal.of(pairs, Reversal.Groups.THIRDS, 0.95).deltaRev()).isNull();
    }

    /** Of five segments the fourth is at the back and the second at the front; the middle of thirds begins before the second ends. */
    @Test
    void segmentsAreGroupedAsInThePaper() {
        Reversal.MovedQuery second = new Reversal.MovedQuery("f", "f", 0.35, 0.65, 0.3, 0.5, 0.5);
        assertThat(Reversal.Groups.SEGMENTS.from(second)).isEqualTo(Third.FRONT);
        assertThat(Reversal.Groups.SEGMENTS.to(second)).isEqualTo(Third.BACK);
        assertThat(Reversal.Groups.THIRDS.from(second)).isEqualTo(Third.MIDDLE);
        Reversal.MovedQuery third = new Reversal.MovedQuery("g", "g", 0.3, 0.7, 0.5, 0.5, 0.5);
        assertThat(Reversal.Groups.SEGMENTS.from(third)).isEqualTo(Third.MIDDLE);
        assertThat(Reversal.Groups.SEGMENTS.to(third)).isEqualTo(Third.MIDDLE);
    }
}
