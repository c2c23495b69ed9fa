package io.posbias.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;

class JsonTest {
    private record All(
            @Nullable Integer whole,
            @Nullable Long wide,
            @Nullable Double number,
            @Nullable Float single,
            @Nullable Boolean flag,
            @Nullable String text,
            @Nullable TimeUnit unit) {}

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            whole | "1"
            whole | 1.5
            whole | true
            whole | ""
            wide | "1"
            wide | 1.5
            number | "1.5"
            number | true
            number | ""
            single | "1.5"
            flag | 1
            flag | "true"
            flag | ""
            text | 1
            text | 1.5
            text | true
            unit | 1
            unit | "1"
            unit | ""
            """)
    void valuesOfAnotherTypeAreNotConverted(String field, String value) {
        String json = "{\"" + field + "\": " + value + "}";
        assertThatThrownBy(() -> Json.mapper().readValue(json, All.class)).isInstanceOf(JacksonException.class);
    }

    @Test
    void valuesOfTheirTypeAreRead() {
        assertThat(Json.mapper()
                        .readValue(
                                "{\"whole\": 1, \"wide\": 2, \"number\": 3, \"single\": 4, \"flag\": true, \"text\": \"x\","
                                        + " \"unit\": \"DAYS\"}",
                                All.class))
                .isEqualTo(new All(1, 2L, 3.0, 4f, true, "x", TimeUnit.DAYS));
    }

    /** A number is no place in an enum, also where a program's record is bound. */
    @Test
    void aNumberIsNoEnumOfData() {
        Fields fields = new Fields(Location.of(Path.of("x.json")), Map.of("unit", 1));
        assertThatThrownBy(() -> Json.bind(fields, All.class)).isInstanceOf(BadInputException.class);
    }
}
