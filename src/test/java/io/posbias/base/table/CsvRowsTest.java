package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.posbias.base.json.Fields;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowsTest {
    private static String write(String cell) {
        return TableFormat.CSV.render(new Table(
                "", List.of(), List.of("name", "other"), List.of(new Table.Row(List.of(cell, "x"))), List.of()));
    }

    private static Fields read(String text) {
        return CsvRows.read(Path.of("f.csv"), text.getBytes(StandardCharsets.UTF_8))
                .getFirst();
    }

    /** What OWASP's page on CSV injection lists, with an apostrophe before it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=cmd|' /C calc'!A0",
                "=1+1",
                "+1+1",
                "-2+3+cmd|' /C calc'!A0",
                "-q1",
                "+49 30 1",
                "@SUM(1,2)",
                "\t=1",
                "\r=1",
                "'=1",
                "''-x",
                "-- -=1"
            })
    void textsAreNoFormulasAndAreReadBack(String cell) {
        assertThat(write(cell))
                .satisfiesAnyOf(
                        text -> assertThat(text).contains("\n'" + cell + ",x"),
                        text -> assertThat(text).contains("\n\"'" + cell + "\",x"));
        assertThat(read(write(cell)).text("name")).isEqualTo(cell);
    }

    @Test
    void aMillionDigitsTakeNoTime() {
        String cell = "-" + "7".repeat(1_000_000) + "x";
        assertTimeout(Duration.ofSeconds(5), () -> assertThat(write(cell)).contains("\n'-777"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-",
                "-1",
                "-0.25",
                "+1.50",
                "-1.0E-5",
                "+.5",
                "-12.3%",
                "-4.00†",
                "+0.12*",
                "-0.20 [-0.30, -0.10]",
                "'quoted'",
                "a=b",
                "q-1"
            })
    void numbersAndOtherTextsStay(String cell) {
        assertThat(write(cell)).isIn("name,other\n" + cell + ",x\n", "name,other\n\"" + cell + "\",x\n");
        assertThat(read(write(cell)).text("name")).isEqualTo(cell);
    }

    @Test
    void namesOfColumnsToo() {
        Table table = new Table("", List.of(), List.of("=a"), List.of(new Table.Row(List.of("v", "w"))), List.of());
        Table two = new Table("", List.of(), List.of("=a", "b"), table.rows(), List.of());
        assertThat(TableFormat.CSV.render(two)).startsWith("'=a,b\n");
        assertThat(read(TableFormat.CSV.render(two)).text("=a")).isEqualTo("v");
    }

    @Property(tries = 500)
    void everythingIsReadBack(
            @ForAll
                    @Chars({'\'', '=', '-', '+', '@', '"', ',', '\t', '\n', ' ', '1', '.'})
                    @AlphaChars
                    @StringLength(min = 1, max = 6)
                    String cell) {
        assertThat(read(write(cell)).text("name")).isEqualTo(cell);
    }
}
