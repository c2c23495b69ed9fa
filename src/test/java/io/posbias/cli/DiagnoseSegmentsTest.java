package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.StandIns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model whose texts have the direction (how many a, how many b): cosines can be counted out. */
class DiagnoseSegmentsTest {
    private static final String EARLY = "a a a b b b b b b";
    private static final String LATE = "b b b b b b a a a";

    @TempDir
    Path temp;

    /** Ids 5 and 6 are a and b; all other tokens, [CLS] and [SEP] among them, are silent. Vectors are not normalised. */
    private Path model(String more) {
        float[] table = new float[2 * 13];
        table[2 * 5] = 1;
        table[2 * 6 + 1] = 1;
        StandIns.write(
                temp.resolve("model"),
                StandIns.lookup(table),
                "normalise: false\nsimilarity: dot\npooling: mean\n" + more);
        return temp.resolve("model/recipe.yaml");
    }

    private Path benchmark(String name, String... texts) throws IOException {
        Path folder = Files.createDirectories(temp.resolve(name));
        Files.writeString(folder.resolve("dataset.yaml"), "name: " + name + "\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int i = 0; i < texts.length; i++) {
                out.passage(new Passage("p" + i, "", texts[i]));
            }
            out.query(new Query("q", "a", null));
            out.judgment("q", "p0", 1);
        }
        return folder;
    }

    private Cli.Ended segments(Path model, Object dataset, Object... more) {
        return Cli.run(
                "diagnose segments --model", model, "--dataset", dataset, "--min-words 2 --no-cache --width 200", more);
    }

    private static double[] scores(Path out, String passage) throws IOException {
        return Objects.requireNonNull(scores(out).get(passage), passage);
    }

    private static Map<String, double[]> scores(Path out) throws IOException {
        return Files.readAllLines(out.resolve("stand-in/scores.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .collect(Collectors.toMap(
                        cells -> cells[0] + " " + cells[1],
                        cells -> Stream.of(cells[4], cells[5], cells[6])
                                .mapToDouble(Double::parseDouble)
                                .toArray()));
    }

    /** 17 characters are cut at 5 and 11: "a a a", " b b b", " b b b". */
    @Test
    void cosinesAreThoseOfHand() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended = segments(model("max-tokens: 64\n"), benchmark("hand", EARLY, LATE, EARLY), "--out", out)
                .ok();
        double a = 1 / Math.sqrt(5);
        double b = 2 / Math.sqrt(5);
        assertThat(scores(out)).hasSize(2);
        assertThat(scores(out, "hand p0")).containsExactly(new double[] {a, b, b}, within(1e-6));
        assertThat(scores(out, "hand p1")).containsExactly(new double[] {b, b, a}, within(1e-6));
        assertThat(ended.out())
                .containsPattern("stand-in +hand +all +2 +0 +0\\.6708 .* 0\\.8944 .* 0\\.6708 ")
                .containsPattern("stand-in +hand +all +2 +-0\\.2236 .* 0\\.0000 ")
                .doesNotContain("were cut");
        assertThat(ended.err())
                .containsSubsequence("hand: 2 drawn of 2 ", "more than 2", "fewer than 512 words", "3 passages");
        Fields json = Json.readJson(out.resolve("stand-in/result.json"));
        assertThat(json.text("schema")).isEqualTo("posbias/segments/1");
        Fields band = json.records("datasets").getFirst().records("bands").getFirst();
        assertThat(band.record("middle").number("mean")).isCloseTo(b, within(1e-6));
    }

    @Test
    void documentsWithoutQueriesAreReadByColumn() throws IOException {
        Path rows = Files.createDirectories(temp.resolve("rows"));
        Files.writeString(rows.resolve("a.jsonl"), "{\"id\": \"x\", \"content\": \"" + EARLY + "\"}\n");
        Files.writeString(rows.resolve("b.jsonl"), "{\"content\": \"" + LATE + "\"}\n");
        Path out = temp.resolve("out");
        Cli.Ended ended = Cli.run(
                "diagnose",
                "segments",
                "--model",
                model("max-tokens: 64\n"),
                "--texts",
                rows,
                "--text-field",
                "content",
                "--min-words",
                2,
                "--no-cache",
                "--out",
                out);
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(scores(out).keySet()).containsExactlyInAnyOrder("rows a.jsonl#x", "rows b.jsonl#row1");
        assertThat(scores(out, "rows b.jsonl#row1")[0]).isCloseTo(2 / Math.sqrt(5), within(1e-6));
        Fields json = Json.readJson(out.resolve("stand-in/result.json"));
        assertThat(json.records("datasets").getFirst().record("dataset_sha256").names())
                .containsExactly("a.jsonl", "b.jsonl");
    }

    /** "b " before each text: the whole is (3, 7), its beginning (3, 1). */
    @Test
    void allFourTextsHaveTheDocumentPrompt() throws IOException {
        Path out = temp.resolve("out");
        Path model = model("max-tokens: 64\ndocument-prompt: \"b \"\nquery-prompt: \"a \"\n");
        segments(model, benchmark("hand", EARLY), "--out", out);
        assertThat(scores(out, "hand p0")[0]).isCloseTo(16 / Math.sqrt(58 * 10), within(1e-6));
        assertThat(scores(out, "hand p0")[1]).isCloseTo(7 / Math.sqrt(58), within(1e-6));
    }

    /** Six tokens are four words, "a a a b": the whole is (3, 1), every segment is seen whole. */
    @Test
    void whatIsPastTheCutIsTold() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended =
                segments(model("max-tokens: 6\n"), benchmark("hand", EARLY, "a b a"), "--out", out, "--lengths 5,20");
        assertThat(scores(out, "hand p0")[0]).isCloseTo(3 / Math.sqrt(10), within(1e-6));
        assertThat(ended.out())
                .containsSubsequence("stand-in on hand: 1 of 2 whole texts", " 0 segments ", " 6 tokens")
                .containsPattern("hand +all +2 +1 ")
                .containsPattern("hand +3-5 +1 +0 ")
                .containsPattern("hand +6-20 +1 +1 +0\\.9487 +- ")
                .doesNotContain("21-511");
    }

    @Test
    void threadsChangeNothing() throws IOException {
        Random random = new Random(3);
        String[] texts = Stream.generate(() -> random.ints(5 + random.nextInt(30), 0, 2)
                        .mapToObj(word -> word == 0 ? "a" : "b")
                        .collect(Collectors.joining(" ")))
                .limit(200)
                .toArray(String[]::new);
        Path benchmark = benchmark("many", texts);
        Path model = model("max-tokens: 64\n");
        Cli.Ended one = segments(model, benchmark, "--out", temp.resolve("one"), "--threads 1 --n 150");
        Cli.Ended four = segments(model, benchmark, "--out", temp.resolve("four"), "--threads 4 --n 150");
        assertThat(one.code()).as(one.err()).isZero();
        assertThat(four.out()).isEqualTo(one.out());
        assertThat(temp.resolve("four/stand-in/scores.csv"))
                .hasSameBinaryContentAs(temp.resolve("one/stand-in/scores.csv"));
        assertThat(temp.resolve("four/stand-in/result.json"))
                .hasSameBinaryContentAs(temp.resolve("one/stand-in/result.json"));
    }

    @Test
    void severalBenchmarksPublishedRowsAndPictures() throws IOException {
        Path pictures = temp.resolve("pictures");
        Cli.Ended ended = segments(
                        model("max-tokens: 64\n"),
                        benchmark("one", EARLY) + "," + benchmark("two", LATE, "a b b a"),
                        "--with-published --format csv --plots",
                        pictures)
                .ok();
        List<String> rows = ended.out().lines().toList();
        assertThat(rows)
                .first()
                .asString()
                .startsWith("model,dataset,words,n,beginning_mean,beginning_low,beginning_high,middle_mean,")
                .endsWith(",less_end,less_end_low,less_end_high,less_end_p_value");
        List<String> printed = new String(
                        Configs.read("data/published/posq-table4-segment-cosine.csv"), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> line.split(",", -1))
                .map(cells -> cells[1] + "," + cells[0] + " (published),"
                        + (cells[0].startsWith("SQuAD") ? "100-512" : "200-500") + ",10000,"
                        + Double.valueOf(cells[2]) + ",,," + Double.valueOf(cells[3]) + ",,,"
                        + Double.valueOf(cells[4]) + ",".repeat(11))
                .toList();
        assertThat(printed)
                .hasSize(12)
                .contains("NV-Embed-v2,FineWeb-Edu (published),200-500,10000,0.843,,,0.7402,,,0.7651" + ",".repeat(11));
        assertThat(rows).containsAll(printed);
        assertThat(rows).anyMatch(row -> row.startsWith("stand-in,two,all,2,"));
        for (String file : List.of("segments", "segments-published")) {
            assertThat(pictures.resolve(file + ".png")).isNotEmptyFile();
            assertThat(pictures.resolve(file + ".svg")).isNotEmptyFile();
        }
    }

    /** 17 characters are cut at 4, 8 and 12: "a a ", "a b ", "b b ", "b b b"; reversed "b b ", "b b ", "b b ", "a a a". */
    @Test
    void cosinesOfEqualSegmentsAreThoseOfHand() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended = Cli.run(
                        "diagnose segments --segments 4 --min-words 4 --no-cache --width 200 --model",
                        model("max-tokens: 64\n"),
                        "--dataset",
                        benchmark("hand", EARLY, LATE),
                        "--lengths 20",
                        "--out",
                        out)
                .ok();
        double a = 1 / Math.sqrt(5);
        double b = 2 / Math.sqrt(5);
        double both = 3 / Math.sqrt(10);
        List<List<String>> rows = Files.readAllLines(out.resolve("stand-in/scores.csv")).stream()
                .map(line -> List.of(line.split(",", -1)))
                .toList();
        assertThat(rows.getFirst()).containsExactly("dataset", "passage", "words", "cut", "segment", "cosine");
        assertThat(cosines(rows, "p0")).containsExactly(new double[] {a, both, b, b}, within(1e-6));
        assertThat(cosines(rows, "p1")).containsExactly(new double[] {b, b, b, a}, within(1e-6));
        assertThat(ended.out())
                .containsPattern("stand-in +hand +all +2 +0 +4 +2 +1 ")
                .containsPattern("stand-in +hand +all +0\\.6708 +0\\.9216 +0\\.8944 +0\\.6708");
        Fields json = Json.readJson(out.resolve("stand-in/result.json"));
        Fields dataset = json.records("datasets").getFirst();
        assertThat(dataset.records("bands"))
                .extracting(band -> band.text("words"))
                .containsExactly("all", "5-20");
        Fields band = dataset.records("bands").getFirst();
        assertThat(band.number("peak_minus_lowest")).isCloseTo((both - a) / 2, within(1e-6));
        assertThat(band.records("tests").getLast().record("difference").number("value"))
                .isCloseTo(0, within(1e-12));
    }

    private static double[] cosines(List<List<String>> rows, String passage) {
        return rows.stream()
                .filter(row -> row.get(1).equals(passage))
                .mapToDouble(row -> Double.parseDouble(row.getLast()))
                .toArray();
    }

    /** A line for each value of the paper's Figure 7, and its curves in a figure of their own. */
    @Test
    void tenSegmentsStandBesideThePublishedOnes() throws IOException {
        Path pictures = temp.resolve("pictures");
        List<String> rows = Cli.run(
                        "diagnose segments --segments 10 --min-words 10 --no-cache --with-published --format csv --model",
                        model("max-tokens: 64\n"),
                        "--dataset",
                        benchmark("hand", EARLY + " " + LATE, LATE + " " + EARLY),
                        "--plots",
                        pictures)
                .ok()
                .out()
                .lines()
                .toList();
        List<String> printed = published().stream()
                .map(cells -> cells[0] + " " + cells[1] + ",(published),,,," + cells[2] + "," + Double.valueOf(cells[3])
                        + ",,,")
                .toList();
        assertThat(printed).hasSize(400);
        assertThat(rows)
                .filteredOn(row -> row.contains(",(published),"))
                .zipSatisfy(printed, (row, start) -> assertThat(row).startsWith(start));
        assertThat(rows)
                .filteredOn(row -> row.startsWith("stand-in,hand,all,2,0,"))
                .hasSize(10);
        for (String file : List.of("segments", "segments-published")) {
            assertThat(pictures.resolve(file + ".png")).isNotEmptyFile();
        }
    }

    private static List<String[]> published() {
        return new String(Configs.read("data/published/training-segments.csv"), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    @Test
    void modelsWithoutASingleVectorAreRefused() throws IOException {
        Path benchmark = benchmark("hand", EARLY);
        for (String model : List.of("bm25", "colbertv2.0", "bge-reranker-v2-m3")) {
            Cli.Ended ended = Cli.run("diagnose segments --model", model, "--dataset", benchmark);
            ended.fails(2, "--model " + model, "of kind ", "no single vector");
        }
    }

    @Test
    void layersNeedAWhiteBox() throws IOException {
        Path benchmark = benchmark("hand", EARLY);
        Path model = model("max-tokens: 64\n");
        segments(model, benchmark, "--layers").fails(2, "--layers: stand-in", "'transformer'");
        Cli.run("diagnose segments --layers --model bm25 --dataset", benchmark).fails(2, "--layers: bm25", "dense");
        segments(model, benchmark, "--layers --lengths 5").fails(2, "--lengths");
        segments(model, benchmark, "--layers --with-published").fails(2, "--with-published");
        segments(model, benchmark, "--layers --segments 2").fails(2, "--segments");
        segments(model, benchmark, "--layers --engine spark").fails(2, "--engine");
        segments(model, benchmark, "--controls 2").fails(2, "--controls", "--layers");
    }

    @Test
    void whatCannotBeIsOneLine() throws IOException {
        Path model = model("max-tokens: 64\n");
        Path benchmark = benchmark("hand", EARLY);
        segments(model, benchmark, "--lengths 5,4").fails(2, "--lengths", "3 to 510", "[5, 4]");
        Cli.run("diagnose segments --model", model, "--dataset", benchmark, "--max-words 101")
                .fails(2, "--min-words 100", "--max-words 101");
        Cli.run("diagnose segments --model", model, "--dataset", benchmark)
                .fails(1, "hand: none of 1 passage has", "100", "512", "--min-words", "--max-words");
        segments(model, benchmark, "--segments 1").fails(2, "--segments");
        segments(model, benchmark, "--segments 3").fails(2, "--segments 3", "--min-words");
        segments(model, benchmark, "--segments 2 --with-published").fails(2, "--with-published", "--segments 10");
        Path silent = benchmark("silent", "c d e a a a");
        for (Cli.Ended ended : List.of(segments(model, silent), segments(model, silent, "--segments 2"))) {
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.err()).contains("posbias: stand-in, passage p0: ");
        }
    }
}
