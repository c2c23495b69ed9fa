package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Files of finished cells with wrong numbers and right digests: whoever reads them refuses them in one line. */
class WrongNumbersTest {
    private static final String QUERIES = "queries.csv";
    private static final String PLACES = "content-fixed.csv";
    private static final String RUN = "run.trec.gz";

    @TempDir
    static Path made;

    @TempDir
    Path temp;

    private Path cell = Path.of("");
    private Path other = Path.of("");

    @BeforeAll
    static void evaluate() {
        Cli.run(
                        "eval --model bm25,bm25-lucene --dataset demo --blind none --draws 20 --content-fixed 20"
                                + " --results",
                        made)
                .ok();
    }

    @BeforeEach
    void copy() throws IOException {
        cell = temp.resolve("bm25");
        other = made.resolve("demo/bm25-lucene");
        Files.createDirectories(cell);
        try (Stream<Path> files = Files.list(made.resolve("demo/bm25"))) {
            for (Path file : files.toList()) {
                Files.copy(file, cell.resolve(file.getFileName()));
            }
        }
    }

    /** Changes the lines of a file, and its digest in result.json. */
    private void change(String name, UnaryOperator<List<String>> change) throws IOException {
        Path file = cell.resolve(name);
        String before = Checksums.sha256(file);
        boolean isGzip = name.endsWith(".gz");
        List<String> lines = text(file, isGzip).lines().toList();
        byte[] changed = (String.join("\n", change.apply(lines)) + "\n").getBytes(StandardCharsets.UTF_8);
        Files.write(file, isGzip ? deflated(changed) : changed);
        Path result = cell.resolve("result.json");
        String sealed = Files.readString(result).replace(before, Checksums.sha256(file));
        Files.writeString(result, sealed);
    }

