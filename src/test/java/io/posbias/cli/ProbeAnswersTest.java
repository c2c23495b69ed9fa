package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.chat.FakeChat;
import io.posbias.model.encode.api.FakeApi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers of this test see the prompt alone. */
@Timeout(180)
class ProbeAnswersTest {
    private static final int ARTICLES = 40;
    private static final int PLACES = 5;
    private static final int QUERIES = ARTICLES * PLACES;
    private static final Pattern PASSAGE = Pattern.compile("Passage \\d+: ([^\\n]*)");
    private static final Pattern QUESTION = Pattern.compile("Question: (\\w+) lies in");

    @TempDir
    static Path shared;

    private static Path windows;

    @TempDir
    Path temp;

    /** Articles of 24 sentences of about ten words; one says where a name lies. */
    private static String articles() {
        Random random = new Random(5);
        List<Object> data = new ArrayList<>();
        for (int article = 0; article < ARTICLES; article++) {
            List<String> sentences = new ArrayList<>();
            for (int sentence = 0; sentence < 24; sentence++) {
                List<String> words = new ArrayList<>(
                        random.ints(10, 0, 300).mapToObj(i -> "word" + i).toList());
                if (sentence == 12) {
                    words.subList(3, 7).clear();
                    words.addAll(3, List.of("zarn" + article, "lies", "in", "town" + article));
                }
                sentences.add("The " + String.join(" ", words) + ".");
            }
            String context = String.join(" ", sentences);
            String answer = "town" + article;
            Map<String, Object> question = Map.of(
                    "id",
                    "q" + article,
                    "question",
                    "zarn" + article + " lies in",
                    "answers",
                    List.of(
                            Map.of("text", answer, "answer_start", context.indexOf(answer + " ")),
                            Map.of("text", "in " + answer, "answer_start", context.indexOf("in " + answer + " "))));
            data.add(Map.of(
                    "title",
                    "A" + article,
                    "paragraphs",
                    List.of(Map.of("context", context, "qas", List.of(question)))));
        }
        return new String(Json.toBytes(Map.of("data", data)), StandardCharsets.UTF_8);
    }

    @BeforeAll
    static void build() throws IOException {
        Path json = Files.writeString(shared.resolve("articles.json"), articles());
        windows = shared.resolve("windows");
        Cli.run("data build windows --length 50 --language en --variants --input", json, "--out", windows)
                .ok();
    }

    /** Reads the passages at some places up to a number of words. */
    private static String read(String prompt, int words, boolean middle) {
        Matcher question = QUESTION.matcher(prompt);
        List<String> passages =
                PASSAGE.matcher(prompt).results().map(found -> found.group(1)).toList();
        if (!question.find() || passages.isEmpty()) {
            throw new IllegalArgumentException(prompt);
        }
        Pattern fact = Pattern.compile("\\b" + question.group(1) + " lies in (\\w+)");
        return IntStream.range(0, passages.size())
                .filter(place -> middle || place == 0 || place == passages.size() - 1)
                .mapToObj(place -> Arrays.stream(passages.get(place).split(" "))
                        .limit(words)
                        .collect(Collectors.joining(" ")))
                .flatMap(text -> fact.matcher(text).results())
                .map(found -> "In " + found.group(1) + ".")
                .findFirst()
                .orElse("unknown");
    }

    private static String readAll(String prompt) {
        return read(prompt, Integer.MAX_VALUE, true);
    }

    private Cli.Ended run(FakeApi server, Object... more) {
        return new Posbias(temp, Map.of())
                .run(
                        "probe answers --dataset",
                        windows,
                        "--llm",
                        server.address() + "/v1",
                        "--llm-model org/m --sampling greedy --threads 2",
                        more);
    }

    private static final String BM25 = "--model bm25 --k 3";

    private static Fields curve(Fields result, String quantity) {
        return result.records("curves").stream()
                .filter(curve -> curve.text("quantity").equals(quantity))
                .findFirst()
                .orElseThrow();
    }

    private static String outcome(Fields result, String quantity) {
        return curve(result, quantity).text("outcome");
    }

