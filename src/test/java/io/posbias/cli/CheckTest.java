package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.posbias.SharedData;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.ExitCode;
import io.posbias.model.encode.api.FakeApi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One question, one answer. */
class CheckTest {
    private static final int ARTICLES = 40;

    @TempDir
    Path temp;

    private Posbias posbias = new Posbias(Path.of(""), Map.of());

    @BeforeEach
    void start() {
        posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
    }

    private Cli.Ended check(Object model, Object data, Object... more) {
        return posbias.run("check", model, data, "--language en --no-cache --results", temp.resolve("results"), more);
    }

    private Fields answer(Object model, Object data, Object... more) throws IOException {
        String json = check(model, data, "--format json", more).ok().out();
        assertThat(SchemaCheck.takes(SchemaCheck.read("check-2"), json)).isTrue();
        return Json.readJson(Files.writeString(temp.resolve("answer.json"), json));
    }

    /** A text whose sentences share a name, and have words of their own. */
    private static String article(int number) {
        return IntStream.range(0, 8)
                .mapToObj(i -> "In the valley of %s the old %s was built beside the %s by people from the hills."
                        .formatted(word(number, 9), word(number, i), word(number, i + 20)))
                .collect(Collectors.joining(" "));
    }

    private static String word(int number, int place) {
        String letters = "bcdfghjklmnprstvwz";
        int code = 31 * number + 7 * place;
        return "" + letters.charAt(number % 18) + "ae".charAt(number / 18 % 2) + letters.charAt(place % 18)
                + "iou".charAt(place / 18 % 3) + letters.charAt(code % 18) + "an";
    }

    /** Questions whose answer is a word of one sentence, at all places of the articles. */
    private Path squad(String name, int articles) throws IOException {
        List<String> paragraphs = new ArrayList<>();
        for (int a = 0; a < articles; a++) {
            List<String> questions = new ArrayList<>();
            for (int i = 0; i < 8; i += 2) {
                int sentence = (i + a) % 8;
                String answer = word(a, sentence + 20);
                questions.add("{\"id\": \"q%d-%d\", \"question\": \"Which %s was built in the valley of %s?\","
                                .formatted(a, i, word(a, sentence), word(a, 9))
                        + " \"answers\": [{\"text\": \"%s\", \"answer_start\": %d}]}"
                                .formatted(answer, article(a).indexOf(answer)));
            }
            paragraphs.add("{\"title\": \"%s\", \"paragraphs\": [{\"context\": \"%s\", \"qas\": [%s]}]}"
                    .formatted(word(a, 9), article(a), String.join(",", questions)));
        }
        return Files.writeString(temp.resolve(name), "{\"data\": [" + String.join(",", paragraphs) + "]}");
    }

