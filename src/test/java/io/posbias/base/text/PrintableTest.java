package io.posbias.base.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import io.posbias.base.table.TerminalStyle;
import io.posbias.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PrintableTest {
    /** A colour, the title of the window, a direction, a line break, a half character, C1's CSI: what attackers write. */
    private static final String HOSTILE =
            "\u001b[31mred\u001b]0;t\u0007 \u202egpj.exe\u2066 a\nb\r\u0000\ud800 \u009b2J";

    private static final String SHOWN =
            "\\u001b[31mred\\u001b]0;t\\u0007 \\u202egpj.exe\\u2066 a\\nb\\r\\u0000\\ud800 \\u009b2J";

    @Test
    void escapesWhatATerminalObeysOrHides() {
        assertThat(Printable.of(HOSTILE)).isEqualTo(SHOWN);
        assertThat(Printable.of("tab\tand\u2028line\ufeff")).isEqualTo("tab\\tand\\u2028line\\ufeff");
        assertThat(Printable.of("tag \udb40\udc41")).isEqualTo("tag \\u{e0041}");
        String names = "süß, 東京, مرحبا, नमस्ते, 👩‍👩‍👧, e\u0301, C:\\n";
        assertThat(Printable.of(names)).isSameAs(names);
    }

    @Test
    void textsOfLinesKeepTheirLines() {
        assertThat(Printable.lines("a\n\tb\r\n\u2028\u202ec\u0007")).isEqualTo("a\n\tb\r\n\u2028\\u202ec\\u0007");
    }

    /** In JSON and YAML the escapes are the format's own: nothing is lost. */
    @Property(tries = 300)
    void documentsKeepTheirMeaning(@ForAll String text) {
        Map<String, String> record = Map.of("a", text + HOSTILE.replace("\ud800", ""));
        String json = new String(Json.toBytes(record), StandardCharsets.UTF_8);
        for (String document : List.of(json, Json.toYaml(record))) {
            assertThat(document.replace("\n", ""))
                    .doesNotContainPattern(
                            "[\\p{Cc}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");
        }
        byte[] yaml = Json.toYaml(record).getBytes(StandardCharsets.UTF_8);
        if (Printable.of(text).indexOf("\\ud") < 0) {
            assertThat(Json.parse(Path.of("x"), json.getBytes(StandardCharsets.UTF_8))
                            .toMap())
                    .isEqualTo(record);
            assertThat(Json.parseYaml(Path.of("x"), yaml).toMap()).isEqualTo(record);
        }
    }

    @Property(tries = 300)
    void nothingUnsafeIsLeft(@ForAll String text) {
        for (String shown : List.of(Printable.of(text), Printable.quoted(text), Printable.line(text))) {
            assertThat(shown).doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]");
            assertThat(Printable.of(shown)).isEqualTo(shown);
        }
    }

    @Test
    void cutsLongValuesAndSaysTheirLength() {
        assertThat(Printable.quoted("a".repeat(80))).isEqualTo('"' + "a".repeat(80) + '"');
        assertThat(Printable.quoted("😀".repeat(81))).isEqualTo('"' + "😀".repeat(80) + "…\" (81 characters)");
        assertThat(Printable.cut("a".repeat(100_000))).isEqualTo("a".repeat(80) + "… (100000 characters)");
    }

    @Test
    void messagesAreOneLineWithTheirAdvice() {
        assertThat(Printable.line("  two\n\t lines \r\n\n and a\u001b ")).isEqualTo("two lines and a\\u001b");
        String line = Printable.line("f.csv:3: " + "x".repeat(5000) + "; do that");
        assertThat(line)
                .startsWith("f.csv:3: xxx")
                .contains("x… (5018 characters) …x")
                .endsWith("x; do that");
        assertThat(line).hasSizeLessThan(1100);
    }

    /** A hundred thousand spaces took 63 seconds in a regular expression that looked for line breaks among them. */
    @Test
    void takesNoLongerForManySpaces() {
        String spaces = " ".repeat(1_000_000);
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(new PosbiasException("a" + spaces + "b").line()).hasSizeLessThan(1100);
            Fields fields = new Fields(Location.of(Path.of("f")), Map.of("k" + spaces, "v" + spaces + "v"));
            assertThatThrownBy(() -> fields.text("other")).message().hasSizeLessThan(1100);
            assertThatThrownBy(() -> fields.refuseOthers(List.of("known")))
                    .message()
                    .hasSizeLessThan(1100);
        });
    }

    @Test
    void failuresAreSafeWhateverTheyQuote() {
        BadInputException failure =
                new BadInputException(new Location(Path.of("a\nb\u001b"), 3), "is " + HOSTILE.repeat(100), "do\nthat");
        assertThat(failure.line())
                .startsWith("a\\nb\\u001b:3: is \\u001b[31mred")
                .endsWith("; do that");
        assertThat(failure.line())
                .doesNotContainPattern("[\\p{Cc}\\p{Cs}\\u202e\\u2066]")
                .hasSizeLessThan(1100);
    }

    @ParameterizedTest
    @EnumSource(TableFormat.class)
    void tablesShowNamesSafelyAndCsvKeepsThem(TableFormat format) {
        String name = HOSTILE.replace("\ud800", "");
        Table table = new Table(
                name,
                List.of(new Table.Group(name, 2)),
                List.of("model", name),
                List.of(new Table.Row(List.of(name, "1")), new Table.Row(List.of(name))),
                List.of(name));
        String text = format.render(table, TerminalStyle.PLAIN);
        if (format == TableFormat.CSV) {
            assertThat(text).contains(name);
        } else {
            assertThat(text.replace("\n", "")).doesNotContainPattern("[\\p{Cc}\\p{Cs}\\u202e\\u2066]");
        }
    }

    @ParameterizedTest
    @CsvSource({"_id", "text", "query-id", "name"})
    void aHostileValueIsOneLineOnTheCommandLine(String field, @TempDir Path folder) throws IOException {
        String value = "\\u001b[2J\\u202e" + "x\\n ".repeat(20_000);
        Map<String, String> files = new HashMap<>(Map.of(
                "corpus.jsonl", "{\"_id\":\"p\",\"title\":\"\",\"text\":\"t\"}\n",
                "queries.jsonl", "{\"_id\":\"q\",\"text\":\"t\"}\n",
                "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp\t1\n",
                "dataset.yaml", "name: d\n"));
        switch (field) {
            case "_id" -> files.put("queries.jsonl", "{\"_id\":\"" + value + "\",\"text\":\"t\"}\n");
            case "text" -> files.put("queries.jsonl", "{\"_id\":\"q\",\"text\":[],\"" + value + "\":1}\n");
            case "query-id" ->
                files.put("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq" + "\u001b ".repeat(20_000) + "x\tp\t1\n");
            default -> files.put("dataset.yaml", "name: \"" + value + "\"\n");
        }
        Files.createDirectories(folder.resolve("qrels"));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8);
        }
        Cli.Ended ended = Cli.run("data verify", folder);
        assertThat(ended.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(ended.err()).endsWith("\n").hasSizeLessThan(1200);
        assertThat(ended.err().strip()).doesNotContainPattern("[\\p{Cc}\\u202e]");
    }

    @Test
    void listsOfNamesAreCut() {
        List<String> names = new ArrayList<>(Collections.nCopies(30, "name"));
        assertThat(Suggestions.unknown("field", "q", names)).endsWith("name, name and 6 more");
    }

    @Test
    void adviceIsCutAndKeepsItsIndentation() {
        PosbiasException problem = new PosbiasException("no", List.of("  run this " + "x".repeat(5000)), null) {};
        String step = problem.steps().getFirst();
        assertThat(step).startsWith("  run this xxx").hasSizeLessThan(1_100);
    }
}
