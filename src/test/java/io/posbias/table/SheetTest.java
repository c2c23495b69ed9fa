package io.posbias.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.stats.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;

class SheetTest {
    private static final Sheet<Estimate> ROWS = new Sheet<Estimate>()
            .label("model", row -> "m")
            .plain("n", row -> 3)
            .means("pairs", "count")
            .number("shown", NumberFormat.SCORE, Estimate::value)
            .only(Sheet.In.PRINT)
            .under("mean")
            .number("mean_change", NumberFormat.SIGNED_POINTS, Estimate::value)
            .headed("change")
            .means("mean minus the model's")
            .interval("range", NumberFormat.SIGNED_POINTS, Estimate::interval)
            .under("")
            .estimate("slope", "slope_range", "slope_p", NumberFormat.FRACTION, row -> row)
            .means("change from front to back");

    @Test
    void eachColumnOfCsvIsDescribed() {
        List<Sheet.Described> described = ROWS.described();
        assertThat(described)
                .containsExactly(
                        new Sheet.Described(List.of("model"), "", "text", "name of the model's recipe"),
                        new Sheet.Described(List.of("n"), "", "count", "pairs"),
                        new Sheet.Described(
                                List.of("mean_change"), "mean change", "fraction", "mean minus the model's"),
                        new Sheet.Described(
                                List.of("range_low", "range_high"),
                                "",
                                "fraction",
                                "both ends of the interval of `mean_change`"),
                        new Sheet.Described(List.of("slope"), "", "fraction", "change from front to back"),
                        new Sheet.Described(
                                List.of("slope_range_low", "slope_range_high"),
                                "",
                                "fraction",
                                "both ends of the interval of `slope`"),
                        new Sheet.Described(List.of("slope_p"), "p", "p-value", "p-value of `slope` against 0"));
        assertThat(described.stream().flatMap(column -> column.names().stream()))
                .containsExactlyElementsOf(ROWS.raw(List.of()).header());
    }

    @Test
    void aColumnThatNobodyExplainsIsADefect() {
        assertThatThrownBy(() -> new Sheet<String>().plain("odd", row -> row).described())
                .hasMessageContaining("odd");
    }
}
