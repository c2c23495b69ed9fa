package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.inside.TinyModels;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores of a tiny model taken apart, from recorded answers of the worker. */
@DisabledOnOs(OS.WINDOWS)
class DiagnoseTokenMapsTest {
    private static final String MODEL = "tiny-bert";
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

    private Cli.Ended run(Object... more) throws IOException {
        return posbias().run("diagnose tokens --model", tiny, more);
    }

    private Posbias posbias() throws IOException {
        return new Posbias(temp, RecordedWorker.environment(temp, "tokens"));
    }

    private Cli.Ended done(Object... more) throws IOException {
        return run(more).ok();
    }

    /** The score is ONNX Runtime's, the sum the white box's. */
    @Test
    void tokensOfEachSideSumToTheScore() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended = done("--dataset", data, "--out", out);
        List<String[]> rows = Files.readAllLines(out.resolve(MODEL).resolve("scores.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
        for (String query : List.of("owl", "fox", "mice")) {
            List<String[]> own =
                    rows.stream().filter(row -> row[0].equals(query)).toList();
            double score = Double.parseDouble(own.getFirst()[1]);
            assertThat(own.stream()
                            .mapToDouble(row -> Double.parseDouble(row[5]))
                            .sum())
                    .isCloseTo(score, within(1e-4));
        }
        // A fox of two UTF-16 units is one code point.
        assertThat(rows).anySatisfy(row -> assertThat(row).containsSequence("2", "7"));
        assertThat(Json.readJson(out.resolve(MODEL).resolve("result.json"))
                        .record("saliency")
                        .text("method"))
                .isEqualTo("decompx");
        assertThat(ended.out()).contains("% of positive saliency (decompx)", "Saliency of the evidence");
        assertThat(ended.err()).contains(MODEL + " on forest: 3 pairs");
    }

    /** The alias is the method. */
    @Test
    void saliencyTakesTheMethod() throws IOException {
        String alias = done("--dataset", data, "--format csv").out();
        Cli.Ended ended = posbias()
                .run("diagnose saliency --model", tiny, "--dataset", data, "--method decompx --format csv")
                .ok();
        assertThat(ended.out()).isEqualTo(alias);
    }

    @Test
    void namedQueriesAreDrawnAndOtherBiasesGiveOtherParts() throws IOException {
        Path pictures = temp.resolve("pictures");
        String absdot = done("--dataset", data, "--query mice,owl --plots", pictures, "--format csv")
                .out();
        try (var files = Files.list(pictures)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder(
                            "saliency.svg",
                            "saliency.png",
                            "tokens-1.svg",
                            "tokens-1.png",
                            "tokens-2.svg",
                            "tokens-2.png");
        }
        assertThat(Files.readString(pictures.resolve("tokens-1.svg")))
                .contains(MODEL + ", forest, query owl", ">awake</text", ">evidence</text");
        assertThat(absdot)
                .startsWith("model,method,scale,point,pairs,mean,sd,interval_low,interval_high\n" + MODEL
                        + ",decompx,p99,1,2,");
        assertThat(done("--dataset", data, "--query mice,owl --biases equal --format csv")
                        .out())
                .isNotEqualTo(absdot);
    }

    @Test
    void whatComesFromDataIsEscapedOnThePage() throws IOException {
        Path page = temp.resolve("page.html");
        done("--dataset", data, "--query owl --html", page);
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
        Cli.Ended ended = done("--pairs", probe, "--plots", pictures, "--html", page, "--examples 1");
        assertThat(Files.readString(page))
                .contains(
                        MODEL + ", text1 <span class=\"tag\">score",
                        MODEL + ", text2 <span class=\"tag\">score",
                        "1 of 1, evenly",
                        "<th scope=\"col\" class=\"special\"><span>[CLS]</span></th>",
                        "<th scope=\"col\" class=\"evidence\"><span>dens.</span></th>");
        assertThat(ended.out()).containsPattern(MODEL + ":text1 ").containsPattern(MODEL + ":text2 ");
        assertThat(Files.readString(pictures.resolve("tokens-1.svg")))
                .contains("text1 score", "text2 score", ">evidence</text", ">dens.</text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bm25; --method decompx: bm25 is of kind bm25: only dense encoders can be looked into",
                "qwen3-embedding-4b; --method decompx: qwen3-embedding-4b is an ONNX file without 'family' in its recipe's"
                        + " 'transformer': give the checkpoint that sentence-transformers loads, --model"
                        + " st:Qwen/Qwen3-Embedding-4B",
            })
    void otherModelsAreRefusedBeforeAnythingIsLoaded(String model, String why) {
        Cli.Ended ended = Cli.run("diagnose tokens --model", model, "--dataset", data);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).isEqualTo("posbias: " + why + "; --method occlusion takes every model\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; give either --dataset, or probes with --data or --pairs",
                "--dataset demo --pairs x.jsonl; give either --dataset, or probes with --data or --pairs, not both",
                "--pairs x.jsonl --n 3; --n belongs to --dataset",
                "--pairs x.jsonl --min-tokens 3; --min-tokens belongs to --dataset",
                "--dataset demo --examples 3; --examples belongs to --html or --plots",
                "--dataset demo --probe foil; --probe belongs to --data",
                "--dataset demo --biases equal --method occlusion; --biases belongs to --method decompx",
                "--dataset demo --n 3 --query a; --n draws queries, --query names them: give one of them",
            })
    void optionsThatDoNotGoTogether(String options, String error) throws IOException {
        Object[] words = options.isEmpty() ? new Object[0] : options.split(" ");
        Cli.Ended ended = run(words);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).startsWith("posbias: " + error + "\n");
    }

    @Test
    void aQueryThatIsNotThere() throws IOException {
        run("--dataset", data, "--query mise").fails(2, "--query", "\"mise\"", "did you mean mice?", "owl, fox, mice");
    }
}
