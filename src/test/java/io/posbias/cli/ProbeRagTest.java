package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.chat.FakeChat;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.study.probe.redocred.Article;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ProbeRagTest {
    private static final String KEY = "sk-test/0123456789+abcdefghij";
    private static final int QUERIES = 6;

    @TempDir
    Path temp;

    private final FakeApi server = FakeChat.serve(ProbeRagTest::reply);

    @BeforeEach
    void articles() {
        Article.write(
                temp.resolve("test.json"),
                Stream.concat(
                                IntStream.range(0, QUERIES).mapToObj(ProbeRagTest::article),
                                Stream.of(Article.of("Donor", "{0:ORG:Acme} one", "two", "three", "four")
                                        .label("P571", 0, 0, 3)))
                        .toArray(Article[]::new));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Article article(int i) {
        return Article.of(
                        "Article " + i,
                        "{0:PER:Person" + i + "} was born in {1:LOC:Town" + i + "} .",
                        "{0:PER:Person" + i + "} wrote .",
                        "Fog was .")
                .label("P19", 0, 1, 0);
    }

    /**
     * Believes what it is given, and knows half of the towns without; of person 1's foil it has nothing to say. As judge
     * it is right, but for an answer it cannot read.
     */
    private static String reply(String question) {
        String number = question.replaceAll("(?s).*Person(\\d).*", "$1");
        if (question.startsWith("In the sentence")) {
            return number.equals("2") ? "Town2" : "\"Nowhere" + number + "\"";
        }
        if (question.startsWith("Query: ")) {
            boolean right = Pattern.compile("Model Answer: [^\\n]*Town" + number)
                    .matcher(question)
                    .find();
            return question.contains("Town3 or so") ? "Maybe." : right ? "yes" : "NO, it does not.";
        }
        if (!question.contains("Document: ")) {
            return Integer.parseInt(number) % 2 == 0 ? "Town" + number : "Town3 or so";
        }
        if (question.contains("born in")) {
            return question.replaceAll("(?s).*born in (\\w+) \\..*", "$1");
        }
        return number.equals("1") ? "" : "The document does not provide it, but Town" + number + ".";
    }

    private Cli.Ended build(Object... more) {
        return new Posbias(temp, Map.of("TEST_KEY", KEY))
                .run(
                        "probe build redocred --input",
                        temp.resolve("test.json"),
                        "--out",
                        temp.resolve("probes"),
                        "--probe foil,poison",
                        more);
    }

    private Cli.Ended rag(Object... more) {
        return new Posbias(temp, Map.of("TEST_KEY", KEY))
                .run(
                        "probe rag --data",
                        temp.resolve("probes"),
                        "--llm",
                        server.address() + "/v1",
                        "--llm-model org/m",
                        more);
    }

    private List<String> asked(String beginning) {
        return server.seen().stream()
                .map(FakeChat::question)
                .filter(question -> question.startsWith(beginning))
                .toList();
    }

    private void assertTheKeyIsNowhere(Cli.Ended ended) throws IOException {
        assertThat(ended.out() + ended.err()).doesNotContain(KEY.substring(8, 18));
        try (Stream<Path> files = Files.walk(temp)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(KEY.substring(8, 18));
            }
        }
    }

    @Test
    void aFoilAloneIsEnough() throws IOException {
        assertThat(build().code()).isZero();
        Files.delete(temp.resolve("probes/poison.jsonl"));
        Cli.Ended ended = rag("--out", temp.resolve("out"));
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("the probes have no poison");
        Fields result = Json.readJson(temp.resolve("out/org_m/result.json"));
        assertThat(result.records("accuracy").stream().map(row -> row.text("document")))
                .containsExactly("foil", "none", "evidence");
        assertThat(result.records("differences")).hasSize(2);
        SchemaCheck.check("rag-result-1", Files.readString(temp.resolve("out/org_m/result.json")));
    }

    @Test
    void fromArticlesToTheTable() throws IOException {
        assertThat(build().code()).isZero();
        Cli.Ended first = rag("--key-env TEST_KEY --out", temp.resolve("out"), "--with-published --width 200")
                .ok();
        assertThat(first.out())
                .containsPattern("\\A.*\\(judge: org/m\\)\n")
                .containsPattern("\norg/m\n")
                .containsPattern("\npoison +6 +0 +0\\.0% .* -50\\.0 .* 0 +0 +0\n")
                .containsPattern("\nfoil +6 +0 +0\\.0% .* -50\\.0 .* 5 +0 +1\n")
                .containsPattern("\nnone +6 +3 +50\\.0% +\\[18\\.8, 81\\.2\\] +- +- +- +0 +3 +0\n")
                .containsPattern("\nevidence +6 +6 +100\\.0% .* \\+50\\.0 .* 0 +0 +0\n")
                .containsPattern("\ngpt-4o-2024-08-06 \\(.*\\)\npoison +250 +77 +30\\.8% ")
                .contains("wrong answers in poison: type-matched\n")
                .contains("judges its own answers", "--judge-model ");
        assertThat(first.err())
                .startsWith("6 of 6 queries with foil and poison; 0 ")
                .containsSubsequence(
                        "\ncalls: 48 at most: 24 of 24 ", "24 of 24 ", "\nthis run: 44 calls, 308 tokens\n");
        // The same right answer with and without a document is judged once; the empty one is not.
        assertThat(server.seen())
                .hasSize(24 + 24 - 3 - 1)
                .allMatch(seen -> ("Bearer " + KEY).equals(seen.authorization()));
        Fields result = Json.readJson(temp.resolve("out/org_m/result.json"));
        assertThat(result.text("schema")).isEqualTo("posbias/rag-result/1");
        assertThat(result.record("reader").toMap())
                .containsEntry("model", "org/m")
                .containsEntry("address", server.address() + "/v1")
                .containsEntry("replies", 24)
                .containsEntry("tokens", 168);
        assertThat(result.record("judge").toMap()).containsEntry("replies", 20).containsEntry("tokens", 140);
        assertThat(result.text("sampling")).isEqualTo("paper");
        assertThat(result.text("prompts_sha256")).hasSize(64);
        assertThat(result.records("accuracy").get(2).toMap())
                .containsEntry("document", "none")
                .containsEntry("correct", 3)
                .containsEntry("unclear", 3);
        List<String> answers = Files.readAllLines(temp.resolve("out/org_m/scores.csv"));
        assertThat(answers).hasSize(25).startsWith("id,document,verdict,answer,judge");
        assertThat(answers).anyMatch(line -> line.endsWith(",foil,empty,,"));
        assertTheKeyIsNowhere(first);

        Path before = Files.copy(temp.resolve("out/org_m/result.json"), temp.resolve("before.json"));
        Cli.Ended second = rag(
                        "--concurrency 1 --max-calls 0 --out", temp.resolve("out"), "--with-published --width 200")
                .ok();
        assertThat(second.err()).containsSubsequence("calls: 0 at most: 0 of 24 ", "0 of 20 ");
        assertThat(second.out()).isEqualTo(first.out());
        Cli.Ended csv = rag("--max-calls 0 --with-published --format csv");
        assertThat(csv.out())
                .startsWith(
                        "reader,document,n,correct,share,interval_low,interval_high,abstained,unclear,empty,less_none,")
                .containsPattern("\norg/m,poison,6,0,0\\.0,[^,]+,[^,]+,0,0,0,-0\\.5,[^,]+,[^,]+,[^,]+\n")
                .containsPattern("\norg/m,none,6,3,0\\.5,[^,]+,[^,]+,0,3,0,,,,\n")
                .contains("\ngpt-4o-2024-08-06 (published),poison,250,77,0.308,,,,,,,,,\n");
        assertThat(temp.resolve("out/org_m/result.json")).hasSameBinaryContentAs(before);
        assertThat(server.seen()).hasSize(44);
    }

    @Test
    void aStoppedRunContinuesAndPrintsNothingHalf() throws IOException {
        build();
        Cli.Ended none = rag("--max-calls 0").ok();
        assertThat(none.err()).contains("calls: 48 at most").endsWith("this run: 0 calls, 0 tokens\n");
        assertThat(none.out()).matches("estimate: 48 calls at most, .* [0-9]{4} tokens, .*\ntokens: .*\n");
        assertThat(server.seen()).isEmpty();
        Cli.Ended some = rag("--max-calls 30 --out", temp.resolve("out"));
        assertThat(some.code()).isEqualTo(1);
        assertThat(some.out()).isEmpty();
        assertThat(some.err())
                .containsSubsequence("this run: 30 calls, 210 tokens\n", "--max-calls: 6 of 20 verdicts of org/m ");
        assertThat(temp.resolve("out")).doesNotExist();
        server.order(FakeApi.status(401, "{\"error\": {\"message\": \"no credit\"}}"));
        Cli.Ended broken = rag("--concurrency 1");
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.err()).contains("answered 401: no credit\n");
        Cli.Ended last = rag("--format csv").ok();
        assertThat(last.err()).containsSubsequence("calls: 14 at most: 0 of 24 ", "14 of 20 ");
        assertThat(last.out()).contains("\norg/m,evidence,6,6,1.0,");
        assertThat(server.seen()).hasSize(44 + 1);
    }

    @Test
    void theJudgeMayBeAnotherAtAnotherPlaceAndGetsNoKeyUnasked() {
        build();
        try (FakeApi judge = FakeChat.serve(ProbeRagTest::reply)) {
            Cli.Ended ended = rag(
                            "--key-env TEST_KEY --judge",
                            judge.address(),
                            "--judge-model j --n 2 --seed 3 --sampling greedy --format json")
                    .ok();
            assertThat(judge.seen())
                    .isNotEmpty()
                    .allMatch(seen -> seen.authorization() == null
                            && "j".equals(seen.body().get("model"))
                            && !seen.body().containsKey("top_p"));
            assertThat(server.seen()).hasSize(8);
            assertThat(Json.parse(Path.of("out"), ended.out().getBytes(StandardCharsets.UTF_8))
                            .toMap())
                    .containsEntry("queries", 2)
                    .containsEntry("candidates", 6);
        }
    }

    @Test
    void aModelThinksOfThePoison() throws IOException {
        Cli.Ended estimate =
                build("--llm", server.address(), "--llm-model m --max-calls 0").ok();
        assertThat(estimate.err()).contains("estimate: 6 calls, with about ");
        assertThat(temp.resolve("probes")).doesNotExist();
        assertThat(server.seen()).isEmpty();
        Cli.Ended stopped = build("--llm", server.address(), "--llm-model m --max-calls 4");
        assertThat(stopped.code()).isEqualTo(1);
        assertThat(stopped.err()).contains("posbias: ", "--max-calls: 4 of 6 wrong answers of m ");
        assertThat(temp.resolve("probes")).doesNotExist();
        Cli.Ended ended = build("--llm", server.address(), "--llm-model m --key-env TEST_KEY")
                .ok();
        assertThat(ended.err())
                .contains("calls: 2 of 6 wrong answers; ", "this run: 2 calls, 14 tokens\n")
                .containsSubsequence("poison: 5 of 6 candidates", "; 1 left out", ": 1 a true answer\n");
        assertThat(asked("In the sentence: 'Person")).hasSize(6);
        Fields card = Json.readYaml(temp.resolve("probes/probes.yaml"));
        SchemaCheck.check("probes-1", Json.mapper().writeValueAsString(card.toMap()));
        assertThat(card.records("probes").get(1).toMap())
                .containsEntry("poison_by", "llm m")
                .containsEntry("proposals_left_out", Map.of("a true answer", 1));
        assertThat(Files.readAllLines(temp.resolve("probes/poison.jsonl")))
                .allMatch(line -> line.matches(
                        ".*born in Nowhere(\\d) \\..*\"poison\":\"Nowhere\\1\",\"poison_by\":\"llm m\".*"));
        Cli.Ended rag = rag();
        assertThat(rag.err()).containsSubsequence("5 of 5 queries with foil and poison; ", "1 left out");
        assertThat(rag.out()).contains("wrong answers in poison: llm m\n").containsPattern("\nnone +5 ");
        assertTheKeyIsNowhere(ended);
    }

    @Test
    void wrongUsageIsOneLine() throws IOException {
        Files.createDirectories(temp.resolve("empty"));
        Path data = temp.resolve("empty");
        String[] missing = {"--llm", "--llm-model"};
        Cli.run("probe rag --data", data, "--llm http://h").fails(2, (Object[]) missing);
        Cli.run("probe rag --data", data, "--llm http://h --llm-model m")
                .fails(2, data.toString(), "foil.jsonl", "--probe foil,poison");
        assertThat(Cli.run("probe rag --data", data, "--llm http://h --llm-model m --key-env", KEY))
                .satisfies(ended -> assertThat(ended.code()).isEqualTo(2))
                .satisfies(ended -> assertThat(ended.err()).doesNotContain(KEY));
        Object[] build = {"probe build redocred --input", temp.resolve("test.json"), "--out", temp.resolve("o")};
        with(build, "--llm-model m").fails(2, (Object[]) missing);
        with(build, "--max-calls 3").fails(2, (Object[]) missing);
        with(build, "--llm http://h --llm-model m --probe foil").fails(2, "--llm", "poison", "--probe");
    }

    private static Cli.Ended with(Object[] words, Object... more) {
        return Cli.run(words, more);
    }

    @Test
    void filesThatDoNotBelongTogetherAreRefused() throws IOException {
        build();
        // Without its digests: else the files are refused before they are looked at.
        Files.delete(temp.resolve("probes/probes.yaml"));
        Path poison = temp.resolve("probes/poison.jsonl");
        String lines = Files.readString(poison);
        Files.writeString(poison, lines.replace("Acme", "Other"));
        assertThat(rag().err()).contains("poison.jsonl:1: field \"id\" is ", "both files must come from one");
        Files.writeString(poison, lines);
        Path foil = temp.resolve("probes/foil.jsonl");
        Files.writeString(foil, Files.readString(foil).replaceAll("\"evidence\":\"[^\"]*\",", ""));
        assertThat(rag().err()).contains("foil.jsonl:1: ", "\"evidence\"");
        Files.writeString(poison, "");
        rag().fails(1, temp.resolve("probes").toString(), "foil", "poison");
        assertThat(server.seen()).isEmpty();
    }
}
