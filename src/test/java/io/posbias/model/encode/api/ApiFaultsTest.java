package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiFaultsTest {
    private static final String GOOD =
            "{\"data\": [{\"index\": 0, \"embedding\": [1, 2, 3]}], \"usage\": {\"total_tokens\": 1}}";

    private final ApiMeter meter = new ApiMeter();
    private final List<String> said = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final FakeApi server = new FakeApi(request -> GOOD);

    @AfterEach
    void close() {
        server.close();
    }

    private float[][] embed() {
        return embed(server.address(), Fakes.patience(Duration.ofSeconds(20), pauses));
    }

    private float[][] embed(String address, RetryPolicy patience) {
        EmbeddingSettings settings =
                Fakes.embedding("service: openai\nendpoint: " + address + "/v1\nmodel: m\nkey: TEST_KEY\ndimension: 3");
        try (ApiEncoder api = new ApiEncoder(
                settings,
                new ApiConnection(settings.api(), Fakes.ENVIRONMENT, meter, CallLimit.none(), said::add, patience),
                Sessions.in(Path.of("home")))) {
            return api.embed(List.of("text"), Role.PASSAGE).toArray(new float[0][]);
        }
    }

    private void cameRightAtSecondTry() {
        assertThat(server.seen()).hasSize(2);
        assertThat(server.seen().get(1).body()).isEqualTo(server.seen().get(0).body());
        assertThat(pauses).hasSize(1);
        assertThat(said).hasSize(1);
        assertThat(meter.figures()).containsEntry("api_calls", 1L);
        assertThat(meter.figures()).containsEntry("api_retries", 1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 425, 429, 500, 502, 503, 504, 524, 529})
    void whatMayPassIsTriedAgain(int status) {
        server.order(FakeApi.status(status, "{\"error\": {\"message\": \"busy\\nnow\"}}"));
        assertThat(embed()).isDeepEqualTo(new float[][] {{1, 2, 3}});
        cameRightAtSecondTry();
        assertThat(said.getFirst())
                .isEqualTo("openai at " + server.host() + ": answered " + status + ": busy now; try 2 of 6 in 1 s");
    }

    @ParameterizedTest
    @CsvSource({
        "Retry-After, 7, 7000",
        "Retry-After, 1.5, 1500",
        "Retry-After, 0, 0",
        "Retry-After, 86400, 120000",
        "Retry-After, soon, 1000",
        "Retry-After, -3, 1000",
        "retry-after-ms, 250, 250"
    })
    void pausesAreAsLongAsTheServerAsks(String header, String value, long milliseconds) {
        server.order(FakeApi.status(429, "", header, value));
        embed();
        assertThat(pauses).containsExactly(Duration.ofMillis(milliseconds));
    }

    @Test
    void millisecondsWinOverSeconds() {
        server.order(FakeApi.status(429, "", "Retry-After", "9", "retry-after-ms", "40"));
        embed();
        assertThat(pauses).containsExactly(Duration.ofMillis(40));
    }

    @Test
    void pausesLastUntilADate() {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(40));
        server.order(FakeApi.status(503, "", "Retry-After", date));
        embed();
        assertThat(pauses).hasSize(1);
        assertThat(pauses.getFirst()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));
    }

    @Test
    void aDateThatIsOverIsNoPause() {
        server.order(FakeApi.status(503, "", "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"));
        embed();
        assertThat(pauses).containsExactly(Duration.ZERO);
    }

    @Test
    void triesAreBoundedAndPausesDouble() {
        server.order(Collections.nCopies(20, FakeApi.status(500, "{\"message\": \"no\"}"))
                .toArray(StandInServer.Answer[]::new));
        assertThatThrownBy(this::embed)
                .isInstanceOf(ApiException.class)
                .hasMessageContainingAll(server.host(), "6 times", "500: no");
        assertThat(server.seen()).hasSize(6);
        assertThat(pauses)
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(8),
                        Duration.ofSeconds(16));
        assertThat(said).hasSize(5);
    }

    @Test
    void pausesThatAreAskedForAreBounded() {
        server.order(Collections.nCopies(20, FakeApi.status(429, "", "Retry-After", "600"))
                .toArray(StandInServer.Answer[]::new));
        assertThatThrownBy(this::embed).hasMessageContaining("failed 6 times");
        assertThat(pauses).hasSize(5).containsOnly(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 402, 403, 404, 413, 422, 501})
    void whatStaysFailsAtOnceWithTheVendorsWords(int status) {
        server.order(FakeApi.status(status, "{\"error\": {\"message\": \"not\\r\\n  so\"}}"));
        assertThatThrownBy(this::embed)
                .isInstanceOf(ApiException.class)
                .hasMessage("openai at " + server.host() + " answered " + status + ": not so");
        assertThat(server.seen()).hasSize(1);
        assertThat(pauses).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"message": "words"}                                       | answered 400: words
            {"detail": "words"}                                        | answered 400: words
            {"detail": [{"loc": ["body"], "msg": "words", "type": "x"}]} | answered 400: words
            {"error": "words", "error_type": "Validation"}             | answered 400: words
            {"other": 1}                                               | answered 400: {"other": 1}
            <html><body>no</body></html>                               | answered 400: a web page
            plain                                                      | answered 400: plain
            """)
    void vendorsSayItInManyPlaces(String body, String message) {
        server.order(FakeApi.status(400, body));
        assertThatThrownBy(this::embed).hasMessageEndingWith(message);
    }

    @Test
    void longWordsAreCutToALine() {
        server.order(FakeApi.status(400, "{\"message\": \"" + "x".repeat(2000) + "\"}"));
        assertThatThrownBy(this::embed)
                .hasMessage("openai at " + server.host() + " answered 400: " + "x".repeat(299) + "…");
    }

    @Test
    void aSpentQuotaDoesNotComeBackByWaiting() {
        server.order(FakeApi.status(
                429, "{\"error\": {\"message\": \"You exceeded your quota\", \"code\": \"insufficient_quota\"}}"));
        assertThatThrownBy(this::embed).hasMessageContaining("answered 429: You exceeded your quota");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void redirectsAreNotFollowed() {
        try (FakeApi other = new FakeApi(request -> GOOD)) {
            server.order(FakeApi.status(307, "", "Location", other.address() + "/v1"));
            assertThatThrownBy(this::embed).hasMessage("openai at " + server.host() + " answered 307");
            assertThat(other.seen()).isEmpty();
        }
    }

    @Test
    void silenceIsTriedAgain() {
        server.order(server.silence());
        embed(server.address(), Fakes.patience(Duration.ofSeconds(2), pauses));
        cameRightAtSecondTry();
        assertThat(said.getFirst()).contains("nothing within 2 s");
    }

    @Test
    void aBodyThatStallsIsTriedAgain() {
        server.order(server.stall(GOOD));
        embed(server.address(), Fakes.patience(Duration.ofSeconds(2), pauses));
        cameRightAtSecondTry();
        assertThat(said.getFirst()).contains("within 2 s");
    }

    /** An error even where the service says that it is one. */
    @ParameterizedTest
    @ValueSource(ints = {200, 400})
    void aBodyWithoutEndEnds(int status) {
        server.order(FakeApi.endless(status));
        assertThatThrownBy(this::embed)
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(status == 200 ? "128 MiB" : "answered 400");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aBodyThatTricklesIsTriedAgain() {
        server.order(server.trickle());
        embed(server.address(), Fakes.patience(Duration.ofSeconds(2), pauses));
        cameRightAtSecondTry();
        assertThat(said.getFirst()).contains("not all of it within 2 s");
    }

    @Test
    void aBodyThatBreaksOffIsTriedAgain() {
        server.order(FakeApi.cut(GOOD));
        embed();
        cameRightAtSecondTry();
        assertThat(said.getFirst()).contains("no whole answer");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"data": [{"index": 0, "embedding": [1, 2 | not JSON, or not all of it
            <html>fine</html>                         | not JSON, or not all of it
            {"a" 1}                                   | not JSON, or not all of it
            ``                                        | empty
            """)
    void whatIsNoJsonIsTriedAgain(String body, String problem) {
        server.order(FakeApi.ok(body));
        embed();
        cameRightAtSecondTry();
        assertThat(said.getFirst()).contains(problem);
    }

    @Test
    void whatStaysNoJsonIsAnError() {
        server.order(Collections.nCopies(20, FakeApi.ok("<html>")).toArray(StandInServer.Answer[]::new));
        assertThatThrownBy(this::embed)
                .isInstanceOf(ApiException.class)
                .hasMessageContainingAll(server.host(), "6 times", "not JSON");
        assertThat(server.seen()).hasSize(6);
    }

    @Test
    void aPortOfThisMachineWhereNobodyListensIsAnErrorAtOnce() {
        String host = FakeApi.closedHost();
        assertThatThrownBy(() -> embed("http://" + host, Fakes.patience(Duration.ofSeconds(20), pauses)))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("openai at " + host);
        assertThat(pauses).isEmpty();
    }

    @Test
    void aNameThatNobodyHasIsAnErrorAtOnce() {
        EmbeddingSettings settings =
                Fakes.embedding("service: openai\nendpoint: http://nobody.invalid/v1\nmodel: m\ndimension: 3");
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
            assertThatThrownBy(() -> api.embed(List.of("text"), Role.PASSAGE))
                    .hasMessageContainingAll("openai at nobody.invalid", "resolved");
        }
        assertThat(pauses).isEmpty();
    }

    @Test
    void anInterruptedPauseEndsTheCall() {
        server.order(FakeApi.status(500, ""));
        RetryPolicy impatient = new RetryPolicy(
                Duration.ofSeconds(20),
                Duration.ofSeconds(1),
                true,
                pause -> {
                    throw new InterruptedException();
                },
                () -> 1);
        assertThatThrownBy(() -> embed(server.address(), impatient))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void closingBreaksOffCallsOfOtherThreads() {
        server.order(server.silence());
        EmbeddingSettings settings =
                Fakes.embedding("service: openai\nendpoint: " + server.address() + "/v1\nmodel: m\ndimension: 3");
        ApiEncoder api = new ApiEncoder(
                settings,
                new ApiConnection(
                        settings.api(),
                        Map.of(),
                        meter,
                        CallLimit.none(),
                        said::add,
                        Fakes.patience(Duration.ofSeconds(20), pauses)),
                Sessions.in(Path.of("home")));
        CompletableFuture<List<float[]>> call =
                CompletableFuture.supplyAsync(() -> api.embed(List.of("text"), Role.PASSAGE));
        while (server.seen().isEmpty() && !call.isDone()) {
            Thread.onSpinWait();
        }
        api.close();
        assertThat(call)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("was broken off");
        assertThat(pauses).isEmpty();
    }

    @Test
    void jitterShortensPausesToAHalfAtMost() {
        RetryPolicy patience =
                new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(1), true, pauses::add, () -> 0);
        assertThat(patience.pause(1, Optional.empty())).isEqualTo(Duration.ofMillis(500));
        assertThat(patience.pause(5, Optional.empty())).isEqualTo(Duration.ofSeconds(8));
        assertThat(patience.pause(1, Optional.of(Duration.ofSeconds(7)))).isEqualTo(Duration.ofSeconds(7));
    }
}
