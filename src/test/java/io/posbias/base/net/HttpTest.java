package io.posbias.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class HttpTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Http http = new Http(Map.of());
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
        Http.Request request = new Http.Request("GET", address, Map.of(), new byte[0], Map.of());
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

    /** Program that asks once and prints the length of the reply; its server stops it as Ctrl-Z does. */
    static final class Client {
        private Client() {}

        public static void main(String[] address) throws IOException {
            Map<String, String> headers =
                    Map.of("Pid", String.valueOf(ProcessHandle.current().pid()));
            Http.Request request = new Http.Request("GET", URI.create(address[0]), headers, new byte[0], Map.of());
            Duration limit = Duration.ofSeconds(2);
            try (Http http = new Http(Map.of());
                    HttpReply reply = http.send(request, new Limits(limit, limit.multipliedBy(2), 100))) {
                System.out.print(reply.body().readAllBytes().length);
            }
        }
    }

    private static void stopForAWhile(@Nullable String process) throws IOException, InterruptedException {
        for (String signal : List.of("-STOP", "-CONT")) {
            new ProcessBuilder("kill", signal, String.valueOf(process)).start().waitFor();
            Thread.sleep(signal.equals("-STOP") ? 4_500 : 500);
        }
    }

    @Test
    @Tag("slow")
    void timeInWhichTheProcessWasStoppedDoesNotCount() throws Exception {
        answer = (exchange, request) -> {
            stopForAWhile(request.header("Pid"));
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            Thread.sleep(300);
            stopForAWhile(request.header("Pid"));
            exchange.getResponseBody().write('b');
        };
        Process client = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Client.class.getName(),
                        server.address() + "/x")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("2");
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
                Map.of(Http.BEARER, new Secret("the token", "hf_secret")));
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
        assertThat(ServerText.line("a\n\tb\u001b[31m" + "x".repeat(400), List.of()))
                .hasSize(300)
                .startsWith("a b [31mxxx")
                .endsWith("x…");
    }
}