    private static double loss(Fields result, String quantity) {
        return curve(result, quantity).record("loss").record("loss").number("value");
    }

    /** Means of the places with replies. */
    private static List<Double> means(Fields result, String quantity) {
        return curve(result, quantity).records("places").stream()
                .filter(place -> place.integer("n") > 0)
                .map(place -> place.number("mean"))
                .toList();
    }

    private Fields result(UnaryOperator<String> reader, String model, Object... more) {
        try (FakeApi server = FakeChat.serve(reader)) {
            run(server, more, "--out", temp.resolve("out"), "--overwrite").ok();
            return Json.readJson(temp.resolve("out").resolve(model).resolve("result.json"));
        }
    }

    /** A retriever that reads 45 of 55 words. */
    private Path truncating() throws IOException {
        Cli.run("calibrate references --reference reference-flat --dataset", windows, "--out", temp.resolve("refs"))
                .ok();
        Path folder = temp.resolve("refs/reference-flat");
        String recipe = Files.readString(folder.resolve("recipe.yaml"));
        return Files.writeString(
                folder.resolve("cut.yaml"),
                recipe.replaceFirst("name: .*", "name: cut").replaceFirst("max-tokens: .*", "max-tokens: 45"));
    }

    @Test
    void aBiasOfTheRetrieverIsNotOneOfTheReader() throws IOException {
        Fields result = result(ProbeAnswersTest::readAll, "cut", "--k 5 --right contains --model", truncating());
        assertThat(outcome(result, "retrieved")).isEqualTo("primacy");
        assertThat(loss(result, "retrieved")).isGreaterThan(0.3);
        assertThat(outcome(result, "read")).isEqualTo("even");
        assertThat(means(result, "read")).containsOnly(1.0);
        assertThat(means(result, "right_if_retrieved")).containsOnly(1.0);
        // This reader knows nothing else, so that it loses what the retriever loses.
        assertThat(means(result, "right")).isEqualTo(means(result, "retrieved"));
        assertThat(outcome(result, "right")).isEqualTo("primacy");
    }

    @Test
    void aBiasOfTheReaderIsNotOneOfTheRetriever() {
        Fields result =
                result(prompt -> read(prompt, 30, true), "bm25", BM25, "--right contains --prompt-place balanced");
        assertThat(outcome(result, "retrieved")).isEqualTo("even");
        assertThat(means(result, "retrieved")).containsOnly(1.0);
        assertThat(outcome(result, "read")).isEqualTo("primacy");
        assertThat(means(result, "read")).containsExactly(1.0, 1.0, 1.0, 0.0, 0.0);
        assertThat(outcome(result, "right")).isEqualTo("primacy");
        // The reader forgets the end of a passage, not a place of the prompt.
        assertThat(Math.abs(loss(result, "read_in_prompt"))).isLessThan(0.1);
        assertThat(outcome(result, "read_in_prompt")).isNotIn("primacy", "recency");
    }

    @Test
    void aReaderThatIsLostInTheMiddleOfThePrompt() {
        Fields result = result(prompt -> read(prompt, Integer.MAX_VALUE, false), "bm25", BM25, "--right contains");
        assertThat(means(result, "read_in_prompt")).containsExactly(1.0, 0.0, 1.0);
        assertThat(curve(result, "read_in_prompt").record("middle_minus_ends").number("value"))
                .isEqualTo(-1);
        assertThat(outcome(result, "retrieved")).isEqualTo("even");
        // Each place of the evidence meets each place of the prompt equally often, to one question.
        assertThat(means(result, "read")).allSatisfy(mean -> assertThat(mean).isBetween(0.65, 0.675));
        assertThat(outcome(result, "read")).isNotIn("primacy", "recency");
        Fields fixed = result(
                prompt -> read(prompt, Integer.MAX_VALUE, false),
                "bm25",
                BM25,
                "--right contains --prompt-place 2 --n 25 --cluster none");
        // Each question is a cluster, with all its places.
        assertThat(curve(fixed, "right").integer("clusters")).isEqualTo(25);
        assertThat(means(fixed, "read")).containsOnly(0.0);
        assertThat(fixed.text("prompt_place")).isEqualTo("2");
    }

