package io.posbias.base.net;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * All requests that posbias sends go through here: no reply is longer or slower than its {@link Limits}, and a secret goes
 * to the address that was asked, encrypted or within this machine. Safe for several threads.
 */
public final class Http implements AutoCloseable {
    /** The header that holds a token. */
    public static final String BEARER = "Authorization";

    private static final Duration CONNECT = Duration.ofSeconds(20);

    private final Timer timer = new Timer("posbias-http", true);
    /** Made for the first request: most commands that may send one send none. */
    private @Nullable HttpClient client;

    private final ProxySelector proxies;

    /**
     * @param environment names proxies in HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; without them those of {@link
     *     #useProxies} are used, otherwise those of Java's system properties
     */
    public Http(Map<String, String> environment) {
        this.proxies = Proxies.of(environment);
    }

    /** Sets the proxies of all later requests of this process, as in {@link #Http(Map)}: downloads, too. */
    public static void useProxies(Map<String, String> environment) {
        ProxySelector.setDefault(Proxies.of(environment));
    }

    // HTTP/1.1: to open connections the client would offer an upgrade to HTTP/2, which makes some local servers lose
    // the body. No redirects: a secret would go where they lead.
    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT)
                    .proxy(proxies)
                    .build();
        }
        return client;
    }

    /**
     * A request.
     *
     * @param method GET, HEAD or POST
     * @param headers besides User-Agent and the secret's
     * @param body may be empty
     * @param secrets headers whose values are secrets; that of {@code Authorization} is sent as a bearer token
     */
    @SuppressWarnings("ArrayRecordComponent") // sent once and never compared
    public record Request(
            String method, URI address, Map<String, String> headers, byte[] body, Map<String, Secret> secrets) {
        /** Returns this request at another address, without its secrets if that is of another server. */
        Request to(URI other) {
            return new Request(method, other, headers, body, Addresses.isSame(address, other) ? secrets : Map.of());
        }
    }

    /**
     * Sends a request.
     *
     * @return the reply, after its headers; the caller closes it
     * @throws IOException if nothing comes within the limits, the connection breaks, or this thread is interrupted, which
     *     it then still is
     * @throws io.posbias.base.process.UsageException if the secret would travel unencrypted
     */
    public HttpReply send(Request request, Limits limits) throws IOException {
        HttpResponse<InputStream> response = headers(http(request), limits.silence());
        return new HttpReply(
                response.statusCode(), response.headers(), new LimitedBody(response.body(), limits, timer));
    }

    private static HttpRequest http(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.address())
                .method(
                        request.method(),
                        request.body().length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(request.body()))
                .header("User-Agent", "posbias/" + Version.text());
        request.headers().forEach(builder::header);
        request.secrets().forEach((name, secret) -> {
            secret.checkGoesTo(request.address(), "send no secret");
            builder.header(name, (name.equals(BEARER) ? "Bearer " : "") + secret.reveal());
        });
        return builder.build();
    }

    /** Time is measured by this class: what {@link HttpRequest.Builder#timeout} covers differs between releases of Java. */
    private HttpResponse<InputStream> headers(HttpRequest request, Duration most) throws IOException {
        CompletableFuture<HttpResponse<InputStream>> answer =
                client().sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        try {
            return Parallel.await(answer, most, () -> true);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new IOException("nothing within " + Limits.words(most));
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed.getCause() instanceof IOException broken ? broken : new IOException(failed.getCause());
        }
    }

    /** Breaks off what is under way. */
    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
