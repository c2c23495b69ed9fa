package io.posbias.hub;

import io.posbias.RetryPolicy;
import io.posbias.Version;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Single requests to the Hub. Redirects are followed here, so that the token goes to the Hub and to nobody else: not to
 * the content servers it points to, whose addresses carry their own permission.
 */
final class HubRequests {
    private static final Logger LOG = LoggerFactory.getLogger(HubRequests.class);

    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final Duration RESPOND = Duration.ofSeconds(60);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);
    private static final int MOST_REDIRECTS = 8;

    private final HubSettings settings;
    private final RetryPolicy patience;
    private final HttpClient http = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    HubRequests(HubSettings settings) {
        this.settings = settings;
        Duration first = settings.patience();
        this.patience = new RetryPolicy(
                RESPOND,
                Integer.MAX_VALUE,
                first,
                first.multipliedBy(64),
                LONGEST_PAUSE,
                Duration.ofDays(1),
                Thread::sleep,
                () -> 1);
    }

    /** Asks for headers; stops at the redirect that carries the Hub's own headers for a large file. */
    HttpResponse<InputStream> head(URI address) throws IOException {
        return follow(
                "HEAD",
                address,
                Map.of(),
                response -> response.headers().firstValue("X-Linked-Etag").isPresent());
    }

    /** Asks for content. The caller closes the body. */
    HttpResponse<InputStream> get(URI address, Map<String, String> headers) throws IOException {
        return follow("GET", address, headers, response -> false);
    }

    private HttpResponse<InputStream> follow(
            String method, URI address, Map<String, String> headers, Predicate<HttpResponse<InputStream>> enough)
            throws IOException {
        URI next = address;
        for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
            HttpResponse<InputStream> response = send(method, next, headers);
            Optional<String> location = response.headers().firstValue("Location");
            if (response.statusCode() / 100 != 3 || location.isEmpty() || enough.test(response)) {
                return response;
            }
            response.body().close();
            next = redirect(next, location.get());
        }
        throw new IOException("more than " + MOST_REDIRECTS + " redirects from " + address.getHost());
    }

    /** Refuses to be led from an encrypted connection to an open one. */
    private static URI redirect(URI from, String location) throws IOException {
        URI to;
        try {
            to = from.resolve(location);
        } catch (IllegalArgumentException notUri) {
            throw new IOException("a redirect to an address that is none", notUri);
        }
        if (!"https".equals(to.getScheme()) && !from.getScheme().equals(to.getScheme())) {
            throw new IOException("a redirect from " + from.getScheme() + " to " + to.getScheme());
        }
        return to;
    }

    private HttpResponse<InputStream> send(String method, URI address, Map<String, String> headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(RESPOND)
                .header("User-Agent", "posbias/" + Version.text())
                .header("Accept-Encoding", "identity");
        headers.forEach(request::header);
        if (isHub(address)) {
            settings.token().ifPresent(token -> request.header("Authorization", "Bearer " + token.reveal()));
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            // Neither headers nor the query part: they hold the token, or a signature that is as good as one.
            LOG.debug("{} {}{}: {}", method, address.getHost(), address.getPath(), response.statusCode());
            return response;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private boolean isHub(URI address) {
        URI hub = settings.endpoint();
        return hub.getHost().equalsIgnoreCase(address.getHost())
                && hub.getScheme().equals(address.getScheme())
                && hub.getPort() == address.getPort();
    }

    static boolean isPassing(int status) {
        return List.of(408, 429, 500, 502, 503, 504).contains(status);
    }

    /**
     * Waits before the next try: as long as the Hub asks, else longer each time.
     *
     * @param attempt counted from 0
     * @param response what the Hub answered; null when it did not
     */
    void pause(int attempt, @Nullable HttpResponse<?> response) throws IOException {
        Optional<Duration> asked = Optional.ofNullable(response)
                .flatMap(answer -> answer.headers().firstValue("Retry-After"))
                .map(header -> RetryPolicy.retryAfter(header).orElse(Duration.ofSeconds(1)));
        try {
            Thread.sleep(patience.pause(attempt + 1, Duration.ZERO, asked).orElseThrow());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }
}
