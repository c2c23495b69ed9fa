package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiEncoderTest {
    private final ApiMeter meter = new ApiMeter();
    private final List<String> said = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private FakeApi server = new FakeApi(request -> Fakes.indexed(request.texts("input")));

    @AfterEach
    void close() {
        server.close();
    }

    private void answer(Function<StandInServer.Seen, String> usual) {
        server.close();
        server = new FakeApi(usual);
    }

    private ApiEncoder api(String service, String more) {
        EmbeddingSettings settings = Fakes.embedding("service: " + service + "\nendpoint: " + server.address()
                + "/path\nmodel: model-1\nkey: TEST_KEY\ndimension: 3\nnormalise: false\n" + more);
        return new ApiEncoder(
                settings,
                new ApiConnection(
                        settings.api(),
                        Fakes.ENVIRONMENT,
                        meter,
                        CallLimit.none(),
                        said::add,
                        Fakes.patience(Duration.ofSeconds(20), pauses)),
                Sessions.in(Path.of("home")));
    }

    private float[][] embed(String service, String more, boolean query, String... texts) {
        try (ApiEncoder api = api(service, more)) {
            float[][] vectors = new float[texts.length][];
            api.prepare(List.of(texts), query ? Role.QUERY : Role.PASSAGE)
                    .run(batch -> batch.forEach(one -> vectors[one.text()] = one.vectors()));
            return vectors;
        }
    }

    private StandInServer.Seen only() {
        assertThat(server.seen()).hasSize(1);
        StandInServer.Seen seen = server.seen().getFirst();
        assertThat(seen.method()).isEqualTo("POST");
        assertThat(seen.path()).isEqualTo("/path");
        assertThat(seen.authorization()).isEqualTo("Bearer " + Fakes.KEY);
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
        assertThat(seen.header("Upgrade")).isNull();
        return seen;
    }

    private static float[][] vectors(String... texts) {
        return Arrays.stream(texts).map(Fakes::vector).toArray(float[][]::new);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            openai | input: [where?, a, bcd], encoding_format: float, dimensions: 3
            voyage | input: [where?, a, bcd], input_type: query, truncation: true, output_dimension: 3
            jina   | input: [where?, a, bcd], task: retrieval.query, embedding_type: float, truncate: true, dimensions: 3
            cohere | texts: [where?, a, bcd], input_type: search_query, embedding_types: [float], truncate: END, output_dimension: 3
            """)
    void eachServiceIsAskedInItsOwnForm(String service, String body) {
        if (service.equals("cohere")) {
            answer(request -> Fakes.cohere(request.texts("texts")));
        }
        float[][] vectors = embed(service, "request-dimension: true", true, "where?", "a", "bcd");
        assertThat(vectors).isDeepEqualTo(vectors("where?", "a", "bcd"));
        assertThat(only().body())
                .isEqualTo(Fakes.recipe("{model: model-1, " + body + "}").toMap());
        assertThat(meter.figures()).containsEntry("api_tokens", 7L);
    }

    @Test
    void openAiIsNotAskedForADimensionUnlessTheRecipeSaysSo() {
        embed("openai", "", false, "a");
        assertThat(only().body()).doesNotContainKey("dimensions");
    }

    @ParameterizedTest
    @CsvSource({
        "voyage, input_type, document, truncation, false",
        "cohere, input_type, search_document, truncate, NONE",
        "jina, task, retrieval.passage, truncate, false"
    })
    void documentsHaveAnotherTypeAndNeedNotBeCut(
            String service, String typeField, String type, String truncateField, String truncate) {
        if (service.equals("cohere")) {
            answer(request -> Fakes.cohere(request.texts("texts")));
        }
        embed(service, "truncate: false", false, "a");
        Map<String, ?> body = only().body();
        assertThat(body.get(typeField)).isEqualTo(type);
        assertThat(body.get(truncateField)).hasToString(truncate);
    }

    @Test
    void typesOfARecipeWinAndAnEmptyOneIsNotSent() {
        embed("jina", "query-type: text-matching", true, "a");
        embed("jina", "query-type: ''", true, "a");
        assertThat(server.seen().get(0).body()).containsEntry("task", "text-matching");
        assertThat(server.seen().get(1).body()).doesNotContainKey("task");
    }

    @Test
    void halvesOfCharactersAreSentAsQuestionMarks() {
        embed("openai", "", false, "a", "\ud800b");
        assertThat(only().texts("input")).containsExactly("a", "?b");
    }

    @Test
    void blankTextsAreNotSentAndHaveZeroVectors() {
        String prompt = "document-prompt: 'D: '";
        float[][] vectors = embed("openai", prompt, false, "", "a", " \n\u2003", "b");
        assertThat(only().texts("input")).containsExactly("D: a", "D: b");
        assertThat(vectors)
                .isDeepEqualTo(new float[][] {{0, 0, 0}, Fakes.vector("D: a"), {0, 0, 0}, Fakes.vector("D: b")});
        try (ApiEncoder api = api("openai", "")) {
            assertThat(api.estimate(List.of("", "a", " "), Role.PASSAGE).texts())
                    .isEqualTo(1);
            assertThat(api.estimate(List.of(" "), Role.PASSAGE).calls()).isZero();
        }
    }

    @Test
    void noTextsAreNoCall() {
        assertThat(embed("openai", "", false)).isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void callsStayWithinTextsPerCallInOrder() {
        String[] texts = IntStream.range(0, 10).mapToObj(i -> "x".repeat(i + 1)).toArray(String[]::new);
        assertThat(embed("openai", "texts-per-call: 4", false, texts)).isDeepEqualTo(vectors(texts));
        assertThat(server.seen().stream().map(seen -> seen.texts("input").size()))
                .containsExactlyInAnyOrder(4, 4, 2);
        assertThat(meter.figures()).containsEntry("api_calls", 3L);
    }

    @Test
    void callsStayWithinTokensPerCall() {
        // 300 characters are estimated at 110 tokens.
        String text = "x".repeat(300);
        embed("openai", "tokens-per-call: 250", false, text, text, text, "y".repeat(3000), text);
        assertThat(server.seen().stream().map(seen -> seen.texts("input").size()))
                .containsExactlyInAnyOrder(2, 1, 1, 1);
    }

    @Test
    void costsAreCounted() {
        embed("openai", "price-per-million-tokens: 0.13", false, "a");
        assertThat(meter.cost()).hasValue(7 * 0.13 / 1e6);
        assertThat(meter).hasToString("1 call, 7 tokens, 0.0000 USD");
        embed("openai", "", false, "a");
        assertThat(meter.cost()).isEmpty();
    }

    @Test
    void costsAreUnknownWhenTheAnswerDoesNotSayHowManyTokens() {
        server.order(FakeApi.ok("{\"data\": [{\"index\": 0, \"embedding\": [1, 2, 3]}]}"));
        embed("openai", "price-per-million-tokens: 0.13", false, "a");
        assertThat(meter.figures()).containsEntry("api_calls", 1L);
        assertThat(meter.cost()).isEmpty();
    }

    @Test
    void numbersBecomeTheNearestFloat() {
        // Through a double this would round twice, and down: it is just above the middle between two floats.
        server.order(FakeApi.ok("{\"data\": [{\"index\": 0, \"embedding\": [1.00000017881393432617187499, 2, 3]}]}"));
        assertThat(embed("openai", "", false, "a")[0][0])
                .isEqualTo(Float.parseFloat("1.00000017881393432617187499"))
                .isNotEqualTo((float) Double.parseDouble("1.00000017881393432617187499"));
    }

    @Test
    void severalThreadsMayCallAtOnce() {
        List<String> texts =
                IntStream.range(0, 40).mapToObj(i -> "t".repeat(i + 1)).toList();
        try (ApiEncoder api = api("openai", "")) {
            List<float[]> vectors = texts.parallelStream()
                    .map(text -> api.embed(List.of(text), Role.PASSAGE).getFirst())
                    .toList();
            assertThat(vectors.toArray(new float[0][])).isDeepEqualTo(vectors(texts.toArray(new String[0])));
        }
        assertThat(meter.figures()).containsEntry("api_calls", 40L);
        assertThat(meter.figures()).containsEntry("api_tokens", 280L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                            | no field "data"
            {"data": []}                                                                  | 0 results for 2 texts
            {"data": [{"index": 0, "embedding": [1, 2, 3]}]}                              | 1 result for 2 texts
            {"data": [{"index": 1, "embedding": [1,2,3]}, {"index": 1, "embedding": [1,2,3]}]} | index 1 twice
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 2, "embedding": [1,2,3]}]} | index 2 but only 0 to 1
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": -1, "embedding": [1,2,3]}]} | index -1 but only 0 to 1
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"embedding": [1,2,3]}]}        | an item without "index"
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1}]}                  | an item without "embedding"
            {"data": [{"index": 0, "embedding": [1,2,3]}, null]}                          | an item without "index"
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1, "embedding": [1,2]}]} | a vector has 2 numbers, and the recipe says dimension 3
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1, "embedding": [1,2,NaN]}]} | a vector holds null or NaN
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1, "embedding": [1,2,1e39]}]} | a vector holds Infinity
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1, "embedding": [1,2,null]}]} | a vector holds null or NaN
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1.5, "embedding": [1,2,3]}]} | JSON of another shape
            {"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 1, "embedding": [1,2,"x"]}]} | JSON of another shape
            {"data": 5}                                                                   | JSON of another shape
            []                                                                            | JSON of another shape
            null                                                                          | null
            """)
    void wrongAnswersAreRefusedAtOnce(String json, String problem) {
        server.order(FakeApi.ok(json));
        assertThatThrownBy(() -> embed("openai", "", false, "a", "b"))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("the answer of openai at " + server.host() + " cannot be used: ")
                .hasMessageContaining(problem);
        assertThat(server.seen()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"embeddings": {"int8": [[1]]}}           | no field "embeddings.float"
            {"id": "x"}                               | no field "embeddings.float"
            {"embeddings": {"float": [[1, 2, 3]]}}    | 1 result for 2 texts
            {"embeddings": {"float": [[1, 2, 3], null]}} | an item without "embedding"
            {"embeddings": [[1, 2, 3], [1, 2, 3]]}    | JSON of another shape
            """)
    void wrongAnswersOfCohereAreRefusedAtOnce(String json, String problem) {
        server.order(FakeApi.ok(json));
        assertThatThrownBy(() -> embed("cohere", "", false, "a", "b"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("cohere at " + server.host())
                .hasMessageContaining(problem);
        assertThat(server.seen()).hasSize(1);
    }
}
