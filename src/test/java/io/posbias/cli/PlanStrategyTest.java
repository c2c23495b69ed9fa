package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.calibrate.ReferenceEncoder;
import io.posbias.result.ResultFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan counts what strategies have a model read: as many texts and vectors as the run then tells of itself. */
class PlanStrategyTest {
    private static final int DIMENSION = 64;

    @TempDir
    Path temp;

    private Path data = Path.of("data");
    private String model = "";
    private Posbias posbias = new Posbias(Path.of("nowhere"), Map.of());

    @BeforeEach
    void make() throws IOException {
        posbias = new Posbias(temp, Map.of());
        data = LongBenchmark.write(temp.resolve("long"));
        model = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, DIMENSION, 1, 64)
                .write(temp.resolve("model"), LongBenchmark.words())
                .toString();
    }

    private Cli.Ended run(String models, String... more) {
        Stream<Object> words = Stream.of(
                "eval", "--model", models, "--dataset", data, "--draws", 10, "--results", temp.resolve("out"));
        Cli.Ended ended = posbias.run(Stream.concat(words, Stream.of(more)).toArray());
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended;
    }

    private Fields plan(String models, String... more) {
        Cli.Ended ended = run(
                models,
                Stream.concat(Stream.of("--dry-run", "--format", "json"), Stream.of(more))
                        .toArray(String[]::new));
        return Json.parseYaml(Path.of("plan"), ended.out().getBytes(StandardCharsets.UTF_8));
    }

    private int texts(String name) {
        Path file = temp.resolve("out/long").resolve(name).resolve("result.json");
        Map<String, Double> effort =
                ResultFile.read(file).getFirst().retrieval().effort();
        return effort.getOrDefault("texts_encoded", 0.0).intValue();
    }

    private String ran(String strategy) throws IOException {
        run(model + strategy);
        try (Stream<Path> cells = Files.list(temp.resolve("out/long"))) {
            return cells.map(cell -> cell.getFileName().toString()).findFirst().orElseThrow();
        }
    }

    /**
     * A vector for each text, but of late chunking for each of 11 windows of 15 passages (45 tokens, stops included), and twice
     * for texts of one window, in its own cache and in the model's.
     */
    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "+chunked:window=8, 0",
        "+chunked:window=8:sentences=true, 0",
        "+late-chunked:window=8, 71",
        "+mirrored, 0",
        "+fused, 0",
        "+quantised, 0",
        "+quantised:numbers=binary, 0",
        "+truncated-dimensions, 0",
        "+chunked:window=8+mirrored, 0",
    })
    void whatItEncodesIsCounted(String strategy, int vectors) throws IOException {
        Fields cell = plan(model + strategy).records("cells").getFirst();
        assertThat(cell.text("basis")).isEqualTo("texts");
        assertThat(cell.number("seconds")).isPositive();
        int read = texts(ran(strategy));
        assertThat(cell.integer("passages")).isEqualTo(read - LongBenchmark.DISTINCT_QUERIES);
        assertThat(cell.integer("vector_bytes")).isEqualTo(4 * DIMENSION * (vectors == 0 ? read : vectors));
        Fields again = plan(model + strategy, "--overwrite").records("cells").getFirst();
        assertThat(again.integer("passages")).isZero();
        assertThat(again.integer("tokens")).isZero();
        assertThat(again.integer("vector_bytes")).isZero();
    }

    /** What one model's cell leaves in the cache is not counted again for a strategy around it. */
    @Test
    void strategiesShareWhatTheirModelEncoded() throws IOException {
        List<String> names = List.of("", "+mirrored", "+quantised", "+late-chunked:window=8");
        String all = String.join(",", names.stream().map(name -> model + name).toList());
        List<Fields> cells = plan(all).records("cells");
        run(all);
        for (Fields cell : cells) {
            int queries = cell.text("model").equals("r") ? LongBenchmark.DISTINCT_QUERIES : 0;
            assertThat(cell.integer("passages")).as(cell.text("model")).isEqualTo(texts(cell.text("model")) - queries);
        }
        assertThat(cells.get(2).integer("passages")).isZero();
        assertThat(cells.get(3).integer("passages")).isPositive();
    }

    /** By hand: 15 passages of 40 words have windows of 8 from every fourth, and 20 short ones are a window each. */
    @Test
    void wordsAreCountedInWindows() {
        assertThat(plan("bm25+chunked:window=8:stride=4")
                        .records("cells")
                        .getFirst()
                        .integer("passages"))
                .isEqualTo(15 * 9 + 20);
    }

    @Test
    void whatAStrategyMakesOfTextsThatAreNotHereIsUnknown() {
        Cli.Ended ended = posbias.run(
                "eval",
                "--model",
                "bge-m3+chunked,bge-m3+mirrored,bge-m3+mirrored+quantised,bge-m3+quantised",
                "--dataset",
                "posir/eng-Latn/game",
                "--dry-run",
                "--results",
                temp.resolve("none"),
                "--format",
                "json");
        List<Fields> cells = Json.parseYaml(Path.of("plan"), ended.out().getBytes(StandardCharsets.UTF_8))
                .records("cells");
        assertThat(cells.getFirst().text("basis")).isEqualTo("unknown");
        assertThat(cells.getFirst().raw("tokens")).isNull();
        // Also through a strategy around the one that makes them.
        assertThat(cells.subList(1, 3))
                .allSatisfy(cell -> assertThat(cell.text("basis")).isEqualTo("unknown"));
        assertThat(cells.getLast().text("basis")).isEqualTo("published");
        assertThat(cells.getLast().integer("tokens")).isPositive();
    }
}
