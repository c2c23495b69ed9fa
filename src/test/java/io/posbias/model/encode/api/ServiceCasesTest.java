package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.posbias.base.json.Json;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What embedding services do that OpenAI's does not. */
class ServiceCasesTest {
    private final ApiMeter meter = new ApiMeter();
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final List<Duration> pauses = new ArrayList<>();
    private FakeApi server = new FakeApi(request -> Fakes.indexed(request.texts("input")));

    @AfterEach
    void close() {
        server.close();
    }

    private static StandInServer.Answer right() {
        return (exchange, request) ->
                FakeApi.ok(Fakes.indexed(request.texts("input"))).send(exchange, request);
    }

    /** Refuses some requests, as often as they come. */
    private void refuse(Predicate<List<String>> requests, int status, String body) {
        StandInServer.Answer answer =
                (exchange, request) -> (requests.test(request.texts("input")) ? FakeApi.status(status, body) : right())
                        .send(exchange, request);
        server.order(Collections.nCopies(500, answer).toArray(StandInServer.Answer[]::new));
    }

    private ApiEncoder api(String more, Map<String, String> environment) {
        EmbeddingSettings settings = Fakes.embedding("service: openai\nendpoint: " + server.address()
                + "/v1/embeddings?api-version=2024-02-01\nmodel: m\ndimension: 3\nnormalise: false\n" + more);
        return new ApiEncoder(
                settings,
                new ApiConnection(
                        settings.api(),
                        environment,
                        meter,
                        CallLimit.none(),
                        said::add,
                        Fakes.patience(Duration.ofSeconds(20), pauses)),
                Sessions.in(Path.of("home")));
    }

    private List<TextEncoder.Encoded> encode(String more, String... texts) {
        try (ApiEncoder api = api(more, Fakes.ENVIRONMENT)) {
            TextEncoder.Encoded[] encoded = new TextEncoder.Encoded[texts.length];
            api.prepare(List.of(texts), Role.PASSAGE).run(batch -> batch.forEach(one -> encoded[one.text()] = one));
            return List.of(encoded);
        }
    }

    private static float[][] vectors(List<TextEncoder.Encoded> encoded) {
        return encoded.stream().map(TextEncoder.Encoded::vectors).toArray(float[][]::new);
    }

