package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.Json;
import io.posbias.calibrate.WordTokenizer;
import io.posbias.dataset.TinyBenchmark;
import io.posbias.inside.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores taken apart: of MiniLM once, else of a tiny model. */
@Tag("slow")
class DiagnoseTokenMapsTest {
    private static final String MODEL = "tiny-bert";
    private static final String REAL = "all-minilm-l6-v2";
    private static final String TEXT =
            "🦊 Foxes <i>sleep</i> under the old oak. The owl is awake at night and hunts mice.";

    @TempDir
    Path temp;

    private Path data = Path.of("");
    private Path tiny = Path.of("");

    @BeforeEach
    void write() throws IOException {
        List<String> words =
                WordTokenizer.words(TEXT + " when is where do foxes sleep what mice eat corn rain fell in dens");
        tiny = TinyModels.writeBert(temp.resolve("model"), words);
        int awake = TEXT.codePointCount(0, TEXT.indexOf("awake"));
        data = TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: forest\nlanguage: en\nbucketing: relative:2\n")
                .write(
                        "corpus.jsonl",
                        "{\"_id\": \"a\", \"text\": \"" + TEXT + "\"}\n"
                                + "{\"_id\": \"b\", \"text\": \"Mice eat corn.\"}\n")
                .write(
                        "queries.jsonl",
                        "{\"_id\": \"owl\", \"text\": \"when is the owl awake?\", \"pos_char_span\": [" + awake + ", "
                                + (awake + 5) + "]}\n"
                                + "{\"_id\": \"fox\", \"text\": \"where do foxes sleep?\"}\n"
                                + "{\"_id\": \"mice\", \"text\": \"what do mice eat?\", \"pos_char_span\": [9, 13]}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nowl\ta\t1\nfox\ta\t1\nmice\tb\t1\n")
                .folder();
    }

    private Cli.Ended run(Object... more) {
        return runOf(tiny, more);
    }

    private static Cli.Ended runOf(Object model, Object... more) {
        List<Object> words = new ArrayList<>(List.of("diagnose", "tokens", "--model", model));
        words.addAll(List.of(more));
        return Cli.run(words.toArray());
    }

    private Cli.Ended done(Object... more) {
        Cli.Ended ended = run(more);
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended;
    }

    private static double sum(List<String[]> rows, String query, String side) {
        return rows.stream()
                .filter(row -> row[0].equals(query) && row[3].equals(side))
                .mapToDouble(row -> Double.parseDouble(row[8]))
                .sum();
    }

