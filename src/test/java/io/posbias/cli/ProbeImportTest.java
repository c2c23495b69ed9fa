package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.networknt.schema.InputFormat;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeImportTest {
    @TempDir
    Path temp;

    private static final String COMMON = "\"id\": \"test%d\", \"title\": \"T%d\", \"relation\": \"P19\","
            + " \"head_entity_longest_name\": \"Ada %d\", \"tail_entity_longest_name\": \"London\","
            + " \"evidence_sents\": [[\"Ada\", \"left\", \"London\", \".\"]], \"query\": \"where is ada\"";

    private Path file(String name, int rows, String columns) throws IOException {
        String lines = IntStream.range(0, rows)
                .mapToObj(i -> "{" + COMMON.formatted(i, i, i) + ", " + columns.formatted(i, i, i) + "}\n")
                .collect(Collectors.joining());
        return Files.writeString(temp.resolve(name), lines);
    }

    private Cli.Ended run(Object... files) {
        return Cli.run("probe import colder", files, "--out", temp.resolve("out"));
    }

    private List<Fields> records(String probe) throws IOException {
        Path file = temp.resolve("out").resolve(probe + ".jsonl");
        for (String line : Files.readAllLines(file)) {
            assertThat(SchemaCheck.read("probe-1").validate(line, InputFormat.JSON))
                    .isEmpty();
        }
        Path list = temp.resolve("list.json");
        Files.writeString(list, "{\"lines\": [" + String.join(",", Files.readAllLines(file)) + "]}");
        return Json.readJson(list).records("lines");
    }

    @ParameterizedTest
    @CsvSource({
        "foil, foil, two, one",
        "poison, poison, two, one",
        "answer_importance, answer, one, two",
        "position_bias, position, one, two",
        "brevity_bias, brevity, one, two",
        "repetition_bias, repetition, one, two",
        "literal_bias, literal-short, one, two",
    })
    void readsWhatWasReleased(String name, String probe, String text1, String text2) throws IOException {
        Cli.Ended ended = run(file(name + ".jsonl", 2, "\"document_1\": \"one %d\", \"document_2\": \"two %d\""))
                .ok();
        assertThat(ended.err()).isEqualTo(probe + ": 2 records of " + name + ".jsonl\n");
        Fields second = records(probe).get(1);
        assertThat(second.text("probe")).isEqualTo(probe);
        assertThat(second.text("id")).isEqualTo("test1");
        assertThat(second.text("query")).isEqualTo("where is ada");
        assertThat(second.text("text1")).isEqualTo(text1 + " 1");
        assertThat(second.text("text2")).isEqualTo(text2 + " 1");
        assertThat(second.record("tags").text("head")).isEqualTo("Ada 1");
        Fields card = Json.readYaml(temp.resolve("out/probes.yaml"));
        assertThat(card.text("schema")).isEqualTo("posbias/colder-import/1");
        assertThat(card.records("files").getFirst().integer("records")).isEqualTo(2);
    }

    /** t = mean / (sd / sqrt(n)) of the written scores is scipy.stats.ttest_rel's of them; the sign is the paper's. */
    @Test
    void theTestOnImportedPairsIsThePapers() throws IOException {
        StringBuilder rows = new StringBuilder();
        String[] rivals = {"ada", "ada sat", "ada sat there", "ada ada", "ada ada sat"};
        for (int i = 0; i < rivals.length; i++) {
            rows.append("{" + COMMON.formatted(i, i, i) + ", \"document_1\": \"" + rivals[i]
                    + "\", \"document_2\": \"rain fell all day . ada left london . rain fell all day .\"}\n");
        }
        run(Files.writeString(temp.resolve("foil.jsonl"), rows.toString()));
        Path results = temp.resolve("results");
        Cli.Ended ended =
                Cli.run("probe run --model bm25 --data", temp.resolve("out"), "--with-published --out", results);
        assertThat(ended.out())
                .contains("foil: evidence in a long text - foil", "Dragon+*", "-40.94", "on the authors' own pairs");
        double[] differences = Files.readAllLines(results.resolve("bm25/scores.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .mapToDouble(cells ->
                        Double.parseDouble(cells[cells.length - 2]) - Double.parseDouble(cells[cells.length - 1]))
                .toArray();
        assertThat(differences).hasSize(rivals.length);
        Fields test = Json.readJson(results.resolve("bm25/result.json"))
                .records("tests")
                .getFirst();
        assertThat(test.number("t"))
                .isCloseTo(tByHand(differences), within(1e-9))
                .isCloseTo(SCIPY_T, within(1e-6));
        assertThat(test.integer("higher")).isZero();
    }

    /** scipy.stats.ttest_rel of the scores in scores.csv. */
    private static final double SCIPY_T = -11.290942443063395;

    private static double tByHand(double[] d) {
        double mean = java.util.Arrays.stream(d).average().orElseThrow();
        double squares =
                java.util.Arrays.stream(d).map(x -> (x - mean) * (x - mean)).sum();
        return mean / Math.sqrt(squares / (d.length - 1) / d.length);
    }

    @Test
    void importedPairsCanBeReadByALanguageModel() throws IOException {
        String documents = "\"document_1\": \"one %d\", \"document_2\": \"two %d\"";
        assertThat(run(file("foil.jsonl", 3, documents), file("poison.jsonl", 3, documents))
                        .code())
                .isZero();
        assertThat(records("foil").getFirst().text("evidence")).isEqualTo("Ada left London .");
        Cli.Ended rag = Cli.run(
                "probe rag --data", temp.resolve("out"), "--llm http://localhost:1/v1 --llm-model m --max-calls 0");
        assertThat(rag.err()).startsWith("3 of 3 queries with foil and poison; 0 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "foil.jsonl|\"document_1\": \"one\"|field \"document_2\" is missing; it must hold a text",
                "mine.jsonl|\"document_1\": \"a\", \"document_2\": \"b\"|rename the file to what it was released as:"
                        + " answer_importance.jsonl, ",
                "position_bias.jsonl|\"a\": \"b\"|field \"document_1\" is missing; it must hold a text",
                "foil.jsonl|\"document_1\": \" \", \"document_2\": \"b\"|field \"document_1\" is empty",
            })
    void namesWhatIsMissing(String name, String columns, String message) throws IOException {
        Cli.Ended ended = run(file(name, 1, columns));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).hasLineCount(1).contains(name + ":1: ", message);
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void twoFilesOfOneProbeAndOtherFoldersAreRefused() throws IOException {
        String documents = "\"document_1\": \"one %d\", \"document_2\": \"two %d\"";
        Path foil = file("foil.jsonl", 1, documents);
        Cli.Ended twice = run(foil, foil);
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).contains("both hold foil: give one of them");
        assertThat(run(foil).code()).isZero();
        run(foil).fails(2, "holds probes", "--overwrite");
        assertThat(run(temp.resolve("none.jsonl"), "--overwrite").err()).contains("none.jsonl: file not found");
    }
}