    private static String[] texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> "x".repeat(i + 1)).toArray(String[]::new);
    }

    private List<Integer> sizes() {
        return server.seen().stream().map(seen -> seen.texts("input").size()).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            422 | {"error": "batch size 16 > maximum allowed batch size 4", "error_type": "Validation"}
            413 | {"message": "Payload too large"}
            400 | {"error": {"message": "Too many inputs. The max number of inputs is 4."}}
            400 | {"message": "invalid request: total number of texts must be at most 4"}
            200 | {"error": {"message": "array too long", "code": 400}}
            400 | {"error": {"message": "Zu viele Texte"}}
            413 | ``
            """)
    void aServiceThatTakesFewerTextsIsAskedAboutHalfAsMany(int status, String body) {
        refuse(texts -> texts.size() > 4, status, body);
        String[] texts = texts(40);
        assertThat(vectors(encode("texts-per-call: 16\ncalls-at-once: 1", texts)))
                .isDeepEqualTo(Arrays.stream(texts).map(Fakes::vector).toArray(float[][]::new));
        assertThat(sizes())
                .startsWith(16, 8, 4, 4, 4, 4, 4)
                .filteredOn(size -> size > 4)
                .hasSize(2);
        assertThat(said)
                .singleElement()
                .asString()
                .contains("answered " + status)
                .endsWith("texts-per-call is 4 for the rest of this run");
        assertThat(meter.figures()).containsEntry("api_calls", (long) sizes().size() - 2);
        assertThat(pauses).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            400 | {"error": {"message": "This model's maximum context length is 30 tokens, however you requested 41."}}
            422 | {"detail": "Input is too long"}
            413 | {"message": "Payload too large"}
            400 | {"message": "content not allowed"}
            """)
    void aRefusedTextIsNamed(int status, String body) {
        String bad = "bad " + "word ".repeat(30);
        refuse(texts -> texts.contains("P " + bad), status, body);
        String[] texts = texts(7);
        texts[4] = bad;
        ApiException refused = catchThrowableOfType(ApiException.class, () -> encode("document-prompt: 'P '", texts));
        assertThat(refused)
                .hasMessageContaining("answered " + status + ": ")
                .hasMessageContaining("\"bad word")
                .hasMessageContaining("(154 characters, about 62 tokens)");
        assertThat(refused.steps().getFirst()).contains("max-tokens");
        assertThat(refused.isOf(bad)).isTrue();
        assertThat(refused.isOf(texts[0])).isFalse();
        assertThat(refused.named("passage d17")).hasMessageEndingWith("passage d17 (154 characters, about 62 tokens)");
        assertThat(sizes()).startsWith(7, 4).endsWith(1);
    }

    /** Base64 of numbers, as servers send them. */
    private static String packed(float[] vector, ByteOrder order, int from, int to) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (float number : vector) {
            byte[] all = ByteBuffer.allocate(Float.BYTES)
                    .order(order)
                    .putFloat(number)
                    .array();
            bytes.write(all, from, to - from);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private void answer(Function<float[], String> embedding) {
        server.order((exchange, request) -> {
            List<String> texts = request.texts("input");
            FakeApi.ok(IntStream.range(0, texts.size())
                            .mapToObj(i -> "{\"index\": " + i + ", \"embedding\": \""
                                    + embedding.apply(Fakes.vector(texts.get(i))) + "\"}")
                            .collect(Collectors.joining(", ", "{\"data\": [", "]}")))
                    .send(exchange, request);
        });
    }

    @Test
    void base64IsReadAsLittleEndianFloats() {
        answer(vector -> packed(vector, ByteOrder.LITTLE_ENDIAN, 0, Float.BYTES));
        String[] texts = texts(5);
        assertThat(vectors(encode("", texts)))
                .isDeepEqualTo(Arrays.stream(texts).map(Fakes::vector).toArray(float[][]::new));
    }

    /** Of other bytes no number is read. */
    @Test
    void base64OfOtherNumbersIsRefused() {
        List<Function<float[], String>> others = List.of(
                vector -> packed(vector, ByteOrder.BIG_ENDIAN, 0, Float.BYTES),
                // bfloat16, alone and in 32 bits, big-endian: tiny numbers if read as little-endian.
                vector -> packed(vector, ByteOrder.LITTLE_ENDIAN, 2, Float.BYTES),
                vector -> packed(new float[] {1, 2, -0.5f}, ByteOrder.BIG_ENDIAN, 0, Float.BYTES),
                vector -> packed(new float[] {1, 2, 3, 4}, ByteOrder.LITTLE_ENDIAN, 0, Float.BYTES),
                vector -> "",
                vector -> "0.5, 0.25, 0.125");
        for (Function<float[], String> other : others) {
            answer(other);
            assertThatThrownBy(() -> encode("", texts(2)))
                    .as(other.apply(new float[] {1, 2, 3}))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("base64");
        }
    }

    /** Half as many 32-bit floats are as many 16-bit ones. */
    @Test
    void base64DoesNotTellTheDimension() {
        answer(vector -> packed(vector, ByteOrder.LITTLE_ENDIAN, 0, Float.BYTES));
        try (ApiEncoder api = api("", Fakes.ENVIRONMENT)) {
            assertThatThrownBy(api::askDimension)
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("dimension");
        }
    }

    /** The server's own words say that no text is the reason. */
    @Test
    void aRefusalOfAllTextsEndsWithTheFirst() {
        refuse(texts -> true, 400, "{\"message\": \"no such model\"}");
        assertThatThrownBy(() -> encode("", texts(7)))
                .hasMessageContaining("answered 400: no such model; asked about the text that begins \"x\"");
        assertThat(sizes()).containsExactly(7, 4, 2, 1);
        assertThat(said).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429, 503})
    void otherRefusalsAreNotHalved(int status) {
        refuse(texts -> texts.size() > 4, status, "{\"message\": \"too many inputs, too many tokens\"}");
        assertThatThrownBy(() -> encode("", texts(7)))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("answered " + status + ": too many inputs");
        assertThat(sizes()).containsOnly(7).hasSize(status < 429 ? 1 : 6);
    }

    /** As llama.cpp refuses a text that is larger than its buffers. */
    @Test
    void aTextThatAServerFailsWithIsFoundByHalvingAndSkippedOnRequest() {
        String[] texts = {"a", "bad text", "c"};
        refuse(some -> some.contains("bad text"), 500, "{\"error\": {\"message\": \"input is too large\"}}");
        ApiException among = catchThrowableOfType(ApiException.class, () -> encode("", texts));
        assertThat(among.isOf("bad text")).isTrue();
        assertThat(among).hasMessageContainingAll("answered 500: input is too large", "\"bad text\"");
        assertThat(pauses).hasSizeLessThan(6);

        float[][] vectors = vectors(encode("skip-refused: true", texts));
        assertThat(vectors[1]).containsOnly(0);
        assertThat(vectors[0]).isNotEqualTo(vectors[1]);
        assertThat(vectors[2]).isNotEqualTo(vectors[1]);
        assertThat(said).filteredOn(line -> line.contains("skipped")).hasSize(1);
    }

    /** A server that is not well is no reason to leave texts out. */
    @Test
    void aServerThatFailsWithAllTextsIsTriedAsUsual() {
        refuse(some -> true, 500, "{\"error\": {\"message\": \"no\"}}");
        assertThatThrownBy(() -> encode("skip-refused: true", texts(7)))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("failed 6 times");
    }

    /** Answers as the servers write them, cut to one text of three numbers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text-embeddings-inference|{\"object\":\"list\",\"data\":[{\"object\":\"embedding\",\"embedding\":[1.0,2.0,3.0],\"index\":0}],\"model\":\"m\",\"usage\":{\"prompt_tokens\":3,\"total_tokens\":3}}",
                "infinity|{\"object\":\"list\",\"data\":[{\"object\":\"embedding\",\"embedding\":[1.0,2.0,3.0],\"index\":0}],\"model\":\"m\",\"usage\":{\"prompt_tokens\":1,\"total_tokens\":1},\"id\":\"infinity-8d7c\",\"created\":1764000000}",
                "vLLM|{\"id\":\"embd-5f\",\"object\":\"list\",\"created\":1764000000,\"model\":\"m\",\"data\":[{\"index\":0,\"object\":\"embedding\",\"embedding\":[1.0,2.0,3.0]}],\"usage\":{\"prompt_tokens\":3,\"total_tokens\":3,\"completion_tokens\":0,\"prompt_tokens_details\":null}}",
                "llama.cpp|{\"model\":\"m\",\"object\":\"list\",\"usage\":{\"prompt_tokens\":3,\"total_tokens\":3},\"data\":[{\"embedding\":[1.0,2.0,3.0],\"index\":0,\"object\":\"embedding\"}]}",
                "Ollama's /v1|{\"object\":\"list\",\"data\":[{\"object\":\"embedding\",\"embedding\":[1,2,3],\"index\":0}],\"model\":\"m\",\"usage\":{\"prompt_tokens\":3,\"total_tokens\":3}}",
                "LM Studio|{\"object\":\"list\",\"data\":[{\"object\":\"embedding\",\"embedding\":[1,2,3],\"index\":0}],\"model\":\"m\",\"usage\":{\"prompt_tokens\":0,\"total_tokens\":0}}",
            })
    void answersOfServersAreRead(String server, String answer) {
        this.server.order(FakeApi.ok(answer));
        assertThat(vectors(encode("", "a"))[0]).as(server).containsExactly(1, 2, 3);
    }

    /** As some servers that speak like OpenAI answer. */
    @ParameterizedTest
    @CsvSource({"'\"index\": \\d+, '", "'\"index\": \\d+'"})
    void vectorsWithoutIndexAreInTheOrderOfTheTexts(String pattern) {
        boolean isAbsent = pattern.endsWith(" ");
        StandInServer.Answer answer = (exchange, request) -> FakeApi.ok(
                        Fakes.indexed(request.texts("input").reversed())
                                .replaceAll(pattern, isAbsent ? "" : "\"index\": 0"))
                .send(exchange, request);
        float[][] usual = vectors(encode("", "a", "bbb", "cc"));
        server.order(answer);
        assertThat(vectors(encode("", "a", "bbb", "cc"))).isDeepEqualTo(usual);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[1, NaN, 3]", "[1, 2, null]", "[1, -Infinity, 3]"})
    void aTextWithoutAVectorIsNamed(String vector) {
        // In another order than the texts'.
        server.order(FakeApi.ok("{\"data\": [{\"index\": 1, \"embedding\": " + vector
                + "}, {\"index\": 0, \"embedding\": [1, 2, 3]}]}"));
        ApiException refused = catchThrowableOfType(ApiException.class, () -> encode("", "a", "bad text"));
        assertThat(refused).hasMessageContainingAll("cannot be used", "\"bad text\"");
        assertThat(refused.isOf("bad text")).isTrue();
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aPlaceThatNoTextHasIsNotNamed() {
        server.order(FakeApi.ok("{\"data\": [{\"index\": 7, \"embedding\": null}]}"));
        assertThatThrownBy(() -> encode("", "a"))
                .isInstanceOf(ApiException.class)
                .hasMessageEndingWith("an item without \"embedding\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\": {\"message\": \"HTTP 429: call rate limit exceeded\", \"code\": 429}}",
                "{\"error\": {\"message\": \"HTTP 429: call rate limit exceeded\", \"code\": \"429\"}}",
                "{\"error\": {\"message\": \"HTTP 429: call rate limit exceeded\"}, \"data\": null}",
                "{\"message\": \"HTTP 429: call rate limit exceeded\"}",
                "{\"status\": 503, \"detail\": \"HTTP 429: call rate limit exceeded\"}",
                "{\"detail\": \"HTTP 429: call rate limit exceeded\"}"
            })
    void anErrorInsideAnAnswerIsTriedAgain(String body) {
        server.order(FakeApi.ok(body), FakeApi.ok(body));
        assertThat(encode("", "a")).hasSize(1);
        assertThat(pauses).hasSize(2);
        assertThat(said.getFirst())
                .contains("answered 200 with an error: HTTP 429: call rate limit exceeded; try 2 of 6");
        assertThat(meter.figures()).containsEntry("api_calls", 1L).containsEntry("api_retries", 2L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}} | You exceeded your current quota
            {"error": {"message": "no such model", "code": 404}}                                     | no such model
            {"detail": "not today", "status": 403}                                                   | not today
            """)
    void otherErrorsInsideAnAnswerSayTheVendorsWords(String body, String words) {
        server.order(FakeApi.ok(body));
        assertThatThrownBy(() -> encode("", "a"))
                .isInstanceOf(ApiException.class)
                .hasMessageEndingWith("answered 200 with an error: " + words);
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aRefusedFieldIsNamedAndCanBeOmitted() {
        server.order(FakeApi.status(
                422,
                "{\"detail\": [{\"type\": \"extra_forbidden\", \"loc\": [\"body\", \"encoding_format\"], \"msg\":"
                        + " \"Extra inputs are not permitted\"}]}"));
        ApiException refused = catchThrowableOfType(ApiException.class, () -> encode("", "a"));
        assertThat(refused).hasMessageContaining("answered 422: encoding_format: Extra inputs are not permitted; ");
        assertThat(refused.steps().getFirst()).contains("omit: [encoding_format]");
        encode("omit: [encoding_format, model]", "a");
        assertThat(server.seen().getLast().body()).containsOnlyKeys("input");
    }

    @Test
    void headersHoldKeysOfTheEnvironmentAndAddressesHaveQueries() {
        encode("headers: {api-key: $TEST_KEY}", "a");
        StandInServer.Seen seen = server.seen().getFirst();
        assertThat(seen.header("api-key")).isEqualTo(Fakes.KEY);
        assertThat(seen.authorization()).isNull();
        assertThat(seen.uri()).hasQuery("api-version=2024-02-01");
        server.order(FakeApi.status(401, "{\"message\": \"wrong key " + Fakes.KEY + "\"}"));
        assertThatThrownBy(() -> encode("headers: {api-key: $TEST_KEY}", "a"))
                .hasMessageEndingWith("answered 401: wrong key ***");
        assertThatThrownBy(() -> api("headers: {api-key: $TEST_KEY}", Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("TEST_KEY");
    }

    @Test
    void aKeyThatIsNotAcceptedMayBelongInAnotherHeader() {
        server.order(FakeApi.status(401, "{\"message\": \"no\"}"));
        ApiException refused = catchThrowableOfType(ApiException.class, () -> encode("key: TEST_KEY", "a"));
        assertThat(refused.steps().getFirst()).contains("headers: {api-key: $VARIABLE}");
    }

    @Test
    void longTextsAreCutAndCounted() {
        String text = "word ".repeat(20);
        String astral = "\ud83d\ude00".repeat(30);
        List<TextEncoder.Encoded> encoded = encode("max-tokens: 30\ndocument-prompt: 'P: '", text, "short", astral);
        // 20 tokens of 3 ASCII characters, the prompt's included; other characters are one token each unit.
        assertThat(server.seen().getFirst().texts("input"))
                .containsExactly("P: " + text.substring(0, 57), "P: short", "P: " + astral.substring(0, 18));
        assertThat(encoded).extracting(TextEncoder.Encoded::seen).containsExactly(57, TextEncoder.WHOLE, 18);
        assertThat(said).hasSize(1);
        assertThat(said.getFirst()).contains("max-tokens 30").contains(CallEstimate.BASIS);
        try (ApiEncoder api = api("max-tokens: 30", Map.of())) {
            assertThat(api.estimate(List.of(text, "short"), Role.QUERY).tokens())
                    .isEqualTo(30 + 12);
            // What is cached is of the part that is sent, and of no text that was sent whole.
            String sent = text.substring(0, 60);
            assertThat(api.cachedAs(text, Role.QUERY))
                    .isEqualTo(api.cachedAs(sent + "other words", Role.QUERY))
                    .isNotIn(text, sent);
            assertThat(api.cachedAs("short", Role.QUERY)).isEqualTo("short");
        }
    }

    record NamedService(String name, @JsonUnwrapped EmbeddingSettings service) {}

    @Test
    void aPartThatTheTokenizerCutsIsWithinTheLimit(@TempDir Path temp) throws IOException {
        try (InputStream file = ServiceCasesTest.class.getResourceAsStream("/all-minilm-l6-v2-tokenizer.json")) {
            Files.write(
                    temp.resolve("tokenizer.json"), Objects.requireNonNull(file).readAllBytes());
        }
        String text = "Café 🦉 owl 狐狸, hydrangeaceous 👩‍👩‍👧 end ".repeat(9);
        for (int limit = 5; limit < 40; limit++) {
            String recipe = "name: x\nservice: voyage\nmodel: m\ndimension: 3\nmax-tokens: " + limit
                    + "\ntokenizer: {folder: " + temp + "}\ndocument-prompt: 'to '";
            EmbeddingSettings settings = Json.settings(Fakes.recipe(recipe), NamedService.class).service;
            try (TextReader cutter = settings.cutter(Sessions.in(temp))) {
                String sent = text.substring(0, cutter.seen(text, Role.PASSAGE));
                assertThat(sent).isNotEmpty();
                assertThat(cutter.seen(sent, Role.PASSAGE)).isEqualTo(TextEncoder.WHOLE);
                assertThat(settings.reader()).isNotNull();
            }
        }
    }

    @Test
    void aServiceThatCutsIsLeftToIt() {
        Function<String, EmbeddingSettings> settings =
                service -> Fakes.embedding("service: " + service + "\nmodel: m\ndimension: 3\nmax-tokens: 30");
        String text = "word ".repeat(100);
        assertThat(settings.apply("voyage").cutter(Sessions.in(Path.of(""))).seen(text, Role.PASSAGE))
                .isEqualTo(TextEncoder.UNKNOWN);
        assertThat(settings.apply("voyage").reader()).isNull();
        assertThat(settings.apply("openai").cutter(Sessions.in(Path.of(""))).seen(text, Role.PASSAGE))
                .isEqualTo(60);
        assertThat(settings.apply("openai").reader()).isNotNull();
    }

    @Test
    void anUntrustedCertificateSaysHowToAddIt(@TempDir Path temp) throws Exception {
        Path store = temp.resolve("own.p12");
        char[] password = "changeit".toCharArray();
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(password))
                .redirectErrorStream(true)
                .start();
        String words = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(words).isZero();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(store.toFile(), password), password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer own = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        own.setHttpsConfigurator(new HttpsConfigurator(context));
        own.start();
        EmbeddingSettings settings =
                Fakes.embedding("service: openai\nmodel: m\ndimension: 3\nendpoint: https://127.0.0.1:"
                        + own.getAddress().getPort() + "/v1");
        try (ApiEncoder api = new ApiEncoder(
                settings,
                new ApiConnection(
                        settings.api(),
                        Map.of(),
                        meter,
                        CallLimit.none(),
                        said::add,
                        Fakes.patience(Duration.ofSeconds(20), pauses)),
                Sessions.in(Path.of("home")))) {
            ApiException refused =
                    catchThrowableOfType(ApiException.class, () -> api.embed(List.of("a"), Role.PASSAGE));
            assertThat(refused).hasMessageContaining("its certificate is not trusted");
            assertThat(refused.steps().getFirst()).contains("keytool -importcert", "javax.net.ssl.trustStore");
            assertThat(pauses).isEmpty();
        } finally {
            own.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void noMoreCallsAtOnceThanTheRecipeSays(int most) {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();
        StandInServer.Answer slow = (exchange, request) -> {
            peak.accumulateAndGet(open.incrementAndGet(), Math::max);
            Thread.sleep(20);
            open.decrementAndGet();
            right().send(exchange, request);
        };
        server.order(Collections.nCopies(12, slow).toArray(StandInServer.Answer[]::new));
        assertThat(encode("texts-per-call: 1\ncalls-at-once: " + most, texts(12)))
                .allMatch(Objects::nonNull);
        assertThat(peak.get()).isBetween(1, most);
    }
}