    /** Equal prompts are sent once; the estimate has their exact number before any is sent. */
    @Test
    void callsAndTokensAreForeseen() throws IOException {
        Path model = truncating();
        List<Integer> used = new ArrayList<>();
        try (FakeApi server = new FakeApi(request -> {
            String prompt = FakeChat.question(request);
            String reply = readAll(prompt);
            int read = prompt.split("\\W+").length * 3 / 2;
            int written = reply.length();
            synchronized (used) {
                used.add(read + written);
            }
            return new String(
                    Json.toBytes(Map.of(
                            "choices",
                            List.of(Map.of("message", Map.of("role", "assistant", "content", reply))),
                            "usage",
                            Map.of(
                                    "prompt_tokens",
                                    read,
                                    "completion_tokens",
                                    written,
                                    "total_tokens",
                                    read + written))),
                    StandardCharsets.UTF_8);
        })) {
            Object[] study = {"--k 3 --model", "bm25," + model};
            Cli.Ended first = run(server, study, "--max-calls 0").ok();
            int calls = number(first.out(), "estimate: ([\\d,]+) calls,");
            assertThat(server.seen()).isEmpty();
            Cli.Ended stopped = run(server, study, "--max-calls 20");
            assertThat(stopped.code()).isEqualTo(1);
            assertThat(server.seen()).hasSize(20);
            Cli.Ended second = run(server, study, "--max-calls 0 --llm-price 1000000,1000000")
                    .ok();
            assertThat(number(second.out(), "estimate: ([\\d,]+) calls,")).isEqualTo(calls - 20);
            int tokens = number(second.out(), "with about ([\\d,]+) tokens")
                    + number(second.out(), "tokens and ([\\d,]+) of replies");
            assertThat(number(second.out(), ", ([\\d,]+)\\.\\d{4} USD")).isEqualTo(tokens);
            synchronized (used) {
                used.clear();
            }
            run(server, study, "--out", temp.resolve("out")).ok();
            assertThat(server.seen()).hasSize(calls);
            assertThat((double) tokens)
                    .isBetween(
                            0.9 * used.stream().mapToInt(own -> own).sum(),
                            1.1 * used.stream().mapToInt(own -> own).sum());
            assertThat(server.seen().stream().map(FakeChat::question).distinct())
                    .hasSize(calls);
            byte[] result = Files.readAllBytes(temp.resolve("out/cut/result.json"));
            // All replies are on disk: nothing is asked, and the files are the same.
            Cli.Ended again = run(server, study, "--concurrency 1 --max-calls 0 --out", temp.resolve("again"))
                    .ok();
            assertThat(server.seen()).hasSize(calls);
            assertThat(again.out()).contains("Loss at the back");
            assertThat(Files.readAllBytes(temp.resolve("again/cut/result.json")))
                    .isEqualTo(result);
        }
    }

    private static int number(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return Integer.parseInt(found.group(1).replace(",", ""));
    }

    @Test
    void aSmallerDrawIsTheBeginningOfALargerOne() {
        try (FakeApi server = FakeChat.serve(ProbeAnswersTest::readAll)) {
            run(server, BM25, "--n 8").ok();
            assertThat(server.seen()).hasSize(8 * PLACES);
            run(server, BM25, "--n 12").ok();
            assertThat(server.seen()).hasSize(12 * PLACES);
            // Another seed draws others; some are the same.
            run(server, BM25, "--n 12 --seed 1").ok();
            assertThat(server.seen().size()).isGreaterThan(12 * PLACES);
        }
    }

