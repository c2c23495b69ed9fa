package io.posbias.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class HttpTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Http http = new Http();
    private final StandInServer server = StandInServer.of((exchange, request) -> answer().send(exchange, request));
    private volatile StandInServer.Answer answer = (exchange, request) -> {};

    private StandInServer.Answer answer() {
        return answer;
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    private byte[] get(Limits limits, StandInServer.Answer next) throws IOException {
        answer = next;
        URI address = URI.create(server.address() + "/x");
        Http.Request request = new Http.Request("GET", address, Map.of(), new byte[0], Optional.empty());
        try (HttpReply reply = http.send(request, limits)) {
            return reply.body().readAllBytes();
        }
    }

    private static StandInServer.Answer bytes(int count) {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(new byte[count]);
        };
    }

    @Test
    void aBodyMayBeAsLongAsItsLimitAndNoLonger() throws IOException {
        assertThat(get(new Limits(LONG, LONG, 100_000), bytes(100_000))).hasSize(100_000);
        assertThatThrownBy(() -> get(new Limits(LONG, LONG, 99_999), bytes(100_000)))
                .isInstanceOf(TooLongException.class)
                .hasMessage("longer than 99999 bytes");
        assertThatThrownBy(() -> get(new Limits(LONG, LONG, 1 << 20), bytes(2_000_000)))
                .hasMessage("longer than 1 MiB");
    }

    @Test
    void silenceBeforeTheHeadersEnds() {
        assertThatThrownBy(() -> get(new Limits(SHORT, LONG, 100), (exchange, request) -> server.stayQuiet()))
                .isInstanceOf(IOException.class)
                .hasMessage("nothing within 300 ms");
    }

    @Test
    void silenceWithinTheBodyEnds() {
        assertThatThrownBy(() -> get(
                        new Limits(SHORT, LONG, 100),
                        (exchange, request) -> server.sendStalled(exchange, 200, new byte[100])))
                .isInstanceOf(IOException.class)
                .hasMessage("nothing within 300 ms");
    }

    @Test
    void aTrickleEnds() {
        assertThatThrownBy(() ->
                        get(new Limits(LONG, SHORT, 100_000), (exchange, request) -> server.sendTrickle(exchange)))
                .isInstanceOf(IOException.class)
                .hasMessage("not all of it within 300 ms");
    }

    @Test
    void aFileMayTakeASecondPerKibibyte() {
        assertThat(Limits.ofFile(Duration.ofSeconds(60), 10 << 20))
                .isEqualTo(new Limits(Duration.ofSeconds(60), Duration.ofSeconds(60 + 10 * 1024), 10 << 20));
    }

    @Test
    void noSecretIsSentUnencrypted() {
        Http.Request request = new Http.Request(
                "GET",
                URI.create("http://mirror.example:81/x"),
                Map.of(),
                new byte[0],
                Optional.of(new Secret("the token", "hf_secret")));
        assertThatThrownBy(() -> http.send(request, new Limits(SHORT, SHORT, 1)))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("the token", "unencrypted", "mirror.example:81", "https://")
                .hasMessageNotContaining("hf_secret");
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b/c, ../d, https://a/d",
        "https://a/b, https://other:8/c?x=y, https://other:8/c?x=y",
        "http://a/b, https://a/c, https://a/c",
        "http://a/b, //c/d, http://c/d",
    })
    void linksAreFollowed(String from, String link, String to) {
        assertThat(Addresses.follow(URI.create(from), link)).hasToString(to);
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b, http://a/c, leads from https to http",
        "https://a/b, ftp://a/c, is not the address of a server",
        "http://a/b, https:opaque, is not the address of a server",
        "http://a/b, http:///x, is not the address of a server",
        "http://a/b, 'http://me:word@ x', is not an address",
    })
    void linksThatLeadNowhereAreRefusedUnseen(String from, String link, String problem) {
        assertThatThrownBy(() -> Addresses.follow(URI.create(from), link))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(problem)
                .hasMessageNotContaining("word")
                .hasNoCause();
    }

    @Test
    void serversAreQuotedInOneLine() {
        assertThat(ServerText.line("a\n\tb\u001b[31m" + "x".repeat(400), Optional.empty()))
                .hasSize(300)
                .startsWith("a b [31mxxx")
                .endsWith("x…");
    }
}
