package io.posbias.base.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.junit.jupiter.api.Test;

class ScatterTest {
    private static ValueAxis across(double... costs) {
        return Scatter.costs(Arrays.stream(costs).summaryStatistics());
    }

    @Test
    void costsFarApartAreOnAnAxisByPowers() {
        assertThat(across(0.1, 0.02, 12)).isInstanceOf(LogAxis.class);
        assertThat(across(0.1, 0.02, 12).getRange().contains(0.02)).isTrue();
        assertThat(across(0.1, 0.02, 12).getRange().contains(12)).isTrue();
        assertThat(across(1, 10)).isInstanceOf(NumberAxis.class);
        // Nothing has no place on an axis by powers.
        assertThat(across(0, 12).getRange().contains(0)).isTrue();
        assertThat(across(0).getRange().contains(0)).isTrue();
    }
}