    private static String text(Path file, boolean isGzip) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (isGzip) {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                bytes = in.readAllBytes();
            }
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] deflated(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    /** Replaces cells of a column in some rows, numbered from 1 behind the header. */
    private static UnaryOperator<List<String>> cells(String column, int from, int to, UnaryOperator<String> change) {
        return lines -> {
            int at = List.of(lines.getFirst().split(",")).indexOf(column);
            List<String> changed = new ArrayList<>(lines);
            for (int row = from; row <= to; row++) {
                String[] cells = lines.get(row).split(",", -1);
                cells[at] = change.apply(cells[at]);
                changed.set(row, String.join(",", cells));
            }
            return changed;
        };
    }

    private static UnaryOperator<List<String>> cell(String column, int row, String value) {
        return cells(column, row, row, old -> value);
    }

    private static UnaryOperator<List<String>> first(int most) {
        return lines -> lines.subList(0, most);
    }

    static List<Arguments> wrongQueries() {
        return List.of(
                Arguments.of("a score below 0", cell("nDCG@10", 7, "-2.0")),
                Arguments.of("a score above 1", cell("nDCG@10", 7, "1.5")),
                Arguments.of("half of the rows", first(601)),
                Arguments.of("no rows", first(1)),
                Arguments.of("a row twice", (UnaryOperator<List<String>>)
                        lines -> Stream.concat(lines.subList(0, 1200).stream(), Stream.of(lines.get(7)))
                                .toList()),
                Arguments.of("another mean", cells("nDCG@10", 1, 9, score -> score.equals("1.0") ? "0.5" : "1.0")),
                Arguments.of("other buckets", cells("buckets", 1, 9, bucket -> "0-20%")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongQueries")
    void queriesAreThoseOfTheResult(String what, UnaryOperator<List<String>> change) throws IOException {
        change(QUERIES, change);
        String file = cell.resolve(QUERIES).toString();
        for (Object[] command : List.of(
                new Object[] {"compare --draws 0", cell, other},
                new Object[] {"gate --allow-other-model --draws 20 --baseline", other, "--result", cell},
                new Object[] {"pool --name p --out", temp.resolve("pool"), cell},
                new Object[] {"report --by buckets", cell},
                new Object[] {"report page --output", temp.resolve("page.html"), cell})) {
            Cli.Ended ended = Cli.run(command);
            assertThat(ended.code())
                    .as(what + ": " + command[0] + "\n" + ended.err())
                    .isOne();
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err().lines().toList().getLast()).startsWith("posbias: " + file);
        }
        assertThat(temp.resolve("pool/result.json")).doesNotExist();
    }

    static List<Arguments> wrongPlaces() {
        UnaryOperator<List<String>> reversed = lines -> Stream.concat(
                        Stream.of(lines.getFirst()),
                        IntStream.range(0, 20)
                                .boxed()
                                .flatMap(query -> lines.subList(1 + 10 * query, 11 + 10 * query).reversed().stream()))
                .toList();
        return List.of(
                Arguments.of("places in another order", reversed),
                Arguments.of("a place that is none", cell("place", 3, "11")),
                Arguments.of("a score above 1", cell("score", 3, "7")),
                Arguments.of("another score", cell("score", 3, "0.123")),
                Arguments.of("a score of the passage as it is", cells("observed", 1, 10, score -> "0.123")),
                Arguments.of("a flag that is none", cell("natural", 3, "2")),
                Arguments.of("an unknown query", cells("query_id", 1, 10, id -> "none")),
                Arguments.of("half of the queries", first(101)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongPlaces")
    void scoresByPlaceAreThoseOfTheResult(String what, UnaryOperator<List<String>> change) throws IOException {
        change(PLACES, change);
        Cli.run("compare --draws 40", cell, other).fails(1, cell.resolve(PLACES));
        Cli.Ended refitted =
                Cli.run("eval --model bm25 --dataset demo --blind none --draws 30 --content-fixed 20 --out", cell);
        assertThat(refitted.code()).as(what + refitted.err()).isOne();
        assertThat(refitted.err().lines().toList().getLast())
                .startsWith("posbias: ")
                .contains(PLACES);
        assertThat(refitted.out()).isEmpty();
    }

    @Test
    void aRunGivesTheMeansOfTheResult() throws IOException {
        change(RUN, first(6000));
        Cli.Ended more =
                Cli.run("eval --model bm25 --dataset demo --blind none --draws 20 --measures R@10 --out", cell);
        assertThat(more.code()).isOne();
        assertThat(more.out()).isEmpty();
        assertThat(more.err()).contains(cell.resolve(RUN).toString(), "nDCG@10", "--overwrite");
        Cli.Ended texts = Cli.run("report page --output", temp.resolve("page.html"), cell);
        assertThat(texts.code()).isOne();
        assertThat(texts.err()).contains(cell.resolve(RUN).toString());
    }

    /** Each field of a result null: where it is required, one line. */
    @Test
    void aRequiredFieldIsNotNull() throws IOException {
        JsonNode whole = Json.mapper().readTree(cell.resolve("result.json"));
        List<String> refused = new ArrayList<>();
        for (JsonPointer field : fields(whole, JsonPointer.empty())) {
            try {
                read(withNull(whole, field));
            } catch (BadInputException oneLine) {
                refused.add(field.toString());
            }
        }
        assertThat(refused)
                .contains("/results", "/results/0", "/results/0/profiles/0/buckets", "/results/0/profiles/0/buckets/0")
                .contains("/results/0/profiles/0/buckets/0/mean", "/results/0/profiles/0/psi/value")
                .contains("/results/0/settings", "/results/0/files_sha256/queries.csv")
                .doesNotContain("/results/0/profiles/0/power/psi", "/results/0/recipe/family");
        assertThatThrownBy(() -> read(withNull(whole, JsonPointer.compile("/results/0/profiles/0/buckets"))))
                .hasMessageContainingAll("result.json", "results[0].profiles[0].buckets", "is null");
    }

    @Test
    void eachMeasureOfTheSettingsHasAProfile() throws IOException {
        Path file = cell.resolve("result.json");
        String result = Files.readString(file);
        Files.writeString(file, result.replace("\"measures\" : [ \"nDCG@10\" ]", "\"measures\" : [ \"R@10\" ]"));
        change(
                QUERIES,
                lines -> lines.stream()
                        .map(line -> line.replace("nDCG@10", "R@10"))
                        .toList());
        Cli.run("report --by buckets", cell).fails(1, file, "no profile of R@10");
    }

    /** Figures and comparisons went on without the file. */
    @Test
    void digestsOfOtherFilesAreRefused() throws IOException {
        Path file = cell.resolve("result.json");
        String result = Files.readString(file);
        Files.writeString(file, result.replace("\"queries.csv\" :", "\"queries.csv \" :"));
        Cli.run("report", cell).fails(1, file, "files_sha256");
        Files.writeString(file, result.replaceFirst("\"queries.csv\" : \"[0-9a-f]+\",?", ""));
        Cli.run("report", cell).fails(1, file, "files_sha256");
    }

    private static List<Result> read(JsonNode result) {
        return ResultFile.read(Json.parse(Path.of("result.json"), Json.toBytes(result)));
    }

    @Tag("slow")
    @Test
    void whatMayBeNullIsReadByAllCommands() throws IOException {
        Path file = cell.resolve("result.json");
        JsonNode whole = Json.mapper().readTree(file);
        for (JsonPointer field : fields(whole, JsonPointer.empty())) {
            Files.write(file, Json.toBytes(withNull(whole, field)));
            Cli.Ended report = Cli.run("report --format json", cell);
            if (report.code() != 0) {
                report.fails(1, file);
                continue;
            }
            for (Object[] command : List.of(
                    new Object[] {"report --explain", cell},
                    new Object[] {"report --by buckets", cell},
                    new Object[] {"report page --output", temp.resolve("page.html"), cell},
                    new Object[] {"report figures --output", temp.resolve("plots"), cell},
                    new Object[] {"report mteb --output", temp.resolve("mteb"), cell},
                    new Object[] {"compare --draws 40", cell, other},
                    new Object[] {"gate --allow-other-model --draws 20 --baseline", other, "--result", cell},
                    new Object[] {"pool --overwrite --name p --out", temp.resolve("pool"), cell})) {
                Cli.Ended ended = Cli.run(command);
                assertThat(ended.code()).as(field + ended.err()).isIn(0, 1, 2, 3);
                assertThat(ended.err()).as(field.toString()).doesNotContain("this is a bug");
            }
        }
    }

    /** Pointers to all fields and lists below a node; the first element of a list stands for all. */
    private static List<JsonPointer> fields(JsonNode node, JsonPointer path) {
        List<JsonPointer> fields = new ArrayList<>();
        List<JsonPointer> within = node.isObject()
                ? node.propertyNames().stream().map(path::appendProperty).toList()
                : node.isArray() && !node.isEmpty() ? List.of(path.appendIndex(0)) : List.of();
        for (JsonPointer next : within) {
            fields.add(next);
            fields.addAll(fields(node.at(next.last()), next));
        }
        return fields;
    }

    private static JsonNode withNull(JsonNode whole, JsonPointer field) {
        JsonNode copy = whole.deepCopy();
        JsonPointer last = field.last();
        switch (copy.at(field.head())) {
            case ObjectNode object -> object.putNull(last.getMatchingProperty());
            case ArrayNode array -> array.setNull(last.getMatchingIndex());
            default -> throw new IllegalArgumentException(field.toString());
        }
        return copy;
    }
}
