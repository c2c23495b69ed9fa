package io.posbias.model.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.api.ApiConnection;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.api.ApiMeter;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.api.Fakes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChatApiTest {
    private static final String GOOD =
            "{\"id\": \"x\", \"object\": \"chat.completion\", \"choices\": [{\"index\": 0, \"message\": {\"role\":"
                    + " \"assistant\", \"content\": \"Paris\\n\"}, \"finish_reason\": \"stop\"}], \"usage\":"
                    + " {\"prompt_tokens\": 20, \"completion_tokens\": 3, \"total_tokens\": 23}}";

    private final ApiMeter meter = new ApiMeter();
    private final List<String> said = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final FakeApi server = new FakeApi(request -> GOOD);

    @AfterEach
    void close() {
        server.close();
    }

    private ChatReply ask() {
        return ask(server.address() + "/v1", Optional.empty(), Sampling.PAPER);
    }

    private ChatReply ask(String base, Optional<String> key, Sampling sampling) {
        ChatSettings settings = ChatSettings.of("--llm", base, "m-1", key, sampling);
        RetryPolicy patience = Fakes.patience(Duration.ofSeconds(20), pauses);
        try (ApiConnection api =
                new ApiConnection(settings.api(), Fakes.ENVIRONMENT, meter, CallLimit.none(), said::add, patience)) {
            return CachedChat.ask(settings, api, "Where \"is\" it?\nSay.");
        }
    }

    @Test
    void oneMessageOfAUserIsSentAsThePaperHasIt() {
        assertThat(ask()).isEqualTo(new ChatReply("Paris\n", OptionalLong.of(23)));
        StandInServer.Seen seen = server.seen().getFirst();
        assertThat(seen.method()).isEqualTo("POST");
        assertThat(seen.path()).isEqualTo("/v1/chat/completions");
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
        assertThat(seen.authorization()).isNull();
        assertThat(seen.body())
                .isEqualTo(Map.of(
                        "model",
                        "m-1",
                        "messages",
                        List.of(Map.of("role", "user", "content", "Where \"is\" it?\nSay.")),
                        "temperature",
                        0,
                        "top_p",
                        0));
        assertThat(meter.figures()).containsEntry("api_tokens", 23L);
        assertThat(meter.figures()).containsEntry("api_calls", 1L);
    }

    @Test
    void whatAServiceRefusesIsNotSent() {
        String base = server.address() + "/v1/chat/completions/";
        ask(base, Optional.empty(), Sampling.GREEDY);
        ask(base, Optional.of("TEST_KEY"), Sampling.SERVER);
        assertThat(server.seen())
                .extracting(seen -> seen.path() + " " + seen.body().keySet())
                .containsExactly(
                        "/v1/chat/completions [model, messages, temperature]",
                        "/v1/chat/completions [model, messages]");
        assertThat(server.seen().get(1).authorization()).isEqualTo("Bearer " + Fakes.KEY);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            {"message": {"content": ""}, "finish_reason": "stop"}                  | ``
            {"message": {"content": null, "refusal": "I cannot"}}                  | I cannot
            {"message": {"content": null}, "finish_reason": "length"}              | ``
            {"message": {"content": null}, "finish_reason": "content_filter"}      | ``
            """)
    void anAnswerMayHaveNoWords(String choice, String text) {
        server.order(FakeApi.ok("{\"choices\": [" + choice + "]}"));
        assertThat(ask()).isEqualTo(new ChatReply(text, OptionalLong.empty()));
        assertThat(server.seen()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"choices": []}                                            | no choices
            {"error": {"message": "busy"}}                             | answered 200 with an error: busy
            {"choices": [{"finish_reason": "stop"}]}                   | a choice without a message
            {"choices": [{"message": {"content": null}, "finish_reason": "stop"}]} | a message without content
            <html>Bad gateway</html>                                   | not JSON, or not all of it
            {"choices": [                                              | not JSON, or not all of it
            ``                                                         | empty
            """)
    void whatIsNoAnswerIsAskedForAgainAndThenOneLine(String body, String problem) {
        server.order(FakeApi.ok(body));
        assertThat(ask().text()).isEqualTo("Paris\n");
        assertThat(said)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("m-1 at " + server.host() + ": " + problem)
                        .endsWith("; try 2 of 6 in 1 s"));
        server.order(Collections.nCopies(6, FakeApi.ok(body)).toArray(StandInServer.Answer[]::new));
        assertThatThrownBy(this::ask)
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("m-1 at " + server.host() + " failed 6 times, the last with: " + problem);
        assertThat(server.seen()).hasSize(8);
    }

    @Test
    void anotherShapeStays() {
        server.order(FakeApi.ok("{\"choices\": [{\"message\": {\"content\": [{\"type\": \"text\"}]}}]}"));
        assertThatThrownBy(this::ask)
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith(
                        "the answer of m-1 at " + server.host() + " cannot be used: JSON of another shape");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void busyServicesAreAskedAgainWhenTheySay(int status) {
        server.order(FakeApi.status(status, "{\"error\": {\"message\": \"slow down\"}}", "Retry-After", "7"));
        assertThat(ask().text()).isEqualTo("Paris\n");
        assertThat(pauses).containsExactly(Duration.ofSeconds(7));
        assertThat(meter.figures()).containsEntry("api_calls", 1L);
        assertThat(meter.figures()).containsEntry("api_retries", 1L);
    }

    @Test
    void aRefusalIsOneLineWithoutTheKey() {
        server.order(FakeApi.status(401, "{\"error\": {\"message\": \"wrong key " + Fakes.KEY + "\"}}"));
        assertThatThrownBy(() -> ask(server.address() + "/v1", Optional.of("TEST_KEY"), Sampling.PAPER))
                .isInstanceOfSatisfying(ApiException.class, refused -> {
                    assertThat(refused.line()).isEqualTo("m-1 at " + server.host() + " answered 401: wrong key ***");
                    assertThat(refused.steps()).singleElement().asString().contains("TEST_KEY", "m-1");
                });
        server.order(FakeApi.status(401, "{}"));
        assertThatThrownBy(this::ask)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.steps())
                                .singleElement()
                                .asString()
                                .contains("--key-env", "--judge-key-env"));
        assertThat(pauses).isEmpty();
    }

    @Test
    void aWrongPathIsExplained() {
        server.order(FakeApi.status(404, "{\"detail\": \"Not Found\"}"));
        assertThatThrownBy(() -> ask(server.address(), Optional.empty(), Sampling.PAPER))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.steps())
                                .singleElement()
                                .asString()
                                .contains("/chat/completions", "m-1"));
    }

    @Test
    void nobodyListens() {
        String host = FakeApi.closedHost();
        assertThatThrownBy(() -> ask("http://" + host + "/v1", Optional.empty(), Sampling.PAPER))
                .isInstanceOf(ApiException.class)
                .hasMessageContainingAll("m-1 at " + host, "nothing listens");
    }

    @Test
    void keysAreNamedAndNeverTyped() {
        assertThatThrownBy(() -> ask(server.address(), Optional.of("OTHER"), Sampling.PAPER))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("m-1 needs a key", "OTHER");
        assertThatThrownBy(() -> ask(server.address(), Optional.of(Fakes.KEY), Sampling.PAPER))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("the key of --llm", "environment variable", "command line")
                .hasMessageNotContaining(Fakes.KEY);
        assertThatThrownBy(() -> ask("http://example.com/v1", Optional.of("TEST_KEY"), Sampling.PAPER))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("TEST_KEY", "unencrypted", "example.com", "https://")
                .hasMessageNotContaining(Fakes.KEY);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            localhost:8000         | is not the address of a server
            ftp://h/v1             | is not the address of a server
            http://h/v1?key=secret | holds a query (? or #)
            http://h h             | is not an address
            http://me:word@h/v1    | holds a user or password
            """)
    void addressesAreChecked(String base, String problem) {
        assertThatThrownBy(() -> ChatSettings.of("--llm", base, "m", Optional.empty(), Sampling.PAPER))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--llm " + problem + ":")
                .hasMessageContaining("http://localhost:8000/v1")
                .hasMessageNotContainingAny("secret", "me:word");
    }

    @Test
    void modelsAndAddressesTellRepliesApart() {
        ChatSettings one = ChatSettings.of("--llm", "http://h/v1/", "a/b", Optional.empty(), Sampling.PAPER);
        ChatSettings same = ChatSettings.of("--llm", "http://h/v1", "a/b", Optional.of("K"), Sampling.GREEDY);
        assertThat(one.base()).isEqualTo("http://h/v1");
        assertThat(one.folderName()).isEqualTo("a_b");
        assertThat(one.space()).isEqualTo(same.space());
        assertThat(one.key("q")).isNotEqualTo(same.key("q")).isNotEqualTo(one.key("r"));
        assertThat(ChatSettings.of("--llm", "http://g/v1", "a/b", Optional.empty(), Sampling.PAPER)
                        .space())
                .isNotEqualTo(one.space());
        assertThatThrownBy(() -> ChatSettings.of("--llm", "http://h", " ", Optional.empty(), Sampling.PAPER))
                .hasMessageContainingAll("--llm-model", "empty");
    }
}