    @Test
    void theDemoIsEvenForBm25AndASecondRunReadsWhatIsThere() throws IOException {
        Fields first = answer("bm25", "demo");
        assertThat(first.texts("verdicts")).containsExactly("even");
        assertThat(first.record("counts").integer("questions")).isEqualTo(300);
        assertThat(first.record("counts").integer("all_questions")).isEqualTo(1200);
        assertThat(first.records("places")).hasSize(5);
        // Nothing changes with the place, so that the first round is enough.
        assertThat(first.record("moved").integer("questions")).isEqualTo(100);
        Path run = temp.resolve("results/demo-sample/bm25/run.trec.gz");
        var written = Files.getLastModifiedTime(run);
        Cli.Ended again = check("bm25", "demo");
        assertThat(again.ok().out()).contains("bm25 on demo (1,200 questions, 240 passages; a sample of 300 questions");
        assertThat(again.err()).doesNotContain("texts with moved evidence");
        assertThat(Files.getLastModifiedTime(run)).isEqualTo(written);
        assertThat(again.out().lines().filter(line -> !line.startsWith("  posbias ")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(answer("bm25", "demo", "--full").record("counts").integer("questions"))
                .isEqualTo(1200);
        check("bm25", "demo", "--fail-on unread,position").ok();
        assertThat(check("bm25", "demo", "--fail-on even").code()).isEqualTo(ExitCode.GATE);
        check("bm25", "demo", "--fail-on biased").fails(ExitCode.USAGE, "--fail-on biased", "unread");
    }

    /** 160 questions: a sample takes as many as its interval needs, which BM25's needs soon. */
    @Test
    void ofASampleNoMoreEvidenceIsMovedThanNeeded() throws IOException {
        Path articles = squad("articles.json", ARTICLES);
        Fields sample = answer("bm25", articles, "--n 120");
        assertThat(sample.record("counts").integer("questions")).isEqualTo(120);
        assertThat(sample.record("moved").integer("questions")).isEqualTo(100);
        Fields full = answer("bm25", articles, "--n 120 --full");
        assertThat(full.record("moved").integer("questions")).isEqualTo(160);
    }

    @Test
    void aPlantedBiasIsAPosition() throws IOException {
        Fields found = answer(primacy("demo"), "demo");
        assertThat(found.texts("verdicts")).containsExactly("position");
        assertThat(found.record("moved").raw("means"))
                .asInstanceOf(LIST)
                .satisfies(means -> assertThat((Double) means.getFirst()).isGreaterThan((Double) means.getLast()));
        assertThat(found.text("next")).startsWith("posbias ").contains("--dataset demo");
    }

    /** Makes an encoder that prefers the beginning. */
    private Path primacy(Object benchmark) {
        Path refs = temp.resolve("refs");
        posbias.run("calibrate references --dataset", benchmark, "--reference reference-primacy-2 --out", refs)
                .ok();
        return refs.resolve("reference-primacy-2/recipe.yaml");
    }

    /** Passages of some 140 words: windows of the usual 128 would cut nothing, which says nothing of windows. */
    @Test
    void windowsAreAsShortAsThePassagesNeed() throws IOException {
        Path articles = squad("short.json", 60);
        Path primacy = primacy(articles);
        Fields found = answer(primacy, articles);
        assertThat(found.texts("verdicts")).containsExactly("position");
        Fields windows = found.record("windows");
        assertThat(windows.text("model")).containsPattern("\\+chunked-window-\\d\\d-stride-\\d\\d$");
        assertThat(windows.number("vectors_per_passage")).isGreaterThan(2);
    }

    /** The same passages: of several sizes of windows those that cut are compared, and the sentence is about these. */
    @Test
    void severalSizesOfWindowsAreTriedAndTheBestIsRecommended() throws IOException {
        Path articles = squad("short.json", 60);
        Path primacy = primacy(articles);
        String out = posbias.run(
                        "mitigate --language en --content-fixed --draws 500 --no-cache --strategies"
                                + " chunked:window=256,chunked:window=64,chunked:window=32 --model",
                        primacy,
                        "--dataset",
                        articles,
                        "--results",
                        temp.resolve("results"))
                .ok()
                .out()
                .replaceAll("\\s+", " ");
        assertThat(out)
                .startsWith("Recommended on short: reference-primacy-2+chunked:window=")
                .contains(
                        "not tested, as nothing was cut: reference-primacy-2+chunked:window=256 (1.00 windows a passage)");
    }

    @Test
    void ownArticlesInEachFormAreAsked() throws IOException {
        Path json = squad("articles.json", ARTICLES);
        assertThat(answer("bm25", json).texts("verdicts")).containsAnyOf("even", "too easy");
        Path run = temp.resolve("mine.trec.gz");
        Files.copy(temp.resolve("results/articles/bm25/run.trec.gz"), run);
        Fields scored = answer(run, json);
        assertThat(scored.text("model")).isEqualTo("mine");
        assertThat(scored.has("moved")).isFalse();
        assertThat(scored.texts("verdicts")).containsAnyOf("even", "too easy", "open");
        assertThat(scored.records("places").getFirst().has("read")).isFalse();
        // Rankings alone have no moved evidence.
        check(run, json, "--fail-on unread,position").fails(ExitCode.USAGE, "--fail-on unread", "content, even, open");
        check(run, json, "--fail-on too-hard").ok();

        Map.Entry<String, Map<String, Double>> one = RunFile.read(temp.resolve("results/articles/bm25"))
                .entrySet()
                .iterator()
                .next();
        Path part = Files.write(temp.resolve("part.json"), Json.toBytes(Map.of(one.getKey(), one.getValue())));
        check(part, json).fails(1, "1 of 160 judged queries", "--partial");
        assertThat(check(part, json, "--partial").ok().out()).startsWith("part, which lacks 159 of 160 queries,");
    }

    @Test
    void fewQuestionsAreTooFew() throws IOException {
        Fields found = answer("bm25", squad("twelve.json", 3));
        assertThat(found.record("counts").integer("questions")).isEqualTo(12);
        assertThat(found.texts("verdicts")).containsExactly("too few");
        assertThat(found.text("next")).startsWith("posbias plan --pilot ").contains("results/twelve/bm25");
    }

    /**
     * Questions on the first sentence of passages, or on several of one passage.
     *
     * @param places number of sentences that are asked about
     */
    private Path few(String name, int questions, int passages, int places) throws IOException {
        List<String> paragraphs = new ArrayList<>();
        for (int a = 0; a < passages; a++) {
            List<String> own = new ArrayList<>();
            for (int i = a; i < questions; i += passages) {
                int sentence = i / passages % places;
                String answer = word(a, sentence + 20);
                own.add(
                        "{\"id\": \"q%d\", \"question\": \"Which %s was built?\", \"answers\": [{\"text\": \"%s\", \"answer_start\": %d}]}"
                                .formatted(
                                        i, word(a, sentence), answer, article(a).indexOf(answer)));
            }
            paragraphs.add("{\"title\": \"%s\", \"paragraphs\": [{\"context\": \"%s\", \"qas\": [%s]}]}"
                    .formatted(word(a, 9), article(a), String.join(",", own)));
        }
        return Files.writeString(temp.resolve(name), "{\"data\": [" + String.join(",", paragraphs) + "]}");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 1, 2", "3, 1, 3", "5, 1, 5", "3, 1, 1", "2, 2, 1", "3, 2, 2", "5, 5, 1"})
    void anyNumberOfQuestionsHasAnAnswer(int questions, int passages, int places) throws IOException {
        Path data = few("few.json", questions, passages, places);
        Fields found = answer("bm25", data);
        assertThat(found.texts("verdicts")).containsExactly("too few");
        assertThat(found.text("answer")).containsIgnoringCase("too few").endsWith(".");
        assertThat(found.text("next")).startsWith("posbias ");
        assertThat(check("bm25", data, "--fail-on too-few").code()).isEqualTo(ExitCode.GATE);
    }

    /** Without a network the words of Polish are those of Lucene's StandardAnalyzer, which is said once. */
    @Test
    void bm25IsBesideAModelInAnyLanguage() throws IOException {
        Posbias offline = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        Path data = few("polish.json", 4, 2, 2);
        Path recipe = Files.writeString(temp.resolve("list.yaml"), "name: list\nkind: list\n");
        Cli.Ended ended = offline.run(
                        "check",
                        recipe,
                        data,
                        "--language pl --no-cache --format json --results",
                        temp.resolve("results"))
                .ok();
        assertThat(ended.err().lines().filter(line -> line.startsWith("note: words of Polish ")))
                .hasSize(1);
        Fields found = Json.readJson(Files.writeString(temp.resolve("answer.json"), ended.out()));
        assertThat(found.records("places").getFirst().has("bm25")).isTrue();
        Path benchmark;
        try (var own = Files.list(temp.resolve("home/own"))) {
            benchmark = own.findFirst().orElseThrow();
        }
        Cli.Ended eval = offline.run("eval --model", recipe, "--dataset", benchmark, "--out", temp.resolve("e"));
        assertThat(eval.ok().out()).contains("bm25 (blind)");
        Cli.Ended score = offline.run(
                "score --run", temp.resolve("e/run.trec.gz"), "--dataset", benchmark, "--out", temp.resolve("s"));
        assertThat(score.ok().out()).contains("bm25 (blind)");
    }

    /** How often a text has each letter. */
    private static List<Long> letters(String text) {
        return IntStream.rangeClosed('a', 'z')
                .mapToObj(letter -> text.chars().filter(own -> own == letter).count())
                .toList();
    }

    @Test
    void aServedModelIsAskedWithAnEstimateOfItsCalls() throws IOException {
        try (FakeApi server = new FakeApi(request -> {
            List<String> input = request.texts("input");
            return IntStream.range(0, input.size())
                    .mapToObj(i -> "{\"index\": %d, \"embedding\": %s}".formatted(i, letters(input.get(i))))
                    .collect(Collectors.joining(", ", "{\"data\": [", "]}"));
        })) {
            Cli.Ended ended = check(server.address() + "/v1#m-1", squad("served.json", 25), "--format json");
            assertThat(ended.ok().err())
                    .contains("100 questions on 25 passages")
                    .containsPattern("\\d+ calls");
            assertThat(ended.out()).contains("\"verdicts\"");
        }
    }

    /** Of a text its first 200 characters are encoded, which nobody is told. */
    @Test
    void aServiceThatMayCutIsNamedAsACause() throws IOException {
        try (FakeApi server = new FakeApi(request -> {
            List<String> input = request.texts("input");
            return IntStream.range(0, input.size())
                    .mapToObj(i -> "{\"index\": %d, \"embedding\": %s}".formatted(i, words(input.get(i))))
                    .collect(Collectors.joining(", ", "{\"data\": [", "]}"));
        })) {
            String answer = check(server.address() + "/v1#m-1", squad("served.json", ARTICLES))
                    .ok()
                    .out();
            assertThat(answer.replaceAll("\\s+", " ")).contains("model may have cut texts", "possible cause");
        }
    }

    private static List<Integer> words(String text) {
        int[] counts = new int[256];
        for (String word : text.substring(0, Math.min(200, text.length())).split("\\W+", -1)) {
            counts[Math.floorMod(word.hashCode(), counts.length)]++;
        }
        return IntStream.of(counts).boxed().toList();
    }

    @Test
    void thePageAndMarkdownHaveTheAnswer() throws IOException {
        Path json = squad("articles.json", ARTICLES);
        assertThat(check("bm25", json, "--format markdown").ok().out()).contains("| answer in ", "    posbias ");
        assertThat(check("bm25", json, "--format csv").ok().out())
                .startsWith("bucket,questions,read,found,mean,bm25,verdict,loss,loss_low,loss_high,loss_p_value,");
        Path page = temp.resolve("page.html");
        check("bm25", json, "--output", page).ok();
        assertThat(Files.readString(page)).contains("<!DOCTYPE html>", "bm25");
    }

    private static String line(Map<String, String> row) {
        return new String(Json.toLine(row), StandardCharsets.UTF_8);
    }

    /** Documents become questions by the judges of own-posq, one of them a model. */
    @Tag("slow")
    @Test
    void textsAndBeirWithoutSpansGetQuestions() throws IOException {
        Path squad = SharedData.file("squad-format/xquad.en.json");
        Path texts = Files.createDirectories(temp.resolve("texts"));
        Path beir = temp.resolve("beir");
        Files.createDirectories(beir.resolve("qrels"));
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        int number = 0;
        for (Fields article : Json.readJson(squad).records("data").subList(0, ARTICLES)) {
            StringBuilder text = new StringBuilder();
            for (Fields paragraph : article.records("paragraphs").subList(0, 3)) {
                number++;
                text.append(paragraph.text("context")).append("\n\n");
                corpus.append(line(Map.of("_id", "p" + number, "text", paragraph.text("context"))));
                Fields question = paragraph.records("qas").getFirst();
                queries.append(line(Map.of("_id", "q" + number, "text", question.text("question"))));
                qrels.append("q" + number + "\tp" + number + "\t1\n");
            }
            Files.writeString(texts.resolve(number + ".txt"), text);
        }
        Files.writeString(beir.resolve("corpus.jsonl"), corpus);
        Files.writeString(beir.resolve("queries.jsonl"), queries);
        Files.writeString(beir.resolve("qrels/test.tsv"), qrels);
        for (Path data : List.of(texts, beir)) {
            Fields found = answer("bm25", data);
            assertThat(found.record("counts").integer("questions")).isGreaterThan(100);
            assertThat(found.texts("verdicts")).containsAnyOf("even", "too easy");
        }
    }

    @Tag("slow")
    @Test
    void longArticlesAreUnreadByMiniLmAndContentForBm25() throws IOException {
        Path covid = SharedData.file("squad-format/covidqa_200421.json");
        assertThat(answer("bm25", covid).texts("verdicts")).containsAnyOf("content", "even");
        // The questions of a sample whose evidence is read are too few for a test beside BM25.
        Fields found = answer("all-minilm-l6-v2", covid, "--full");
        assertThat(found.texts("verdicts")).containsExactly("unread");
        assertThat(found.record("windows").flag("helps")).isTrue();
        assertThat(found.text("next")).contains("all-minilm-l6-v2+chunked");
    }
}
