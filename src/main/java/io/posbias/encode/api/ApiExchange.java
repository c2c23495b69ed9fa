package io.posbias.encode.api;

import io.posbias.Version;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Single requests to one endpoint, the only place where a key is revealed. Safe for several threads. */
final class ApiExchange implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(20);

    private final URI endpoint;
    private final Optional<ApiKey> key;
    private final Duration timeout;
    private volatile boolean closed;
    // HTTP/1.1: to open connections the client would offer an upgrade to HTTP/2, which makes some local servers lose
    // the
    // body. No redirects: the key would go where they lead.
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    /**
     * @param key sent as bearer token; empty when none is
     * @param timeout for one answer, from the request's first byte to the answer's last
     */
    ApiExchange(URI endpoint, Optional<ApiKey> key, Duration timeout) {
        this.endpoint = endpoint;
        this.key = key;
        this.timeout = timeout;
    }

    /**
     * One request and its whole answer. {@link HttpRequest.Builder#timeout} ends with the headers until Java 26
     * (JDK-8258397), and a body can stall, so the clock is kept here.
     */
    HttpResponse<byte[]> send(byte[] json) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .POST(HttpRequest.BodyPublishers.ofByteArray(json))
                .header("User-Agent", "posbias/" + Version.text())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json");
        key.ifPresent(secret -> request.header("Authorization", "Bearer " + secret.reveal()));
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new IOException("nothing within " + seconds(timeout));
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    /** "2 s" or "1500 ms". */
    static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** The words of the innermost failure, or its name. They may quote the server: to be masked. */
    static String reason(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // Without words, and its cause is a closed channel, which tells nobody that nobody is there.
            if (cause instanceof ConnectException) {
                return "no connection";
            }
            reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        }
        return reason;
    }

    boolean isClosed() {
        return closed;
    }

    /** Breaks off what is under way. */
    @Override
    public void close() {
        closed = true;
        http.shutdownNow();
    }
}
