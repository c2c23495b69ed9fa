package io.posbias.model.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.api.ApiMeter;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.api.TokenPrice;
import io.posbias.model.encode.cache.CacheFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CachedChatTest {
    @TempDir
    Path home;

    private final FakeApi server = FakeChat.serve(question -> question.toUpperCase(Locale.ROOT));
    private final ApiMeter meter = new ApiMeter();

    @AfterEach
    void close() {
        server.close();
    }

    private List<String> ask(String model, Sampling sampling, int calls, List<String> prompts) {
        ChatSettings settings = ChatSettings.of("--llm", server.address() + "/v1", model, Optional.empty(), sampling);
        try (CachedChat chat = new CachedChat(settings, Sessions.in(home), 3, meter, new CallLimit(calls))) {
            return chat.ask(prompts).stream().map(ChatReply::text).toList();
        }
    }

    private List<String> ask(String... prompts) {
        return ask("m", Sampling.PAPER, 100, List.of(prompts));
    }

    private List<String> asked() {
        return server.seen().stream().map(FakeChat::question).sorted().toList();
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("replies"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void everyQuestionIsAskedOnceAndRepliesComeInOrder() {
        assertThat(ask("b", "a", "b", "c")).containsExactly("B", "A", "B", "C");
        assertThat(asked()).containsExactly("a", "b", "c");
        assertThat(ask("c", "d", "a")).containsExactly("C", "D", "A");
        assertThat(asked()).containsExactly("a", "b", "c", "d");
        assertThat(meter.toString()).isEqualTo("4 calls, 28 tokens");
    }

    @Test
    void anotherModelAndAnotherSamplingAreAskedAnew() {
        ask("a");
        ask("other/m", Sampling.PAPER, 1, List.of("a"));
        ask("m", Sampling.GREEDY, 1, List.of("a"));
        assertThat(asked()).containsExactly("a", "a", "a");
        assertThat(CacheFolders.list(home))
                .extracting(CacheFolders.Space::model, CacheFolders.Space::format)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("m", "replies"),
                        org.assertj.core.groups.Tuple.tuple("other/m", "replies"));
    }

    @Test
    void tokensAreKept() {
        ask("a");
        ChatSettings settings =
                ChatSettings.of("--llm", server.address() + "/v1", "m", Optional.empty(), Sampling.PAPER);
        try (CachedChat chat = new CachedChat(settings, Sessions.in(home), 1, meter, new CallLimit(0))) {
            assertThat(chat.known("a")).contains(new ChatReply("A", OptionalLong.of(7)));
            assertThat(chat.known("b")).isEmpty();
        }
    }

    @Test
    void theLimitEndsTheCallsAndKeepsTheirReplies() {
        List<String> all = IntStream.range(0, 10).mapToObj(i -> "q" + i).toList();
        assertThatThrownBy(() -> ask("m", Sampling.PAPER, 4, all)).isInstanceOf(CallLimit.ReachedException.class);
        assertThat(server.seen()).hasSize(4);
        assertThatThrownBy(() -> ask("m", Sampling.PAPER, 0, all)).isInstanceOf(CallLimit.ReachedException.class);
        assertThat(ask("m", Sampling.PAPER, 6, all)).hasSize(10).startsWith("Q0", "Q1");
        assertThat(asked()).containsExactlyElementsOf(all);
    }

    @Test
    void aFailureKeepsWhatWasAnsweredBefore() {
        List<String> all = IntStream.range(0, 10).mapToObj(i -> "q" + i).toList();
        StandInServer.Answer good =
                (exchange, request) -> FakeApi.status(200, FakeChat.json("ok")).send(exchange, request);
        server.order(good, good, good, good, good, FakeApi.status(400, "{\"message\": \"no\"}"));
        assertThatThrownBy(() -> ask("m", Sampling.PAPER, 100, all))
                .isInstanceOf(ApiException.class)
                .hasMessageEndingWith("answered 400: no");
        int before = server.seen().size();
        assertThat(before).isBetween(6, 10);
        assertThat(ask("m", Sampling.PAPER, 100, all)).hasSize(10);
        // Only the one that failed is asked twice, however many were under way.
        assertThat(server.seen()).hasSize(11);
    }

    /** Texts of replies are not kept in memory: 100,000 of them would not fit. */
    @Test
    void aReplyIsReadFromItsFileWhenItIsWanted() throws IOException {
        ask("abc", "déf\n\uD83D\uDE00");
        ChatSettings settings =
                ChatSettings.of("--llm", server.address() + "/v1", "m", Optional.empty(), Sampling.PAPER);
        try (CachedChat chat = new CachedChat(settings, Sessions.in(home), 1, meter, CallLimit.none())) {
            Files.writeString(file(), Files.readString(file()).replace("ABC", "XYZ"));
            assertThat(chat.ask(List.of("déf\n\uD83D\uDE00", "abc", "new")))
                    .extracting(ChatReply::text)
                    .containsExactly("DÉF\n\uD83D\uDE00", "XYZ", "NEW");
            assertThat(chat.known("new")).contains(new ChatReply("NEW", OptionalLong.of(7)));
        }
    }

    /** Each call takes 5 tokens in and 2 out, 7 + 2 * 11 = 27 millionths of a dollar here, and may take far more. */
    @Test
    void theMoneyEndsTheCallsAndKeepsTheirReplies() {
        List<String> all = IntStream.range(0, 10).mapToObj(i -> "q" + i).toList();
        assertThatThrownBy(() -> spend(new CallLimit(100, 0.0112), all))
                .isInstanceOf(CallLimit.ReachedException.class)
                .hasMessageContainingAll("--max-cost", "is kept");
        // A call is taken to write 1,000 tokens and to read a third of its bytes: between 0.0110 and 0.0112 dollars.
        assertThat(server.seen()).hasSizeBetween(1, 9);
        int first = server.seen().size();
        spend(new CallLimit(100, 0.0120), all);
        assertThat(server.seen()).hasSize(10).hasSizeGreaterThan(first);
        assertThat(meter.cost()).hasValueCloseTo(10 * 27e-6, org.assertj.core.data.Offset.offset(1e-12));
    }

    @Test
    void nothingIsAskedWhereOneCallMayCostMoreThanThereIs() {
        assertThatThrownBy(() -> spend(new CallLimit(100, 0.0109), List.of("a")))
                .isInstanceOf(CallLimit.ReachedException.class)
                .hasMessageStartingWith("stopped by --max-cost");
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void aServiceThatDoesNotSayItsTokensIsTakenToHaveTakenTheMost() {
        server.order(FakeApi.ok("{\"choices\": [{\"message\": {\"content\": \"x\"}}]}"));
        assertThatThrownBy(() -> spend(new CallLimit(100, 0.0150), List.of("a", "b")))
                .isInstanceOf(CallLimit.ReachedException.class);
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aLimitOfMoneyNeedsPrices() {
        ChatSettings settings =
                ChatSettings.of("--llm", server.address() + "/v1", "m", Optional.empty(), Sampling.PAPER);
        assertThatThrownBy(() -> new CachedChat(settings, Sessions.in(home), 1, meter, new CallLimit(100, 1)))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("--max-cost", "prices of m");
    }

    private void spend(CallLimit limit, List<String> prompts) {
        ChatSettings settings = ChatSettings.of(
                        "--llm", server.address() + "/v1", "m", Optional.empty(), Sampling.PAPER)
                .at(new TokenPrice(1, 11));
        try (CachedChat chat = new CachedChat(settings, Sessions.in(home), 3, meter, limit)) {
            chat.ask(prompts);
        }
    }

    /** JSON can escape half a character, which UTF-8 cannot hold. */
    @Test
    void halvesOfCharactersBecomeQuestionMarks() {
        server.order(FakeApi.ok(FakeChat.json("x").replace("\"x\"", "\"caf\\ud83d and \\udca9 \\u0000\"")));
        assertThat(ask("a")).containsExactly("caf? and ? \u0000");
        assertThat(ask("a")).containsExactly("caf? and ? \u0000");
        assertThat(asked()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "null",
                "[]",
                "{\"key\": \"KEY\"}",
                "{\"key\": \"KEY\", \"reply\": null}",
                "{\"key\": null, \"reply\": \"x\"}",
                "{\"key\": \"KEY\", \"reply\": 7, \"tokens\": []}",
                "{\"key\": \"KEY\", \"reply\": \"x\", \"tokens\": 1e999}",
                "{\"key\": \"KEY\", \"reply\": \"x\", \"tokens\": 1} {}",
                "{\"key\": \"KEY\", \"reply\": \"x\"} trailing"
            })
    void aReplyThatCannotBeReadIsAskedAgain(String line) throws IOException {
        ask("a");
        String key = Files.readString(file()).replaceFirst("(?s).*\"key\":\"([0-9a-f]+)\".*", "$1");
        Files.writeString(file(), line.replace("KEY", key) + "\n");
        assertThat(ask("a")).containsExactly("A");
        assertThat(asked()).containsExactly("a", "a");
    }

    @Test
    void aLineThatWasCutShortIsAskedAgain() throws IOException {
        ask("a");
        ask("b");
        Path file = file();
        String whole = Files.readString(file);
        Files.writeString(file, "{\"key\": \"torn\n" + whole);
        Files.writeString(file, whole.substring(0, 30), StandardOpenOption.APPEND);
        assertThat(ask("a", "b")).containsExactly("A", "B");
        assertThat(asked()).containsExactly("a", "b");
        Files.writeString(file, whole.substring(0, whole.length() - 1));
        ask("a", "b");
        assertThat(server.seen()).hasSize(3);
    }
}
