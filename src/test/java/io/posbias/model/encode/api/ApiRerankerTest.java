package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.StandInServer;
import io.posbias.model.encode.CallLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiRerankerTest {
    private static final String USAGE = "\"usage\": {\"total_tokens\": 26}";

    private final ApiMeter meter = new ApiMeter();
    private final List<Duration> pauses = new ArrayList<>();
    private FakeApi server = new FakeApi(request -> Fakes.ranked(request.texts("documents"), "results", USAGE));

    @AfterEach
    void close() {
        server.close();
    }

    private void answer(Function<StandInServer.Seen, String> usual) {
        server.close();
        server = new FakeApi(usual);
    }

    private float[] score(String service, String more, String query, List<String> passages) {
        RerankSettings settings = Fakes.reranking("service: " + service + "\nendpoint: " + server.address()
                + "/path\nmodel: model-1\nkey: TEST_KEY\n" + more);
        try (ApiReranker api = new ApiReranker(
                settings,
                new ApiConnection(
                        settings.api(),
                        Fakes.ENVIRONMENT,
                        meter,
                        CallLimit.none(),
                        line -> {},
                        Fakes.patience(Duration.ofSeconds(20), pauses)))) {
            return api.score(query, passages);
        }
    }

    private Map<String, ?> onlyBody() {
        assertThat(server.seen()).hasSize(1);
        assertThat(server.seen().getFirst().authorization()).isEqualTo("Bearer " + Fakes.KEY);
        return server.seen().getFirst().body();
    }

    private static float[] scores(String... passages) {
        float[] scores = new float[passages.length];
        for (int i = 0; i < passages.length; i++) {
            scores[i] = Fakes.score(passages[i]);
        }
        return scores;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            voyage | data    | truncation: true, return_documents: false
            jina   | results | return_documents: false
            """)
    void tokensAreCounted(String service, String results, String body) {
        answer(request -> Fakes.ranked(request.texts("documents"), results, USAGE));
        isAsked(service, "", body);
        assertThat(meter.figures()).containsEntry("api_tokens", 26L);
    }

    @Test
    void cohereCountsSearches() {
        answer(request -> Fakes.ranked(
                request.texts("documents"),
                "results",
                "\"id\": \"x\", \"meta\": {\"billed_units\": {\"search_units\": 1.0}}"));
        isAsked("cohere", "max-tokens: 4096", "max_tokens_per_doc: 4096");
        assertThat(meter.figures()).containsEntry("api_searches", 1L);
        assertThat(meter).hasToString("1 call, 0 tokens, 1 search");
    }

    private void isAsked(String service, String more, String body) {
        assertThat(score(service, more, "who?", List.of("aaa", "b"))).containsExactly(scores("aaa", "b"));
        assertThat(onlyBody())
                .isEqualTo(Fakes.recipe("{model: model-1, query: who?, documents: [aaa, b], " + body + "}")
                        .toMap());
    }

    @Test
    void callsStayWithinDocumentsPerCallInOrder() {
        List<String> passages = List.of("a", "bb", "ccc", "dddd", "eeeee");
        assertThat(score("jina", "documents-per-call: 2", "who?", passages))
                .containsExactly(scores(passages.toArray(new String[0])));
        assertThat(server.seen().stream().map(seen -> seen.texts("documents").size()))
                .containsExactly(2, 2, 1);
    }

    @Test
    void callsStayWithinVoyagesTokensTheQueryCountedOncePerDocument() {
        answer(request -> Fakes.ranked(request.texts("documents"), "data", USAGE));
        // 100,010 tokens are estimated for each document, and as many for the query each time: two such pairs a call.
        String passage = "x".repeat(300_000);
        score("voyage", "", passage, List.of(passage, passage, passage, passage));
        assertThat(server.seen().stream().map(seen -> seen.texts("documents").size()))
                .containsExactly(2, 2);
    }

    @Test
    void aServiceThatTakesFewerDocumentsIsAskedAboutHalfAsMany() {
        StandInServer.Answer answer = (exchange, request) -> {
            List<String> documents = request.texts("documents");
            FakeApi.status(
                            documents.size() > 2 ? 422 : 200,
                            documents.size() > 2
                                    ? "{\"detail\": \"batch size over 2\"}"
                                    : Fakes.ranked(documents, "results", USAGE))
                    .send(exchange, request);
        };
        server.order(Collections.nCopies(20, answer).toArray(StandInServer.Answer[]::new));
        assertThat(score("jina", "", "where", List.of("a", "bb", "ccc", "dddd", "eeeee")))
                .containsExactly(scores("a", "bb", "ccc", "dddd", "eeeee"));
    }

    @Test
    void emptyTextsAreSentAsASpace() {
        score("jina", "", "", List.of("", "b"));
        assertThat(onlyBody().get("query")).isEqualTo(" ");
        assertThat(server.seen().getFirst().texts("documents")).containsExactly(" ", "b");
    }

    @Test
    void noPassagesAreNoCall() {
        assertThat(score("jina", "", "who?", List.of())).isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"data": [{"index": 0, "relevance_score": 1}]}                                          | no field "results"
            {"results": [{"index": 0, "relevance_score": 1}]}                                       | 1 result for 2 texts
            {"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 1}]}   | index 0 twice
            {"results": [{"index": 0, "relevance_score": 1}, {"index": 7, "relevance_score": 1}]}   | index 7 but only 0 to 1
            {"results": [{"index": 0, "relevance_score": 1}, {"index": 1}]}                         | an item without "relevance_score"
            {"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": NaN}]} | a score is NaN
            {"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": "9"}]} | JSON of another shape
            """)
    void wrongAnswersAreRefusedAtOnce(String json, String problem) {
        server.order(FakeApi.ok(json));
        assertThatThrownBy(() -> score("cohere", "", "who?", List.of("a", "b")))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("the answer of cohere at " + server.host() + " cannot be used: ")
                .hasMessageContaining(problem);
        assertThat(server.seen()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500})
    void busyServersAreAskedAgain(int status) {
        server.order(FakeApi.status(status, "{\"message\": \"busy\"}"));
        assertThat(score("cohere", "", "who?", List.of("a"))).containsExactly(scores("a"));
        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
        assertThat(meter.figures()).containsEntry("api_retries", 1L);
    }
}
