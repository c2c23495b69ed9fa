package io.posbias.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxiesTest {
    private static String proxy(Map<String, String> environment, String address) {
        List<Proxy> proxies = Proxies.of(environment).select(URI.create(address));
        assertThat(proxies).hasSize(1);
        return proxies.getFirst().address() instanceof InetSocketAddress at
                ? at.getHostString() + ":" + at.getPort()
                : "direct";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            https_proxy | http://127.0.0.2:3128  | -                        | https://api.openai.com/v1 | 127.0.0.2:3128
            HTTPS_PROXY | 127.0.0.2:3128         | -                        | https://api.openai.com/v1 | 127.0.0.2:3128
            HTTPS_PROXY | http://127.0.0.2       | -                        | https://api.openai.com/v1 | 127.0.0.2:80
            ALL_PROXY   | http://127.0.0.2:3128/ | -                        | https://api.openai.com/v1 | 127.0.0.2:3128
            HTTPS_PROXY | http://127.0.0.2:3128  | -                        | http://api.openai.com/v1  | direct
            HTTP_PROXY  | http://127.0.0.2:3128  | -                        | http://api.openai.com/v1  | 127.0.0.2:3128
            HTTPS_PROXY | http://127.0.0.2:3128  | -                        | https://localhost:8000/v1 | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | -                        | https://127.0.0.1/v1      | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | a.com,.openai.com        | https://API.openai.com/v1 | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | a.com openai.com         | https://api.openai.com/v1 | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | *.openai.com             | https://api.openai.com/v1 | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | openai.com:443           | https://api.openai.com/v1 | 127.0.0.2:3128
            HTTPS_PROXY | http://127.0.0.2:3128  | openai.com:8443          | https://openai.com:8443/  | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | *                        | https://api.openai.com/v1 | direct
            HTTPS_PROXY | http://127.0.0.2:3128  | ai.com                   | https://api.openai.com/v1 | 127.0.0.2:3128
            """)
    void proxiesAreThoseOfTheEnvironment(String name, String value, String excluded, String address, String proxy) {
        Map<String, String> environment =
                excluded == null ? Map.of(name, value) : Map.of(name, value, "NO_PROXY", excluded);
        assertThat(proxy(environment, address)).isEqualTo(proxy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:secr3t@127.0.0.2:3128", "https://127.0.0.2:3128", "socks5://127.0.0.2", "a b"})
    void whatIsNoProxyIsRefusedUnseen(String value) {
        assertThatThrownBy(() -> proxy(Map.of("HTTPS_PROXY", value), "https://api.openai.com/v1"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("HTTPS_PROXY")
                .hasMessageNotContaining("secr3t");
    }

    @Test
    void aRequestIsRefusedWithThatLine() {
        try (Http http = new Http(Map.of("HTTPS_PROXY", "http://me:secr3t@127.0.0.2:3128"))) {
            Http.Request request = new Http.Request(
                    "GET", URI.create("https://no-such-host.invalid/"), Map.of(), new byte[0], Map.of());
            Limits limits = new Limits(Duration.ofSeconds(20), Duration.ofSeconds(20), 100);
            assertThatThrownBy(() -> http.send(request, limits))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("HTTPS_PROXY");
        }
    }

    /** The stand-in answers as a proxy would: nothing has the name of the request. */
    @Test
    void requestsGoThroughTheProxy() throws IOException {
        try (StandInServer proxy = new StandInServer(0) {
                    {
                        serve((exchange, request) -> {
                            record(request);
                            sendJson(exchange, 200, utf8("{}"));
                        });
                    }
                };
                Http http = new Http(Map.of("http_proxy", proxy.address()))) {
            Http.Request request = new Http.Request(
                    "GET", URI.create("http://no-such-host.invalid/a?b=c"), Map.of(), new byte[0], Map.of());
            Limits limits = new Limits(Duration.ofSeconds(20), Duration.ofSeconds(20), 100);
            try (HttpReply reply = http.send(request, limits)) {
                assertThat(reply.status()).isEqualTo(200);
            }
            assertThat(proxy.seen()).hasSize(1);
            assertThat(proxy.seen().getFirst().header("Host")).isEqualTo("no-such-host.invalid");
        }
    }
}
