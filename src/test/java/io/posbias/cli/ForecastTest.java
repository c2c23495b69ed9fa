package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ForecastTest {
    @TempDir
    Path temp;

    private List<Fields> cells(Object... more) {
        Cli.Ended ended = Cli.run(more, "--results", temp.resolve("out"), "--dry-run --format json")
                .ok();
        return Json.parseYaml(Path.of("forecast"), ended.out().getBytes(StandardCharsets.UTF_8))
                .records("cells");
    }

    private Path words() throws IOException {
        return TwoWordBenchmark.write(temp.resolve("words"));
    }

    private static void assertCounts(Fields cell, int texts, int pairs, int calls) {
        assertThat(cell.integer("texts")).isEqualTo(texts);
        assertThat(cell.integer("pairs")).isEqualTo(pairs);
        assertThat(cell.integer("calls")).isEqualTo(calls);
    }

    /** 36 passages and 12 queries; BM25 encodes none. */
    @Test
    void whatIsMissingIsCountedAndTimedAndWhatIsFinishedTakesNothing() throws IOException {
        Path model = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 64)
                .write(temp.resolve("model"), TwoWordBenchmark.words());
        Object[] eval = {"eval --no-cache --model bm25," + model, "--dataset", words(), "--draws 10"};
        List<Fields> before = cells(eval);
        assertThat(before).hasSize(2).allSatisfy(cell -> {
            assertThat(cell.text("cell")).isEqualTo("missing");
            assertThat(cell.number("seconds")).isPositive();
        });
        assertCounts(before.getFirst(), 0, 0, 0);
        assertCounts(before.getLast(), 36 + 12, 0, 0);
        assertThat(temp.resolve("out")).doesNotExist();

        Object[] run = Stream.concat(Stream.of(eval), Stream.of("--results", temp.resolve("out")))
                .toArray();
        assertThat(Cli.run(run).code()).isZero();
        assertThat(cells(eval)).hasSize(2).allSatisfy(cell -> {
            assertThat(cell.text("cell")).isEqualTo("finished");
            assertThat(cell.number("seconds")).isZero();
            assertCounts(cell, 0, 0, 0);
        });
    }

    /** The forecast encodes all of this small benchmark, once; what is in the cache takes no time. */
    @Test
    void whatIsCachedTakesNoTime() throws IOException {
        Path model = new ReferenceEncoder("cached", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 64)
                .write(temp.resolve("model"), TwoWordBenchmark.words());
        words();
        Posbias posbias =
                new Posbias(temp, Map.of("POSBIAS_HOME", temp.resolve("home").toString()));
        assertThat(seconds(posbias, model.toString())).isPositive();
        assertThat(seconds(posbias, model.toString())).isZero();
        assertThat(seconds(posbias, model + "+chunked:window=8")).isPositive();
    }

    private double seconds(Posbias posbias, String model) {
        String json = posbias.run("eval --dry-run --format json --model", model, "--dataset", temp.resolve("words"))
                .ok()
                .out();
        return Json.parseYaml(Path.of("forecast"), json.getBytes(StandardCharsets.UTF_8))
                .records("cells")
                .getFirst()
                .number("seconds");
    }

    @Test
    void theCandidatesOfARerankerAreItsPairs() throws IOException {
        WordTokenizer tokenizer = WordTokenizer.of(TwoWordBenchmark.words());
        Path counter = StandInRerankers.write(
                temp.resolve("counter"),
                "counter",
                StandInRerankers.overlap(tokenizer.size(), 1),
                tokenizer.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\ndepth: 7\n");
        Fields cell =
                cells("eval --no-cache --model", counter, "--dataset", words()).getFirst();
        assertCounts(cell, 0, 12 * 7, 0);
        assertThat(cell.number("seconds")).isPositive();
    }

    /** Table 1 of the PosIR paper: 17,329,673 passages and 421,708 queries of ten languages. */
    @Test
    void allOfPosirIsCountedFromWhatWasPublished() {
        List<Fields> biggest = cells("run posir-table10").stream()
                .filter(cell -> cell.text("model").equals("qwen3-embedding-8b-posir"))
                .toList();
        assertThat(biggest).hasSize(558).allSatisfy(cell -> {
            assertThat(cell.text("cell")).isEqualTo("to pull");
            assertThat(cell.raw("seconds")).isNull();
        });
        double texts = biggest.stream()
                .filter(cell -> cell.text("dataset").matches("posir/[a-z]{3}-[A-Z][a-z]{3}/.*"))
                .mapToDouble(cell -> cell.number("texts"))
                .sum();
        // A few are more in Table 4, which has each dataset.
        assertThat(texts).isCloseTo(17_329_673.0 + 421_708, within(30.0));
        assertThat(temp.resolve("out")).doesNotExist();
    }

    /** On a machine where each look at the clock takes three seconds. */
    @Test
    void aForecastTakesTenSeconds() throws IOException {
        AtomicLong now = new AtomicLong();
        StringWriter out = new StringWriter();
        StringWriter said = new StringWriter();
        List<String> line = Cli.words(
                "eval --model bm25,bm25-lucene --dry-run --dataset", words(), "--results", temp.resolve("out"));
        Session slow = new Session(
                System.getenv(),
                temp,
                () -> now.addAndGet(3_000_000_000L),
                Progress.NONE,
                new PrintWriter(said, true)::println,
                new Shutdown());
        CommandLine command = PosbiasCommand.commandLine(slow, line);
        command.setOut(new PrintWriter(out, true));
        assertThat(command.execute(line.toArray(String[]::new))).isZero();
        assertThat(said.toString()).contains("not timed in the 10 s of a forecast: bm25-lucene");
        assertThat(out.toString()).containsPattern("bm25 .* s\n").containsPattern("bm25-lucene .* -\n");
    }
}
