package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A number that rounds to 0 has no sign in any unit, whichever side of 0 it is on. */
class NumberFormatTest {
    @ParameterizedTest
    @EnumSource(NumberFormat.class)
    void zeroHasNoSign(NumberFormat unit) {
        for (double zero : new double[] {-0.0, 0.0, -1e-9, 1e-9}) {
            assertThat(unit.print(new Interval(zero, zero))).doesNotContain("-0", "+0");
            if (unit != NumberFormat.P) {
                assertThat(unit.print(zero)).startsWith("0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = NumberFormat.class,
            names = {"SIGNED_SCORE", "ANY_SCORE"})
    void whatIsNotZeroKeepsItsSign(NumberFormat unit) {
        assertThat(unit.print(-0.0001)).isEqualTo("-0.0001");
        assertThat(unit.print(0.00006)).isEqualTo("+0.0001");
        assertThat(unit.print(-0.00004)).isEqualTo("0.0000");
    }

    @Test
    void sentencesHaveFourDigitsAtMost() {
        assertThat(NumberFormat.significant(4.05)).isEqualTo("4.05");
        assertThat(NumberFormat.significant(2.0 / 3)).isEqualTo("0.6667");
        assertThat(NumberFormat.significant(12345.6)).isEqualTo("12350");
        assertThat(NumberFormat.significant(0)).isEqualTo("0");
        assertThat(NumberFormat.significant(0.00012345)).isEqualTo("0.0001234");
    }
}
