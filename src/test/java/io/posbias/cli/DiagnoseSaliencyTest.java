package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.check.StandIn;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.inside.TinyModels;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DiagnoseSaliencyTest {
    private static final List<String> WORDS =
            IntStream.range(0, 40).mapToObj(i -> "w" + (i + 10)).toList();

    @TempDir
    Path temp;

    private Path data = Path.of("");
    private Map<String, String> environment = System.getenv();

    /** One document of 40 words and one of three, asked for words at its beginning and end, for all words, and for one. */
    @BeforeEach
    void write() {
        String text = String.join(" ", WORDS);
        data = TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: known\nlanguage: en\nbucketing: relative:5\n")
                .write(
                        "corpus.jsonl",
                        "{\"_id\": \"long\", \"text\": \"" + text
                                + "\"}\n{\"_id\": \"short\", \"text\": \"🦊 w10 w11 w12\"}\n")
                .write(
                        "queries.jsonl",
                        "{\"_id\": \"ends\", \"text\": \"w10 w49\", \"pos_char_span\": [0, 3]}\n"
                                + "{\"_id\": \"all\", \"text\": \"" + text + "\"}\n"
                                + "{\"_id\": \"brief\", \"text\": \"w11\", \"pos_char_span\": [6, 9]}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nends\tlong\t1\nall\tlong\t1\nbrief\tshort\t1\n")
                .folder();
    }

    private Path reference(Shape shape, double strength) {
        String name = shape.name().toLowerCase(Locale.ROOT);
        return new ReferenceEncoder(name, shape, strength, 512, 1, 64).write(temp.resolve(name), WORDS);
    }

    private Cli.Ended run(Object model, String out, Object... more) {
        return Cli.run(
                environment,
                "diagnose saliency --model",
                model,
                "--dataset",
                data,
                "--out",
                temp.resolve(out),
                "--format csv --no-cache --overwrite",
                more);
    }

    private List<String[]> scores(String out, String model, String query) throws IOException {
        return Files.readAllLines(temp.resolve(out).resolve(model).resolve("scores.csv")).stream()
                .map(line -> line.split(",", -1))
                .filter(cells -> cells[0].equals(query))
                .toList();
    }

    private static double[] saliencies(List<String[]> rows) {
        return rows.stream().mapToDouble(cells -> Double.parseDouble(cells[5])).toArray();
    }

    /** Words are nearly orthogonal, so a window matters by the words of the query that it holds and by nothing else. */
    @Test
    void aBagOfWordsCaresForTheQuerysWords() throws IOException {
        Cli.Ended ended = run(reference(Shape.FLAT, 0), "out", "--window 5").ok();
        assertThat(ended.err()).contains("known: 2 pairs", "1 left out with fewer than 15 words");
        List<String[]> rows = scores("out", "flat", "ends");
        assertThat(rows).hasSize(8);
        assertThat(rows)
                .extracting(cells -> cells[3] + "-" + cells[4])
                .containsExactly("0-20", "20-40", "40-60", "60-80", "80-100", "100-120", "120-140", "140-159");
        double[] saliency = saliencies(rows);
        // cos = 2 / sqrt(2 * 40) whole, 1 / sqrt(2 * 35) without one of the two; without others it rises to 2 /
        // sqrt(70).
        assertThat(saliency[0]).isCloseTo(2 / Math.sqrt(80) - 1 / Math.sqrt(70), within(0.03));
        assertThat(saliency[7]).isCloseTo(2 / Math.sqrt(80) - 1 / Math.sqrt(70), within(0.03));
        assertThat(Arrays.stream(saliency, 1, 7))
                .allSatisfy(value -> assertThat(value).isCloseTo(2 / Math.sqrt(80) - 2 / Math.sqrt(70), within(0.03)));
        assertThat(ended.out().lines().filter(line -> line.startsWith("flat,")))
                .hasSize(100)
                .first()
                .asString()
                .startsWith("flat,occlusion,p99,1,2,");
    }

    @Test
    void plantedPrimacyFalls() throws IOException {
        Cli.Ended ended = run(reference(Shape.PRIMACY, 3) + "," + reference(Shape.RECENCY, 3), "out", "--window 5")
                .ok();
        double[] primacy = saliencies(scores("out", "primacy", "all"));
        double[] recency = saliencies(scores("out", "recency", "all"));
        // The query is the document: its own beginning matters most.
        assertThat(primacy).hasSize(8);
        assertThat(primacy[0]).isGreaterThan(4 * Math.abs(primacy[7]));
        assertThat(recency[7]).isGreaterThan(4 * Math.abs(recency[0]));
        assertThat(primacy[0]).isGreaterThan(primacy[2]);
        assertThat(primacy[2]).isGreaterThan(primacy[5]);
        assertThat(ended.out())
                .startsWith("model,method,scale,point,pairs,mean,sd,interval_low,interval_high\n"
                        + "primacy,occlusion,p99,1,2,");
        assertThat(Files.readString(temp.resolve("out/recency/result.json")))
                .contains("\"first_less_last_against\" : {", "\"model\" : \"primacy\"");
        assertThat(Files.readString(temp.resolve("out/primacy/result.json"))).doesNotContain("against");
    }

    @Test
    void contributionsSumToTheScoreThatTheRetrieverGives() throws IOException {
        Path dense = reference(Shape.PRIMACY, 2);
        Map<String, Double> scores = contributions(dense, "primacy", "dense");
        assertThat(scores).containsOnlyKeys("ends", "all");
        for (String settings : List.of(
                "max-tokens: 64\n",
                "max-tokens: 64\nscore: mean\n",
                "max-tokens: 20\nvectors: float16\nskip: [w11]\nquery-length: 12\nquery-expansion: true\n")) {
            Path late = StandInRerankers.write(
                    temp.resolve("late"),
                    "late",
                    StandInRerankers.tokens(WORDS, Map.of()),
                    WordTokenizer.of(WORDS).toJson(),
                    "kind: late-interaction\nfamily: late-interaction\n" + settings);
            contributions(late, "late", "late-out");
        }
    }

    private Map<String, Double> contributions(Path recipe, String name, String out) throws IOException {
        run(recipe, out + "-whole").ok();
        run(recipe, out, "--method contribution").ok();
        Map<String, Double> scores = new LinkedHashMap<>();
        for (String query : List.of("ends", "all")) {
            List<String[]> rows = scores(out, name, query);
            assertThat(rows).hasSize(41);
            assertThat(rows.getLast()[2]).isEqualTo("rest");
            double whole =
                    Double.parseDouble(scores(out + "-whole", name, query).getFirst()[1]);
            assertThat(Arrays.stream(saliencies(rows)).sum()).isCloseTo(whole, within(1e-5));
            assertThat(Double.parseDouble(rows.getFirst()[1])).isCloseTo(whole, within(1e-5));
            assertThat(rows.get(3)[3]).isEqualTo("12");
            assertThat(rows.get(3)[4]).isEqualTo("15");
            scores.put(query, whole);
        }
        return scores;
    }

    @Test
    void offsetsAreCodePoints() throws IOException {
        run(reference(Shape.FLAT, 0), "out", "--method contribution --min-words 1")
                .ok();
        List<String[]> rows = scores("out", "flat", "brief");
        assertThat(rows)
                .extracting(cells -> cells[3] + "-" + cells[4])
                .containsExactly("0-1", "2-5", "6-9", "10-13", "-");
        double[] saliency = saliencies(rows);
        assertThat(saliency[2]).isCloseTo(1 / Math.sqrt(3), within(0.05));
        assertThat(saliency[1]).isCloseTo(0, within(0.05));
        assertThat(CodePoints.count("🦊")).isEqualTo(1);
    }

    @Test
    @Tag("slow")
    void oneThreadAndTwoGiveTheSameBytes() throws IOException {
        Path model = reference(Shape.PRIMACY, 1);
        for (String method : List.of("occlusion", "contribution")) {
            sameBytes(model, "primacy", method);
        }
    }

    private void sameBytes(Object model, String name, String method) {
        for (int threads : new int[] {1, 2}) {
            run(model, method + threads, "--method", method, "--threads", threads)
                    .ok();
        }
        for (String file : List.of("scores.csv", "result.json")) {
            assertThat(temp.resolve(method + 1).resolve(name).resolve(file))
                    .hasSameBinaryContentAs(
                            temp.resolve(method + 2).resolve(name).resolve(file));
        }
    }

    @Test
    void evidenceMayBeAskedToLieSomewhere() {
        Cli.Ended first = run("bm25", "out", "--evidence-between 0,0.1");
        assertThat(first.err()).contains("known: 1 pair", "0 left out");
        run("bm25", "out", "--evidence-between .7,.9").fails(1, "known has no query");
    }

    @Test
    void modelsWhoseScoresAreNoSumsAreRefusedBeforeAnythingIsLoaded() throws IOException {
        refused("contribution", "bm25 ", "bm25");
        Path cls = StandIn.CAUSAL_POOLED_FIRST.write(temp.resolve("cls"), "cls");
        refused("contribution", "cls has pooling: cls", cls);
        refused("contribution", "voyage-3-large is a service", "voyage-3-large");
    }

    @Test
    void modelsThatCannotBeLookedIntoAreRefusedLikewise() throws IOException {
        refused("gradient", "bm25 is of kind bm25", "bm25");
        refused("gradient", "voyage-3-large is of kind embedding-api", "voyage-3-large");
        refused("gradient", "nv-embed-v2 is an ONNX file", "nv-embed-v2");
        refused("gradient", "flat is an ONNX file", reference(Shape.FLAT, 0));
        Cli.Ended none = run("bm25", "none", "--method gradient,contribution");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err().lines()).hasSize(2);
        assertThat(none.err()).startsWith("without gradient: bm25 ").contains("\nposbias: --method gradient");
    }

    private void refused(String method, String why, Object model) {
        run(model, "none", "--method", method).fails(2, "--method " + method + ": ", why, "--method occlusion");
    }

    /** Python answers as it once did. */
    private void recorded(String name) throws IOException {
        environment = new Posbias(temp, RecordedWorker.environment(temp, name)).environment();
    }

    private Path tiny() throws IOException {
        return TinyModels.writeBert(
                temp.resolve("tiny"),
                Stream.concat(WORDS.stream(), Stream.of("a", "tower")).toList());
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void gradientsAreNormsOfTheTextsTokens() throws IOException {
        recorded("saliency-norms");
        Path tiny = tiny();
        run(tiny, "whole").ok();
        Cli.Ended ended = Cli.run(
                        environment,
                        "diagnose saliency --model",
                        tiny,
                        "--dataset",
                        data,
                        "--method gradient --out",
                        temp.resolve("out"))
                .ok();
        for (String query : List.of("ends", "all")) {
            List<String[]> rows = scores("out", "tiny-bert", query);
            assertThat(rows).hasSize(WORDS.size());
            assertThat(rows.getFirst()[3]).isEqualTo("0");
            assertThat(rows.getLast()[4]).isEqualTo("159");
            // A document that is its own query has the greatest cosine, where nothing rises.
            boolean isOwn = query.equals("all");
            assertThat(Arrays.stream(saliencies(rows))).allMatch(norm -> isOwn ? norm < 1e-6 : norm > 1e-6);
            assertThat(Double.parseDouble(rows.getFirst()[1]))
                    .isCloseTo(
                            Double.parseDouble(
                                    scores("whole", "tiny-bert", query).getFirst()[1]),
                            within(1e-5));
        }
        assertThat(ended.out())
                .contains("% of saliency (gradient, norm per", "scale p99", "a norm is never")
                .doesNotContain("positive", "longer than the model reads", "+0.");
        assertThat(Files.readString(temp.resolve("out/tiny-bert/result.json")))
                .contains("\"method\" : \"gradient\"", "\"unit\" : \"token\"", "\"cut_pairs\" : 0");
        List<String> curves = Cli.run(
                        environment,
                        "diagnose saliency --model",
                        tiny,
                        "--dataset",
                        data,
                        "--method gradient --with-published --format csv --out",
                        temp.resolve("out"))
                .ok()
                .out()
                .lines()
                .toList();
        // Two models of PosIR's Figure 5 and ours, 100 points each.
        assertThat(curves).hasSize(301);
        assertThat(curves.stream()
                        .filter(line -> line.startsWith("Qwen3-Embedding-8B*,"))
                        .findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains(",gradient,p99,1,3131,0.937"));
    }

    @Test
    void figure5IsOfGradients() {
        Cli.run("diagnose saliency --model bm25 --dataset demo --with-published")
                .fails(2, "--method gradient");
        Cli.run("diagnose saliency --model bm25 --dataset demo --method gradient --scale maximum --with-published")
                .fails(2, "--scale p99");
    }

    /** 300 words, of which 254 are read; evidence is behind these, so nothing is known of its share. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void whatIsNotReadHasNoGradient() throws IOException {
        Path cut = TinyBenchmark.in(temp.resolve("cut"))
                .write("dataset.yaml", "name: cut\nlanguage: en\nbucketing: relative:5\n")
                .write(
                        "corpus.jsonl",
                        "{\"_id\": \"d\", \"text\": \"" + "tower ".repeat(300).strip() + "\"}\n")
                .write("queries.jsonl", "{\"_id\": \"q\", \"text\": \"a tower\", \"pos_char_span\": [1794, 1799]}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n")
                .folder();
        Path out = temp.resolve("out");
        recorded("saliency-cut");
        Cli.Ended ended = Cli.run(
                        environment,
                        "diagnose saliency --model",
                        tiny(),
                        "--dataset",
                        cut,
                        "--method gradient --out",
                        out)
                .ok();
        assertThat(ended.out())
                .contains("tiny-bert reads less than the document of 1 of 1 pair;")
                .doesNotContain("Saliency of the evidence");
        assertThat(scores("out", "tiny-bert", "q")).hasSize(254);
        assertThat(Files.readString(out.resolve("tiny-bert/result.json"))).contains("\"cut_pairs\" : 1");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void severalMethodsAreBesideEachOther() throws IOException {
        recorded("saliency-methods");
        Path pictures = temp.resolve("pictures");
        Path page = temp.resolve("page.html");
        Cli.Ended ended = run(
                        "bm25," + tiny(),
                        "out",
                        "--method occlusion,gradient,contribution --plots",
                        pictures,
                        "--html",
                        page)
                .ok();
        assertThat(ended.err()).contains("without gradient: bm25 ", "without contribution: bm25 ");
        assertThat(ended.out()
                        .lines()
                        .skip(1)
                        .map(line -> line.replaceFirst("(,[^,]*,p99),.*", "$1"))
                        .distinct())
                .containsExactly(
                        "bm25,occlusion,p99",
                        "tiny-bert,occlusion,p99",
                        "tiny-bert,gradient,p99",
                        "tiny-bert,contribution,p99");
        assertThat(temp.resolve("out/gradient/bm25")).doesNotExist();
        assertThat(Files.readString(temp.resolve("out/gradient/tiny-bert/result.json")))
                .contains("\"first_less_last_against\" : {", "\"model\" : \"bm25\"", "\"method\" : \"occlusion\"");
        assertThat(Files.readString(temp.resolve("out/occlusion/bm25/result.json")))
                .doesNotContain("against", "cut_pairs");
        assertThat(Files.readString(pictures.resolve("saliency.svg")))
                .contains("occlusion, scale p99", "gradient, scale p99", "contribution, scale p99", "own.");
        assertThat(Files.readString(page))
                .contains("tiny-bert, gradient <span", "words or tokens", "<th scope=\"col\">method</th>");
    }

    @Test
    void drawsAndWritesAPage() throws IOException {
        Path page = temp.resolve("page.html");
        Path pictures = temp.resolve("pictures");
        Cli.Ended ended = run(
                        "bm25," + reference(Shape.FLAT, 0),
                        "out",
                        "--html",
                        page,
                        "--examples 1 --plots",
                        pictures,
                        "--scale none")
                .ok();
        assertThat(ended.err()).contains("page in " + page, "written: " + pictures.resolve("saliency.svg"));
        String html = Files.readString(page);
        assertThat(html).contains("1 of 2, evenly spaced", "<span class=\"p8 evidence\" title=\"+");
        assertThat(html.split("<div class=\"passage\">", -1)).hasSize(3);
        String svg = Files.readString(pictures.resolve("saliency.svg"));
        assertThat(svg).contains("saliency by position in the document", "Each model has its own axis");
        assertThat(Files.readString(temp.resolve("out/flat/result.json"))).contains("\"scale\" : \"none\"");
    }
}
