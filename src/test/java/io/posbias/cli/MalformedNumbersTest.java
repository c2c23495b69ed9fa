package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.ExitCode;
import io.posbias.data.dataset.ParquetFiles;
import io.posbias.data.dataset.TinyBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedNumbersTest {
    @TempDir
    Path temp;

    private TinyBenchmark benchmark;

    @BeforeEach
    void sound() {
        benchmark = TinyBenchmark.in(temp.resolve("tiny"));
    }

    private static void oneLine(Cli.Ended ended, String complaint) {
        assertThat(ended.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(ended.err().lines()).hasSize(1);
        assertThat(ended.err()).contains(complaint);
    }

    @ParameterizedTest
    @CsvSource({"1e999, Infinity", "-1e999, -Infinity", "1e18, 1000000000000000000", "4.5, 4.5"})
    void jsonLines(String number, String shown) {
        String query = "{\"_id\": \"q1\", \"text\": \"fox\", ";
        for (String field : new String[] {
            "\"pos_char_span\": [17, %s]",
            "\"pos_char_span\": [17, 37], \"pos_char_length\": %s",
            "\"pos_char_span\": [17, 37], \"pos_token_length\": %s"
        }) {
            benchmark.write("queries.jsonl", query + String.format(field, number) + "}\n");
            oneLine(Cli.run("data verify", benchmark.folder()), " is " + shown + "; it must be a");
        }
        benchmark.write("queries.jsonl", query + "\"pos_char_length\": NaN}\n");
        oneLine(
                Cli.run("data verify", benchmark.folder()),
                "queries.jsonl:1: not JSON at column 52: \"NaN\" is not a value\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e300"})
    void parquet(String number) throws SQLException {
        benchmark.without("queries.jsonl");
        ParquetFiles.write(
                benchmark.folder().resolve("queries.parquet"),
                "SELECT 'q' || i AS _id, 'fox' AS text, '" + number
                        + "'::DOUBLE AS pos_char_length, [17, 37] AS pos_char_span FROM range(1, 3) t(i)",
                "snappy");
        oneLine(
                Cli.run("data verify", benchmark.folder()),
                "queries.parquet:1: field \"pos_char_length\" is " + (number.equals("1e300") ? "1000000" : number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "1e999", "99999999999", "0x1p3"})
    void judgements(String grade) {
        benchmark.write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t" + grade + "\n");
        oneLine(
                Cli.run("data verify", benchmark.folder()),
                "test.tsv:2: field \"score\" is \"" + grade + "\"; it must be a whole number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "-Infinity", "1e999", "1e39"})
    void runs(String score) throws IOException {
        Path run = Files.writeString(temp.resolve("a.run"), "q1 Q0 p1 1 " + score + " a\n");
        oneLine(
                Cli.run("score --run", run, "--dataset", benchmark.folder(), "--out", temp.resolve("out")),
                "a.run:1: score \"" + score + "\"; scores must be finite numbers");
    }

    @ParameterizedTest
    @CsvSource({".inf, Infinity", "-.inf, -Infinity", ".nan, NaN", "1e999, Infinity"})
    void yaml(String number, String shown) throws IOException {
        Path recipe = Files.writeString(temp.resolve("a.yaml"), "name: a\nkind: bm25\nk1: " + number + "\n");
        Cli.Ended ended = Cli.run("models check", recipe);
        oneLine(ended, "a.yaml: field \"k1\" is " + shown + "; it must be a finite number");
        Path experiment = Files.writeString(
                temp.resolve("e.yaml"), "name: e\nmodels: [bm25]\ndatasets: [demo]\nk: " + number + "\n");
        oneLine(Cli.run("run", experiment, "--dry-run"), "e.yaml: field \"k\" is " + shown + "; it must be a");
    }

    @ParameterizedTest
    @CsvSource({"1e999, is Infinity; it must be a finite number", "-1e999, is -Infinity", "1e308, between 0 and 1"})
    void results(String number, String complaint) throws IOException {
        Path cell = new SyntheticCell(60).write(temp.resolve("cell"), i -> 0.5 + i % 2 * 0.25);
        String sound = Files.readString(cell.resolve("result.json"));
        for (String field :
                new String[] {"\"value\" : ", "\"query_mean\" : ", "\"mean\" : ", "\"t_interval\" : [ 0.5, "}) {
            assertThat(sound).contains(field);
            int from = sound.indexOf(field) + field.length();
            int to = from + sound.substring(from).split("[ ,\\n]", 2)[0].length();
            Files.writeString(cell.resolve("result.json"), sound.substring(0, from) + number + sound.substring(to));
            for (String command :
                    new String[] {"report --format table", "report --format json", "report figures --output PLOTS"}) {
                Cli.Ended ended = Cli.run(command.replace("PLOTS", temp + "/plots"), cell);
                oneLine(ended, "result.json: field \"results[0].profiles[0]");
                assertThat(ended.err()).contains(complaint);
            }
        }
        assertThat(temp.resolve("plots")).doesNotExist();
    }

    @Test
    void aResultWithoutAllQueriesIsOneLine() throws IOException {
        Path cell = new SyntheticCell(60).write(temp.resolve("cell"), i -> 0.5);
        Path file = cell.resolve("result.json");
        Files.writeString(file, Files.readString(file).replace("\"stratum\" : \"all\"", "\"stratum\" : \"Q1\""));
        for (String command : new String[] {"report", "report mteb", "report page"}) {
            oneLine(
                    Cli.run(command, cell, "--output", temp.resolve("o")),
                    "holds one of model on made-up without a profile of all queries; each measure has one, of stratum");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "1e999", "x"})
    void queriesOfAResult(String score) throws IOException {
        Path cell = new SyntheticCell(60).write(temp.resolve("cell"), i -> 0.5);
        SyntheticCell other = new SyntheticCell(60);
        other.model = "other";
        Path file = cell.resolve("queries.csv");
        Files.writeString(file, Files.readString(file).replaceFirst("0\\.5\n", score + "\n"));
        oneLine(
                Cli.run("compare", cell, other.write(temp.resolve("other"), i -> 0.5)),
                "queries.csv:2: field \"nDCG@10\" is \"" + score + "\"; it must be a finite number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e999", "x"})
    void options(String number) {
        Cli.Ended ended = Cli.run("eval --model bm25 --dataset demo --confidence", number);
        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err().lines()).hasSize(2);
        assertThat(ended.err()).contains("--confidence").contains("'" + number + "' is not a finite number");
    }

    @Test
    void tagsOfPairs() throws IOException {
        Path pairs = Files.writeString(
                temp.resolve("pairs.jsonl"),
                "{\"id\":\"a\",\"query\":\"q\",\"text1\":\"t\",\"text2\":\"u\",\"tags\":{\"x\":1e999}}\n");
        oneLine(
                Cli.run("probe run --model bm25 --pairs", pairs),
                "pairs.jsonl:1: field \"tags.x\" is Infinity; a tag is a string or a finite number");
    }
}