    /** The score is ONNX Runtime's, the sum the white box's. */
    @Test
    void tokensOfEachSideSumToTheScore() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended = runOf(REAL, "--dataset", data, "--output", out);
        assertThat(ended.code()).as(ended.err()).isZero();
        List<String[]> rows = Files.readAllLines(out.resolve(REAL).resolve("scores.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
        for (String query : List.of("owl", "fox", "mice")) {
            double score = rows.stream()
                    .filter(row -> row[0].equals(query))
                    .mapToDouble(row -> Double.parseDouble(row[2]))
                    .findFirst()
                    .orElseThrow();
            assertThat(score).isGreaterThan(0.3);
            assertThat(sum(rows, query, "query")).isCloseTo(score, within(1e-4));
            assertThat(sum(rows, query, "document")).isCloseTo(score, within(1e-4));
        }
        assertThat(rows.getFirst()).containsSequence("query", "1", "[CLS]", "", "");
        // An owl of two UTF-16 units is one code point.
        assertThat(rows.stream()
                        .filter(row -> row[3].equals("document") && row[5].equals("foxes"))
                        .findFirst())
                .hasValueSatisfying(row -> assertThat(row).containsSequence("foxes", "2", "7"));
        assertThat(Json.readJson(out.resolve(REAL).resolve("result.json"))
                        .record("tokens")
                        .number("largest_difference"))
                .isBetween(0.0, 1e-4);
        assertThat(ended.out()).contains("3 pairs; largest difference", "Share of the evidence", "50-100%");
        assertThat(ended.err()).contains(REAL + " on forest: 3 pairs");
    }

    @Test
    void oneThreadAndTwoGiveTheSameBytes() {
        for (int threads : new int[] {1, 2}) {
            done("--dataset", data, "--output", temp.resolve("t" + threads), "--threads", threads);
        }
        for (String file : List.of("scores.csv", "result.json")) {
            assertThat(temp.resolve("t1").resolve(MODEL).resolve(file))
                    .hasSameBinaryContentAs(temp.resolve("t2").resolve(MODEL).resolve(file));
        }
    }

    @Test
    void namedQueriesAreDrawnAndOtherBiasesGiveOtherParts() throws IOException {
        Path pictures = temp.resolve("pictures");
        String absdot = done("--dataset", data, "--query", "mice,owl", "--plots", pictures, "--format", "csv")
                .out();
        try (var files = Files.list(pictures)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder("tokens-1.svg", "tokens-1.png", "tokens-2.svg", "tokens-2.png");
        }
        assertThat(Files.readString(pictures.resolve("tokens-1.svg")))
                .contains(MODEL + ", forest, query owl", ">awake</text", ">evidence</text");
        assertThat(absdot)
                .startsWith("model,text,bucket,part,n,share,interval_low,interval_high,p_value\n" + MODEL
                        + ",,all,first third,2,");
        assertThat(done("--dataset", data, "--query", "mice,owl", "--biases", "equal", "--format", "csv")
                        .out())
                .isNotEqualTo(absdot);
    }

    @Test
    void whatComesFromDataIsEscapedOnThePage() throws IOException {
        Path page = temp.resolve("page.html");
        done("--dataset", data, "--query", "owl", "--html", page);
        assertThat(Files.readString(page))
                .contains("&lt;i&gt;", "default-src 'none'", "when is the owl awake?")
                .doesNotContain("<i>sleep", "<script", "{{");
    }

    /** Both texts of an item are beside each other; the evidence is marked where it is in one of them. */
    @Test
    void textsOfAProbeAreBesideEachOther() throws IOException {
        Path probe = Files.writeString(
                temp.resolve("foil.jsonl"),
                "{\"id\": \"x\", \"query\": \"where do foxes sleep?\", \"text1\": \"Rain fell. Foxes sleep in dens.\","
                        + " \"text2\": \"Foxes. Foxes.\", \"evidence\": \"Foxes sleep in dens.\"}\n");
        Path pictures = temp.resolve("pictures");
        Path page = temp.resolve("page.html");
        Cli.Ended ended = done("--pairs", probe, "--plots", pictures, "--html", page, "--examples", 1);
        assertThat(Files.readString(page))
                .contains(
                        "<h4>text1 score",
                        "<h4>text2 score",
                        "1 of 1 queries",
                        "<th scope=\"col\" class=\"special\"><span>[CLS]</span></th>",
                        "<th scope=\"col\" class=\"evidence\"><span>dens.</span></th>");
        assertThat(ended.out()).containsPattern(MODEL + "  text1  first third").containsPattern("text2  last third");
        assertThat(Files.readString(pictures.resolve("tokens-1.svg")))
                .contains("text1 score", "text2 score", ">evidence</text", ">dens.</text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bm25; bm25 is of kind bm25: only dense encoders can be looked into",
                "qwen3-embedding-0.6b; qwen3-embedding-0.6b is of transformer.family qwen3: DecompX takes BERT and RoBERTa"
                        + " with pooling cls, mean or last and no head that is not linear",
            })
    void otherModelsAreRefusedBeforeAnythingIsLoaded(String model, String why) {
        Cli.Ended ended = Cli.run("diagnose", "tokens", "--model", model, "--dataset", data);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).isEqualTo("posbias: " + why + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; give either --dataset, or probes with --data or --pairs",
                "--dataset demo --pairs x.jsonl; give either --dataset, or probes with --data or --pairs, not both",
                "--pairs x.jsonl --n 3; --n belongs to --dataset",
                "--pairs x.jsonl --buckets thirds; --buckets belongs to --dataset",
                "--dataset demo --examples 3; --examples belongs to --html or --plots",
                "--dataset demo --probe foil; --probe belongs to --data",
                "--dataset demo --n 3 --query a; --n draws queries, --query names them: give one of them",
            })
    void optionsThatDoNotGoTogether(String options, String error) {
        Object[] words = options.isEmpty() ? new Object[0] : options.split(" ");
        Cli.Ended ended = run(words);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).startsWith("posbias: " + error + "\n");
    }

    @Test
    void aQueryThatIsNotThere() {
        run("--dataset", data, "--query", "mise")
                .fails(2, "--query", "\"mise\"", "did you mean mice?", "owl, fox, mice");
    }
}