    /** One judge accepts all answers that hold a town, the other only those of even towns. */
    @Test
    void twoJudgesAgreeInPart() throws IOException {
        UnaryOperator<String> model = prompt -> {
            if (!prompt.startsWith("Query: ")) {
                return read(prompt, 30, true);
            }
            assertThat(prompt).contains("Gold Answer: town").contains(" lies in town");
            return prompt.matches("(?s).*Model Answer: In town.*") ? "YES" : "NO";
        };
        try (FakeApi first = FakeChat.serve(model);
                FakeApi second = FakeChat.serve(
                        prompt -> prompt.matches("(?s).*Model Answer: In town\\d*[02468]\\..*") ? "Yes" : "NO")) {
            Cli.Ended ended = run(
                            first,
                            BM25,
                            "--judge-model a,b --judge",
                            first.address() + "/v1," + second.address() + "/v1",
                            "--out",
                            temp.resolve("out"))
                    .ok();
            String json = Files.readString(temp.resolve("out/bm25/result.json"));
            SchemaCheck.check("rag-position-1", json);
            Fields result = Json.readJson(temp.resolve("out/bm25/result.json"));
            assertThat(result.text("right")).isEqualTo("judge");
            assertThat(result.records("judges").stream().map(judge -> judge.text("model")))
                    .containsExactly("a", "b");
            // Each question has two distinct answers: its town, and unknown.
            Fields agreement = result.record("judge_agreement");
            assertThat(agreement.integer("n")).isEqualTo(2 * ARTICLES);
            assertThat(agreement.integer("same")).isEqualTo(2 * ARTICLES - ARTICLES / 2);
            // Shares 1/2 and 1/4, agreement 3/4, by chance 1/2.
            assertThat(agreement.number("kappa")).isEqualTo(0.5);
            assertThat(ended.out()).contains("kappa 0.500 [");
            assertThat(second.seen()).hasSize(2 * ARTICLES);
            List<String> lines = Files.readAllLines(temp.resolve("out/bm25/scores.csv"));
            assertThat(lines).hasSize(1 + QUERIES);
            assertThat(lines.getFirst())
                    .startsWith("question,place,query,cluster,rank,passages,prompt_place,answer,exact,holds,f1,verdict,"
                            + "second_verdict,right,given_prompt_place,given_answer,");
        }
    }

    @Test
    void exactMatchIsTheRuleWithoutAJudge() throws IOException {
        try (FakeApi server = FakeChat.serve(ProbeAnswersTest::readAll)) {
            Cli.Ended ended = run(server, BM25, "--format json").ok();
            SchemaCheck.check(
                    "rag-position-1",
                    Json.mapper()
                            .writeValueAsString(Objects.requireNonNull(
                                    Json.mapper().readTree(ended.out()).get(0))));
            // "In town3." is one of two true answers.
            assertThat(ended.out()).contains("\"right\" : \"exact\"");
            Cli.Ended csv = run(server, BM25, "--format csv").ok();
            assertThat(csv.out())
                    .contains("\nbm25,right,1,40,1.0,")
                    .contains("\nbm25,right_loss,,200,0.0,0.0,0.0,1.0,even\n")
                    .contains("\nbm25,read_in_prompt,3,");
            assertThat(server.seen()).hasSize(QUERIES);
            assertThat(csv.out().lines())
                    .anyMatch(line -> line.startsWith("bm25,read_f1,5,40,"))
                    .anyMatch(line -> line.startsWith("bm25,read_in_prompt_middle_minus_ends,,200,0.0,"));
        }
    }

    @Test
    void whatIsNotAStudyOfPlacesIsRefused() {
        Object[] reader = {"--model bm25 --llm http://localhost:1/v1 --llm-model m"};
        Posbias posbias = new Posbias(temp, Map.of());
        posbias.run("probe answers --dataset demo", reader).fails(2, "data build windows");
        posbias.run("probe answers --dataset", windows + ",demo", reader).fails(2, "one benchmark");
        posbias.run("probe answers --prompt-place 6 --dataset", windows, reader).fails(2, "from 1 to 5");
        posbias.run("probe answers --prompt-place first --dataset", windows, reader)
                .fails(2, "balanced, ranked");
        posbias.run("probe answers --right judge --dataset", windows, reader).fails(2, "--judge-model");
        posbias.run("probe answers --judge-model a,b,c --dataset", windows, reader)
                .fails(2, "two");
        posbias.run("probe answers --dataset", windows, "--model bm25").fails(2, "--llm");
    }
}
