package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Json;
import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordCsvTest {
    private record Inner(@Meaning("inner") double value, List<String> onlyJson) {}

    private record Finding(
            String model,
            @Meaning("pairs") int pairCount,
            @Meaning("mean") @Nullable Double mean,
            @Meaning("its interval") @Nullable Interval meanInterval,

            @Meaning(value = "cosine", unit = "score") @Nullable
            Estimate change,

            @Meaning("tau") @Nullable Correlation tau,
            @JsonUnwrapped Inner inner,
            @JsonProperty("deep") @Nullable Inner other,
            @JsonIgnore String hidden,
            @Meaning("one a measure") Map<String, Double> scores) {}

    private static final RecordCsv<Finding> ROWS = new RecordCsv<>(Finding.class);

    private static Finding whole() {
        Interval interval = new Interval(0.25, 0.75);
        return new Finding(
                "m",
                3,
                0.5,
                interval,
                new Estimate(0.1, interval, 0.04),
                new Correlation(0.9, 0.01),
                new Inner(7, List.of("x")),
                new Inner(8, List.of()),
                "h",
                new LinkedHashMap<>(Map.of("R@5", 1.0)));
    }

    private static Finding empty() {
        return new Finding(
                "n",
                0,
                null,
                null,
                null,
                null,
                new Inner(0, List.of()),
                null,
                "h",
                new LinkedHashMap<>(Map.of("R@5", 0.0)));
    }

    @Test
    void aRowHasTheFieldsOfItsJson() {
        Table table = ROWS.table(List.of(whole(), empty()));
        assertThat(table.header())
                .containsExactly(
                        "model",
                        "pair_count",
                        "mean",
                        "mean_low",
                        "mean_high",
                        "change",
                        "change_low",
                        "change_high",
                        "change_p_value",
                        "tau",
                        "tau_p_value",
                        "value",
                        "deep_value",
                        "R@5");
        assertThat(table.rows().getFirst().cells())
                .containsExactly(
                        "m", "3", "0.5", "0.25", "0.75", "0.1", "0.25", "0.75", "0.04", "0.9", "0.01", "7.0", "8.0",
                        "1.0");
        assertThat(table.rows().getLast().cells())
                .containsExactly("n", "0", "", "", "", "", "", "", "", "", "", "0.0", "", "0.0");
        assertThat(new String(Json.toLine(whole()), StandardCharsets.UTF_8))
                .contains("\"pair_count\":3", "\"mean_interval\":[", "\"value\":7.0", "\"deep\":{")
                .doesNotContain("hidden");
    }

    @Test
    void withoutRowsTheHeaderIsTheSameButForMaps() {
        assertThat(ROWS.table(List.of()).header())
                .hasSize(13)
                .startsWith("model", "pair_count")
                .endsWith("value", "deep_value");
    }

    @Test
    void columnsAreDescribedWithTheirUnits() {
        assertThat(ROWS.described(whole()))
                .contains(
                        new RecordCsv.Described(List.of("model"), "text", "name of the model's recipe"),
                        new RecordCsv.Described(List.of("pair_count"), "count", "pairs"),
                        new RecordCsv.Described(List.of("mean_low", "mean_high"), "fraction", "its interval"),
                        new RecordCsv.Described(
                                List.of("change", "change_low", "change_high", "change_p_value"), "score", "cosine"),
                        new RecordCsv.Described(List.of("R@5"), "fraction", "one a measure"));
    }

    private record Odd(String strange) {}

    @Test
    void aColumnWithoutAMeaningIsADefect() {
        assertThatThrownBy(() -> new RecordCsv<>(Odd.class).described(null)).hasMessageContaining("strange");
    }
}
