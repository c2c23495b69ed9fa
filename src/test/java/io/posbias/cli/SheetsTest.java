package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.table.CsvRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twelve questions on two lengths of documents, six of the middle, and the answers of two annotators. */
class SheetsTest {
    private static final List<String> POSITIONS = List.of("beginning", "middle", "end");

    @TempDir
    Path temp;

    private Path sheets = Path.of("");

    @BeforeEach
    void build() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            String text = "=Owl " + i + " <b>hunts</b>, at night. Foxes \"sleep\" in the\\nbarn " + i
                    + ". Mice eat corn " + "all day".repeat(i < 3 ? 1 : 9) + " " + i + ".";
            rows.append(
                    "{\"_id\": \"d" + i + "\", \"text\": \"" + text.replace("\"sleep\"", "\\\"sleep\\\"") + "\"}\n");
        }
        Files.createDirectories(temp.resolve("bench/qrels"));
        Files.writeString(temp.resolve("bench/dataset.yaml"), "name: b\nlanguage: en\n");
        Files.writeString(temp.resolve("bench/corpus.jsonl"), rows);
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int i = 0; i < 12; i++) {
            String position = i >= 6 ? "middle" : POSITIONS.get(i % 3 == 1 ? 0 : i % 3);
            queries.append("{\"_id\": \"q" + i + "\", \"text\": \"who, " + i + "?\", \"span_class\": [\"" + position
                    + "\"]}\n");
            qrels.append("q" + i + "\td" + i % 6 + "\t1\n");
        }
        Files.writeString(temp.resolve("bench/queries.jsonl"), queries);
        Files.writeString(temp.resolve("bench/qrels/test.tsv"), qrels);
        Files.writeString(temp.resolve("p.yaml"), """
                name: p
                language: en
                stages:
                  - sample: {unit: characters, edges: [0, 120, 400]}
                  - questions: {of: labels}
                  - write: {}
                """);
        Cli.run("construct", temp.resolve("p.yaml"), "--input", temp.resolve("bench"), "--out", temp.resolve("built"))
                .ok();
        sheets = temp.resolve("sheets");
        draw(sheets, 9).ok();
    }

    private Cli.Ended draw(Path out, int most) {
        return Cli.run("construct sheets", temp.resolve("built"), "--per-stratum " + most + " --out", out);
    }

    private List<Fields> key() {
        return CsvRows.read(sheets.resolve("key.csv"));
    }

    /** Fills a sheet by the question's name. */
    private void fill(int annotator, Map<String, String> answers) throws IOException {
        String name = "annotator-" + annotator;
        Map<String, String> byItem = new HashMap<>();
        key().forEach(row -> byItem.put(row.text(name), answers.getOrDefault(id(row), "")));
        String rows = byItem.entrySet().stream()
                .map(row -> row.getKey() + "," + row.getValue() + "\r\n")
                .collect(Collectors.joining());
        Files.writeString(sheets.resolve(name + ".csv"), "\ufeffitem,answer\r\n" + rows);
    }

    private static String id(Fields row) {
        return row.text("question").replaceFirst(".*/", "");
    }

    private Map<String, String> labels() {
        return key().stream()
                .collect(Collectors.toMap(
                        SheetsTest::id, row -> String.valueOf(POSITIONS.indexOf(row.text("position")) + 1)));
    }

    @Test
    void sheetsAreBlindAndReadBack() throws IOException {
        assertThat(key()).hasSize(12);
        for (String annotator : List.of("annotator-1", "annotator-2")) {
            List<Fields> rows = CsvRows.read(sheets.resolve(annotator + ".csv"));
            assertThat(rows).hasSize(12).allMatch(row -> row.text("question").startsWith("who, "));
            assertThat(rows.stream().map(row -> row.text("item")))
                    .isSorted()
                    .containsExactlyInAnyOrderElementsOf(
                            key().stream().map(row -> row.text(annotator)).toList());
            Fields first = rows.getFirst();
            assertThat(first.text("segment_1") + first.text("segment_2") + first.text("segment_3"))
                    .matches("(?s)=Owl \\d <b>hunts</b>, at night. Foxes \"sleep\" in the\nbarn .*");
            String page = Files.readString(sheets.resolve(annotator + ".html"));
            assertThat(page).contains("&lt;b&gt;", "default-src 'none'").doesNotContain("<script", "://", "src=");
            for (String text : List.of(page, Files.readString(sheets.resolve(annotator + ".csv")))) {
                assertThat(text).doesNotContain("beginning", "middle", "d0/q0");
            }
        }
        Path again = temp.resolve("again");
        draw(again, 9).ok();
        for (String file : List.of("key.csv", "annotator-1.csv", "annotator-2.html")) {
            assertThat(again.resolve(file)).hasSameBinaryContentAs(sheets.resolve(file));
        }
        draw(again, 9).fails(2, "again exists");
    }

    @Test
    void eachStratumGivesAsManyAsItHas() {
        Cli.Ended drawn = draw(temp.resolve("few"), 2);
        assertThat(drawn.out()).containsPattern("0-120 +beginning +2 +2\n").containsPattern("120-400 +middle +3 +2\n");
        assertThat(CsvRows.read(temp.resolve("few/key.csv"))).hasSize(10);
    }

    /** Kappa is scikit-learn's, the interval of the share scipy's. */
    @Test
    void annotatorsAreComparedWithEachOtherAndTheLabels() throws IOException {
        Map<String, String> first = labels();
        first.put("q6", "none");
        first.put("q7", "1");
        first.remove("q8");
        Map<String, String> second = labels();
        second.put("q6", "none");
        second.put("q9", "several");
        fill(1, first);
        fill(2, second);
        Fields found = Json.parse(
                Path.of("out"),
                Cli.run("construct validate", sheets, "--format json")
                        .ok()
                        .out()
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(found.record("unanswered").toMap()).isEqualTo(Map.of("annotator-1", 1, "annotator-2", 0));
        assertThat(found.integer("compared")).isEqualTo(11);
        assertThat(found.record("equal").number("value")).isEqualTo(9.0 / 11);
        assertThat(found.record("kappa").number("value")).isCloseTo(0.7471264367816092, within(1e-12));
        Map<String, Fields> lines = found.records("labels").stream()
                .collect(Collectors.toMap(
                        line -> Stream.of("by", "group", "against")
                                .map(line::text)
                                .collect(Collectors.joining(" ")),
                        line -> line));
        expect(lines, "all all all", 9, 1);
        expect(lines, "all all annotator-1", 11, 2);
        expect(lines, "all all annotator-2", 12, 2);
        expect(lines, "position middle all", 3, 1);
        expect(lines, "position beginning annotator-2", 4, 0);
        expect(lines, "length 120-400 annotator-2", 6, 1);
        assertThat(Objects.requireNonNull(lines.get("all all all")).raw("share_interval"))
                .asInstanceOf(InstanceOfAssertFactories.list(Double.class))
                .satisfiesExactly(
                        low -> assertThat(low).isCloseTo(0.019890887638544907, within(1e-9)),
                        high -> assertThat(high).isCloseTo(0.434999705576656, within(1e-9)));
    }

    private static void expect(Map<String, Fields> lines, String line, int questions, int wrong) {
        Fields found = Objects.requireNonNull(lines.get(line), line);
        assertThat(List.of(found.integer("questions"), found.integer("wrong")))
                .as(line)
                .isEqualTo(List.of(questions, wrong));
    }

    @Test
    void sheetsThatDoNotFitAreRefusedWithTheirLine() throws IOException {
        fill(1, labels());
        fill(2, labels());
        Path sheet = sheets.resolve("annotator-2.csv");
        List<String> rows = Files.readAllLines(sheet);
        Path other = sheets.resolve("annotator-1.csv");
        refused(
                sheet,
                rows.get(0),
                rows.get(1),
                rows.get(1).replaceFirst(",.*", ",none"),
                "annotator-2.csv:3",
                "twice");
        refused(sheet, rows.get(0), rows.get(1), "q123,1", "annotator-2.csv:3", "key.csv");
        refused(sheet, rows.get(0), rows.get(1), rows.get(2).replaceFirst(",.*", ",4"), "annotator-2.csv:3", "several");
        refused(sheet, "item;answer", rows.get(1).replace(',', ';'), "x;1", "annotator-2.csv:2", "item");
        Files.copy(other, sheet, StandardCopyOption.REPLACE_EXISTING);
        Cli.run("construct validate", sheets).fails(1, "annotator-2.csv:2", "key.csv");
        Files.delete(sheet);
        Cli.run("construct validate", sheets).fails(1, "annotator-2.csv");
        Cli.run("construct validate", temp).fails(2, "key.csv");
    }

    private void refused(Path sheet, String header, String first, String second, String... what) throws IOException {
        Files.writeString(sheet, String.join("\n", header, first, second) + "\n");
        Cli.run("construct validate", sheets).fails(1, (Object[]) what);
    }
}
