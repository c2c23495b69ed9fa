package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.net.StandInServer;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class ApiEvalTest {
    private static final String KEY = "sk-test/0123456789+abcdefghij";
    private static final List<String> WORDS = TwoWordBenchmark.words();

    @TempDir
    Path temp;

    private Path dataset = Path.of("");

    @BeforeEach
    void write() {
        dataset = TwoWordBenchmark.write(temp.resolve("data"));
    }

    private static List<String> known(String text) {
        return Arrays.stream(text.split(" ", -1))
                .map(word -> TwoWordBenchmark.SYNONYMS.getOrDefault(word, word))
                .filter(word -> !word.startsWith("f"))
                .distinct()
                .toList();
    }

    private static String embeddings(StandInServer.Seen request) {
        List<String> texts = request.texts("input");
        return IntStream.range(0, texts.size())
                .mapToObj(i -> "{\"index\": " + i + ", \"embedding\": "
                        + WORDS.stream()
                                .map(word -> known(texts.get(i)).contains(word) ? "1.0" : "0.0")
                                .toList()
                        + "}")
                .collect(Collectors.joining(
                        ", ", "{\"data\": [", "], \"usage\": {\"prompt_tokens\": 7, \"total_tokens\": 7}}"));
    }

    private static String scores(StandInServer.Seen request) {
        List<String> query = known(String.valueOf(request.body().get("query")));
        List<String> documents = request.texts("documents");
        return IntStream.range(0, documents.size())
                .mapToObj(i -> "{\"index\": " + i + ", \"relevance_score\": "
                        + known(documents.get(i)).stream()
                                .filter(query::contains)
                                .count() + ".5}")
                .collect(Collectors.joining(", ", "{\"results\": [", "], \"usage\": {\"total_tokens\": 26}}"));
    }

    private FakeApi server = new FakeApi(ApiEvalTest::embeddings);

    @AfterEach
    void close() {
        server.close();
    }

    private Path embedding(String more) throws IOException {
        return Files.writeString(
                temp.resolve("vendor.yaml"),
                "name: vendor\nkind: embedding-api\nfamily: dense\nservice: openai\nmodel: m-1\nendpoint: "
                        + server.address() + "/v1/embeddings\ndimension: " + WORDS.size() + "\ntexts-per-call: 10\n"
                        + "price-per-million-tokens: 100\n" + more);
    }

    private Path reranker() throws IOException {
        server.close();
        server = new FakeApi(ApiEvalTest::scores);
        return Files.writeString(
                temp.resolve("vendor.yaml"),
                "name: vendor\nkind: rerank-api\nfamily: reranker\nservice: jina\nmodel: m-1\nendpoint: "
                        + server.address() + "/v1/rerank\nprice-per-million-tokens: 100\nkey: TEST_KEY\nfirst-stage: "
                        + TwoWordBenchmark.badFirstStage(temp) + "\n");
    }

    private Cli.Ended eval(Path recipe, Map<String, String> environment, Object... more) {
        return new Posbias(temp, environment)
                .run(
                        "eval --model",
                        recipe,
                        "--dataset",
                        dataset,
                        "--draws 0 --out",
                        temp.resolve("out"),
                        "--overwrite",
                        more);
    }

    private static List<String> row(Cli.Ended estimate) {
        assertThat(estimate.code()).as(estimate.err()).isZero();
        assertThat(estimate.out().lines().toList())
                .hasSize(2)
                .first()
                .isEqualTo("model,dataset,calls,texts,tokens,usd,state");
        return List.of(estimate.out().lines().toList().getLast().split(",", -1));
    }

    /** A first stage that returns every passage, blank ones too. */
    @Test
    void blankCandidatesAreNotReranked() throws IOException {
        Path corpus = dataset.resolve("corpus.jsonl");
        Files.writeString(corpus, TinyBenchmark.row("blank1", " ", "") + Files.readString(corpus));
        Path first = embedding("key: TEST_KEY\n");
        FakeApi rerankers = new FakeApi(ApiEvalTest::scores);
        try (rerankers) {
            Path second = Files.writeString(
                    temp.resolve("second.yaml"),
                    "name: second\nkind: rerank-api\nservice: jina\nmodel: m-1\nkey: TEST_KEY\nendpoint: "
                            + rerankers.address() + "/v1/rerank\ndepth: 100\nfirst-stage: " + first + "\n");
            Cli.Ended done = eval(second, Map.of("TEST_KEY", KEY));
            assertThat(done.code()).as(done.err()).isZero();
            assertThat(rerankers.seen().stream().flatMap(seen -> seen.texts("documents").stream()))
                    .isNotEmpty()
                    .noneMatch(String::isBlank);
            assertThat(result().retrieval().searchStats()).containsEntry("blank_passages", 1.0);
        }
    }

    @Test
    void aRefusedPassageIsNamedByItsIdentifier() throws IOException {
        server.close();
        server = new FakeApi(ApiEvalTest::embeddings);
        StandInServer.Answer answer = (exchange, request) -> {
            boolean refused = request.texts("input").stream().anyMatch(text -> text.contains("x13 y13 f"));
            FakeApi.status(refused ? 400 : 200, refused ? "{\"message\": \"Input is too long\"}" : embeddings(request))
                    .send(exchange, request);
        };
        server.order(Collections.nCopies(200, answer).toArray(StandInServer.Answer[]::new));
        Cli.Ended ended = eval(embedding("key: TEST_KEY\n"), Map.of("TEST_KEY", KEY));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .contains("Input is too long; asked about passage gold13 (127 characters, about 53 tokens)")
                .contains("max-tokens");
    }

    @Test
    void textsThatWouldBeCutAreForeseen() throws IOException {
        Path recipe = embedding("key: TEST_KEY\nmax-tokens: 30\n");
        Cli.Ended foreseen = eval(recipe, Map.of(), "--max-calls 0 --format csv");
        assertThat(foreseen.err()).contains("max-tokens 30", "by an estimate");
        List<String> row = row(foreseen);
        assertThat(eval(recipe, Map.of("TEST_KEY", KEY)).code()).isZero();
        List<String> sent = server.seen().stream()
                .flatMap(seen -> seen.texts("input").stream())
                .toList();
        assertThat(sent).allMatch(text -> text.length() <= 60);
        assertThat(row.get(4))
                .isEqualTo("" + sent.stream().mapToLong(CallEstimate::tokens).sum());
        assertThat(result().retrieval().truncations()).singleElement().satisfies(cut -> {
            assertThat(cut.known()).isTrue();
            assertThat(cut.cut()).isEqualTo(12);
            assertThat(cut.startsPast()).isEqualTo(4);
            assertThat(cut.endsPast()).isEqualTo(6);
        });
        assertThat(result().retrieval().searchStats()).containsEntry("texts_cut_by_estimate", 12.0);
    }

    @Test
    void textsAreCutByTheTokenizerOfTheRecipe() throws IOException {
        Path words = Files.createDirectory(temp.resolve("words"));
        Files.writeString(words.resolve("tokenizer.json"), """
                {"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
                 "post_processor": null, "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}}
                """);
        Path recipe = embedding("key: TEST_KEY\nmax-tokens: 7\ntokenizer: {folder: words}\n");
        Cli.Ended foreseen = eval(recipe, Map.of(), "--max-calls 0 --format csv");
        assertThat(foreseen.err()).contains("max-tokens 7", "by the tokenizer of words");
        Cli.Ended done = eval(recipe, Map.of("TEST_KEY", KEY));
        assertThat(done.code()).as(done.err()).isZero();
        List<String> sent = server.seen().stream()
                .flatMap(seen -> seen.texts("input").stream())
                .toList();
        assertThat(sent)
                .allMatch(text -> text.split(" ", -1).length <= 7)
                .anyMatch(text -> text.split(" ", -1).length == 7);
        assertThat(row(foreseen).get(4))
                .isEqualTo("" + sent.stream().mapToLong(CallEstimate::tokens).sum());
        assertThat(result().retrieval().truncations())
                .singleElement()
                .satisfies(cut -> assertThat(cut.cut()).isEqualTo(12));
        assertThat(result().retrieval().searchStats()).containsEntry("texts_cut_by_tokenizer", 12.0);
        assertThat(done.err()).contains("12 texts over max-tokens cut");
        int calls = server.seen().size();
        assertThat(eval(recipe, Map.of("TEST_KEY", KEY)).code()).isZero();
        assertThat(server.seen()).hasSize(calls);
        Files.writeString(
                words.resolve("tokenizer.json"),
                Files.readString(words.resolve("tokenizer.json")).replace("Whitespace", "WhitespaceSplit"));
        assertThat(eval(recipe, Map.of("TEST_KEY", KEY)).code()).isZero();
        assertThat(server.seen()).hasSizeGreaterThan(calls);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tokenizer: {folder: words}",
                "max-tokens: 7\ntokenizer: {library: a}",
                "max-tokens: 7\ntokenizer: {folder: absent}",
                "max-tokens: 7\ntokenizer: words"
            })
    void aTokenizerThatCannotBeUsedIsOneLine(String fields) throws IOException {
        eval(embedding("key: TEST_KEY\n" + fields + "\n"), Map.of("TEST_KEY", KEY))
                .fails(1, "tokenizer");
        assertThat(server.seen()).isEmpty();
    }

    /** Negative scores, so that a vector of zeros would be first. */
    @ParameterizedTest
    @ValueSource(strings = {"exact", "hnsw"})
    void blankPassagesAreNotSentNorRetrieved(String search) throws IOException {
        server.close();
        server = new FakeApi(request -> {
            List<String> texts = request.texts("input");
            return IntStream.range(0, texts.size())
                    .mapToObj(i -> "{\"index\": " + i + ", \"embedding\": "
                            + Stream.concat(
                                            Stream.of(texts.get(i).startsWith("Q ") ? -9 : 9),
                                            WORDS.stream()
                                                    .skip(1)
                                                    .map(word ->
                                                            known(texts.get(i)).contains(word) ? 1 : 0))
                                    .toList()
                            + "}")
                    .collect(Collectors.joining(", ", "{\"data\": [", "]}"));
        });
        Path corpus = dataset.resolve("corpus.jsonl");
        Files.writeString(
                corpus,
                TinyBenchmark.row("blank1", "", "") + Files.readString(corpus) + TinyBenchmark.row("blank2", " ", ""));
        Path recipe = embedding(
                "key: TEST_KEY\nnormalise: false\nsimilarity: dot\nquery-prompt: 'Q '\nsearch: " + search + "\n");
        Cli.Ended done = eval(recipe, Map.of("TEST_KEY", KEY));
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(server.seen().stream().flatMap(seen -> seen.texts("input").stream()))
                .isNotEmpty()
                .noneMatch(String::isBlank);
        assertThat(done.err()).contains("2 blank passages");
        Result result = ResultFile.read(temp.resolve("out/result.json")).getFirst();
        assertThat(result.retrieval().searchStats()).containsEntry("blank_passages", 2.0);
        try (GZIPInputStream run = new GZIPInputStream(Files.newInputStream(temp.resolve("out/run.trec.gz")))) {
            assertThat(new String(run.readAllBytes(), StandardCharsets.UTF_8))
                    .contains("gold10")
                    .doesNotContain("blank");
        }
    }

    @Test
    void callsAreCountedBeforeTheyAreMade() throws IOException {
        Path recipe = embedding("key: TEST_KEY\n");
        List<String> row = row(eval(recipe, Map.of(), "--max-calls 0 --format csv"));
        assertThat(server.seen()).isEmpty();
        assertThat(temp.resolve("out")).doesNotExist();
        Cli.Ended stopped = eval(recipe, Map.of("TEST_KEY", KEY), "--max-calls 2");
        assertThat(stopped.code()).isEqualTo(1);
        assertThat(stopped.err().lines().toList().getLast())
                .startsWith("posbias: ")
                .contains("--max-calls");
        assertThat(server.seen()).hasSize(2);
        assertThat(Integer.parseInt(row(eval(recipe, Map.of(), "--max-calls 0 --format csv"))
                        .get(2)))
                .isEqualTo(Integer.parseInt(row.get(2)) - 2);
        assertThat(eval(recipe, Map.of("TEST_KEY", KEY)).code()).isZero();
        assertThat(server.seen()).hasSize(Integer.parseInt(row.get(2)));
        List<String> sent = server.seen().stream()
                .flatMap(seen -> seen.texts("input").stream())
                .toList();
        assertThat(row.get(3)).isEqualTo(String.valueOf(sent.size()));
        // Two words a text, all ASCII: a third of its characters and ten.
        long tokens =
                sent.stream().mapToLong(text -> (text.length() + 2) / 3 + 10).sum();
        assertThat(row.subList(4, 7))
                .containsExactly("" + tokens, String.format(Locale.ROOT, "%.4f", tokens / 1e4), "to compute");
        assertThat(row(eval(recipe, Map.of(), "--max-calls 0 --format csv")).get(2))
                .isEqualTo("0");
    }

    private Cli.Ended mitigate(Path recipe, String strategies, Object... more) {
        Stream<Object> words = Stream.of(
                "mitigate --model",
                recipe,
                "--dataset",
                dataset,
                "--strategies",
                strategies,
                "--draws 0 --results",
                temp.resolve("results"));
        return new Posbias(temp, Map.of("TEST_KEY", KEY))
                .run(Stream.concat(words, Stream.of(more)).toArray());
    }

    private static List<Integer> sums(Cli.Ended estimate) {
        assertThat(estimate.code()).as(estimate.err()).isZero();
        List<String[]> rows =
                estimate.out().lines().skip(1).map(line -> line.split(",", -1)).toList();
        return Stream.of(2, 3)
                .map(column -> rows.stream()
                        .mapToInt(row -> Integer.parseInt(row[column]))
                        .sum())
                .toList();
    }

    @Test
    void callsOfStrategiesAreCountedOnce() throws IOException {
        Path recipe = embedding("key: TEST_KEY\n");
        String strategies = "chunked:window=4,mirrored,fused,quantised";
        List<Integer> ahead = sums(mitigate(recipe, strategies, "--max-calls 0 --format csv"));
        assertThat(server.seen()).isEmpty();
        assertThat(temp.resolve("results")).doesNotExist();
        Cli.Ended stopped = mitigate(recipe, strategies, "--max-calls 7");
        assertThat(stopped.code()).isEqualTo(1);
        assertThat(stopped.err()).contains("vendor+chunked-window-4 on words: ", "--max-calls");
        assertThat(server.seen()).hasSize(7);
        assertThat(mitigate(recipe, strategies).code()).isZero();
        List<String> sent = server.seen().stream()
                .flatMap(seen -> seen.texts("input").stream())
                .toList();
        assertThat(sent).doesNotHaveDuplicates();
        assertThat(ahead).containsExactly(server.seen().size(), sent.size());
        assertThat(sums(mitigate(recipe, strategies, "--max-calls 0 --format csv")))
                .containsExactly(0, 0);
    }

    @Test
    void withoutAResultThereIsNothingToCompare() throws IOException {
        Object[] words = {
            "mitigate --model", embedding("key: TEST_KEY\n"), "--dataset", dataset, "--strategies fused --results", temp
        };
        Cli.Ended ended = new Posbias(temp, Map.of()).run(words);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("set the environment variable TEST_KEY");
    }

    @Test
    void pairsOfStrategiesAreCountedOnce() throws IOException {
        Path recipe = reranker();
        List<Integer> ahead = sums(mitigate(recipe, "chunked:window=4,mirrored,fused", "--max-calls 0 --format csv"));
        assertThat(server.seen()).isEmpty();
        assertThat(mitigate(recipe, "chunked:window=4,mirrored,fused").code()).isZero();
        assertThat(ahead)
                .containsExactly(
                        server.seen().size(),
                        server.seen().stream()
                                .mapToInt(seen -> seen.texts("documents").size())
                                .sum());
    }

    private Result result() throws IOException {
        Path file = temp.resolve("out/result.json");
        assertThat(ResultFileTest.violations(Files.readString(file))).isEmpty();
        return ResultFile.read(file).getFirst();
    }

    private static double mean(Result result) {
        return Objects.requireNonNull(result.profiles().getFirst().queryMean());
    }

    private void assertTheKeyIsNowhere() throws IOException {
        try (Stream<Path> files = Files.walk(temp)) {
            // Libraries hold all digits in a row.
            List<Path> all = files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(temp.resolve("home/native")))
                    .toList();
            assertThat(all).hasSizeGreaterThan(5);
            for (Path file : all) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertThat(content.contains(KEY.substring(8, 18)))
                        .as("%s", file)
                        .isFalse();
            }
        }
    }

    /** Its candidates are not known before the first stage is paid for: as many as it would find are taken. */
    @Test
    void aFirstStageThatIsAServiceIsCountedToo() throws IOException {
        Path first = Files.move(embedding(""), temp.resolve("first.yaml"));
        Files.writeString(first, Files.readString(first).replace("name: vendor", "name: first"));
        Path recipe = reranker();
        Files.writeString(
                recipe,
                Files.readString(recipe).replaceFirst("first-stage: .*", "first-stage: " + first + "\ndepth: 5"));
        List<String> row = row(eval(recipe, Map.of(), "--max-calls 0 --format csv"));
        // 36 passages in 4 calls, 12 queries in 2; then a call for each query, with 5 passages.
        assertThat(row.subList(2, 4)).containsExactly("18", "" + (36 + 12 + 12 * 5));
        // What the model has sent, and its first stage, the strategy does not send again.
        assertThat(sums(mitigate(recipe, "fused", "--max-calls 0 --format csv")))
                .containsExactly(18, 36 + 12 + 12 * 5);
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void embeddingsAreAskedForOnceAndTheirCostIsTold() throws IOException {
        server.order(FakeApi.status(429, "{\"error\": {\"message\": \"slow down\"}}", "Retry-After", "0"));
        Path recipe = embedding("key: TEST_KEY\n");
        Cli.Ended first = eval(recipe, Map.of("TEST_KEY", KEY)).ok();
        assertThat(mean(result())).isEqualTo(1);
        assertThat(server.seen()).allMatch(seen -> ("Bearer " + KEY).equals(seen.authorization()));
        // 36 passages in 4 calls, 12 queries in 2, one of them twice.
        assertThat(server.seen()).hasSize(7);
        Map<String, Double> usage = result().retrieval().usage();
        assertThat(usage)
                .containsEntry("texts_encoded", 48.0)
                .containsEntry("api_calls", 6.0)
                .containsEntry("api_retries", 1.0)
                .containsEntry("api_tokens", 42.0);
        assertThat(usage.getOrDefault("api_cost_usd", 0.0)).isCloseTo(42e-4, within(1e-12));
        assertThat(first.out()).contains("vendor: the service may have cut texts");

        Cli.Ended second = eval(recipe, Map.of("TEST_KEY", KEY)).ok();
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(server.seen()).hasSize(7);
        assertThat(result().retrieval().usage())
                .containsEntry("api_calls", 0.0)
                .containsEntry("texts_from_cache", 48.0)
                .doesNotContainKey("api_cost_usd");
        assertTheKeyIsNowhere();
    }

    @Test
    void aServerOfOnesOwnNeedsNoKey() throws IOException {
        Cli.Ended ended = eval(embedding("max-tokens: 8192\n"), Map.of("OPENAI_API_KEY", KEY))
                .ok();
        assertThat(server.seen()).isNotEmpty().allMatch(seen -> seen.authorization() == null);
        // Shorter than the limit in bytes: surely whole.
        assertThat(ended.out()).doesNotContain("may have cut");
    }

    @Test
    void aMissingKeyIsNamedAndNothingIsAsked() throws IOException {
        eval(embedding("key: TEST_KEY\n"), Map.of()).fails(2, "openai", "TEST_KEY");
        assertThat(server.seen()).isEmpty();
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void aRefusalThatRepeatsTheKeyIsToldWithoutIt() throws IOException {
        for (int i = 0; i < 4; i++) {
            server.order(FakeApi.status(401, "{\"error\": {\"message\": \"wrong key " + KEY + "\"}}"));
        }
        Cli.Ended ended = eval(embedding("key: TEST_KEY\n"), Map.of("TEST_KEY", KEY));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("wrong key ***");
        assertThat(temp.resolve("out")).doesNotExist();
        assertTheKeyIsNowhere();
    }

    @Test
    void aRerankerIsAskedOnceForEachQueryAndItsCostIsTold() throws IOException {
        Path recipe = reranker();
        server.order(FakeApi.status(429, "{}", "Retry-After", "0"));
        Cli.Ended first = eval(recipe, Map.of("TEST_KEY", KEY)).ok();
        assertThat(mean(result())).isCloseTo(11.0 / 12, within(1e-9));
        assertThat(RunFile.read(temp.resolve("out")).getOrDefault("q13", Map.of()))
                .containsEntry("gold13", 2.5)
                .containsEntry("a13", 1.5);
        assertThat(server.seen()).hasSize(13);
        Map<String, Double> usage = result().retrieval().usage();
        assertThat(usage)
                .containsEntry("pairs_scored", 35.0)
                .containsEntry("api_calls", 12.0)
                .containsEntry("api_retries", 1.0)
                .containsEntry("api_tokens", 12 * 26.0);
        assertThat(usage.getOrDefault("api_cost_usd", 0.0)).isCloseTo(12 * 26e-4, within(1e-12));

        Cli.Ended second = eval(recipe, Map.of("TEST_KEY", KEY));
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(server.seen()).hasSize(13);
        assertThat(result().retrieval().usage())
                .containsEntry("pairs_from_cache", 35.0)
                .containsEntry("api_calls", 0.0);
        assertTheKeyIsNowhere();
    }

    @Test
    void theEffortOfBothStagesIsTold() throws IOException {
        Path first = Files.copy(embedding(""), temp.resolve("first.yaml"));
        Files.writeString(first, Files.readString(first).replace("name: vendor", "name: first"));
        try (FakeApi embedder = server) {
            server = new FakeApi(ApiEvalTest::scores);
            Path second = Files.writeString(
                    temp.resolve("second.yaml"),
                    "name: second\nkind: rerank-api\nservice: jina\nmodel: m-1\nendpoint: " + server.address()
                            + "/v1/rerank\ndepth: 3\nprice-per-million-tokens: 100\nfirst-stage: " + first + "\n");
            eval(second, Map.of()).ok();
            assertThat(embedder.seen()).hasSize(6);
        }
        Result result = result();
        assertThat(mean(result)).isEqualTo(1);
        assertThat(result.retrieval().truncations())
                .extracting(truncation -> truncation.stage() + " " + truncation.known())
                .containsExactly("second false", "first false");
        Map<String, Double> usage = result.retrieval().usage();
        assertThat(usage)
                .containsEntry("texts_encoded", 48.0)
                .containsEntry("pairs_scored", 36.0)
                .containsEntry("api_calls", 18.0);
        assertThat(usage.getOrDefault("api_cost_usd", 0.0)).isCloseTo((42 + 12 * 26) / 1e4, within(1e-12));
    }
}
