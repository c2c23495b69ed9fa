package io.posbias.hub;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.posbias.faults.Mutator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stands between posbias and a Hub, and changes one of its answers, or all from one on. */
final class LyingHub implements AutoCloseable {
    /** What is wrong with an answer. */
    enum Lie {
        LARGER_SIZE,
        SMALLER_SIZE,
        HUGE_SIZE,
        NO_SIZE,
        WRONG_DIGEST,
        NO_DIGEST,
        HOSTILE_DIGEST,
        HOSTILE_COMMIT,
        OTHER_HOST,
        REDIRECT_LOOP,
        REDIRECT_NOWHERE,
        LINK_TO_ITSELF,
        LINK_WITHOUT_END,
        LINK_ELSEWHERE,
        BODY_WITHOUT_END,
        SILENT,
        STALLS,
        CUT,
        CHANGED,
        EMPTY,
        GZIP,
        GZIP_BOMB,
        WEB_PAGE,
        DEEP_JSON,
        CLIMBING_PATHS,
        ECHOED_TOKEN,
        BUSY,
        TOO_MANY,
        ERROR,
        FORBIDDEN,
        GONE,
        TEAPOT,
        WRONG_RANGE
    }

    private static final Set<String> OWN_HEADERS = Set.of("content-length", "transfer-encoding", "date", "connection");
    private static final int MANY = 50_000;

    private final URI hub;
    private final HttpServer front = server();
    private final HttpServer content = server();
    private final HttpServer other = server();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Lie lie;
    private final int from;
    private final boolean once;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicBoolean leaked = new AtomicBoolean();
    private volatile int contentPort;

    /**
     * @param from which answer is the first that is wrong, counted from 1
     * @param once whether it is the only one
     */
    LyingHub(URI hub, Lie lie, int from, boolean once) {
        this.hub = hub;
        this.lie = lie;
        this.from = from;
        this.once = once;
        front.createContext("/", exchange -> handle(exchange, hub.getPort(), true));
        content.createContext("/", exchange -> handle(exchange, contentPort, false));
        other.createContext("/", exchange -> handle(exchange, hub.getPort(), false));
    }

    private static HttpServer server() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(
                    Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
            server.start();
            return server;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    URI endpoint() {
        return address(front);
    }

    private static URI address(HttpServer server) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Whether another server than the Hub has seen the token. */
    boolean leaked() {
        return leaked.get();
    }

    private void handle(HttpExchange exchange, int port, boolean mayKnow) throws IOException {
        try (exchange) {
            if (!mayKnow && exchange.getRequestHeaders().containsKey("Authorization")) {
                leaked.set(true);
            }
            HttpResponse<byte[]> honest = honest(exchange, port);
            Headers headers = exchange.getResponseHeaders();
            honest.headers().map().forEach((name, values) -> {
                if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                    headers.put(name, values.stream().map(this::led).toList());
                }
            });
            int number = answers.incrementAndGet();
            if (once ? number == from : number >= from) {
                lie(exchange, honest);
            } else {
                send(exchange, honest.statusCode(), honest.body(), length(honest));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> honest(HttpExchange exchange, int port) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.noBody());
        for (String name : new String[] {"Range", "Authorization"}) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Where the Hub leads, by way of here. */
    private String led(String value) {
        String here = value.replace(hub.toString(), endpoint().toString());
        if (here.startsWith("http://127.0.0.1:") && !here.startsWith(endpoint().toString())) {
            contentPort = URI.create(here).getPort();
            return here.replace(
                    "127.0.0.1:" + contentPort,
                    "127.0.0.1:" + content.getAddress().getPort());
        }
        return here;
    }

    private static long length(HttpResponse<byte[]> honest) {
        return honest.headers().firstValueAsLong("Content-Length").orElse(honest.body().length);
    }

    private static void send(HttpExchange exchange, int status, byte[] body, long length) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(length));
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void lie(HttpExchange exchange, HttpResponse<byte[]> honest) throws IOException, InterruptedException {
        Headers headers = exchange.getResponseHeaders();
        byte[] body = honest.body();
        int status = honest.statusCode();
        long length = length(honest);
        switch (lie) {
            case LARGER_SIZE -> sized(exchange, honest, length + 1000);
            case SMALLER_SIZE -> sized(exchange, honest, Math.max(1, length / 2));
            case HUGE_SIZE -> sized(exchange, honest, Long.MAX_VALUE / 2);
            case NO_SIZE -> sized(exchange, honest, -1);
            case WRONG_DIGEST -> tagged(exchange, honest, "\"" + "ab".repeat(32) + "\"");
            case NO_DIGEST -> tagged(exchange, honest, null);
            case HOSTILE_DIGEST -> tagged(exchange, honest, "\"../../../evil/x\"");
            case HOSTILE_COMMIT -> {
                headers.set("X-Repo-Commit", "../../evil");
                send(exchange, status, body, length);
            }
            case OTHER_HOST ->
                redirect(exchange, address(other) + exchange.getRequestURI().toString());
            case REDIRECT_LOOP -> redirect(exchange, exchange.getRequestURI().toString());
            case REDIRECT_NOWHERE -> redirect(exchange, "ht!tp://[::/%zz");
            case LINK_TO_ITSELF ->
                link(exchange, honest, exchange.getRequestURI().toString());
            case LINK_WITHOUT_END -> link(exchange, honest, "?cursor=" + answers.get());
            case LINK_ELSEWHERE -> link(exchange, honest, address(other) + "/api/datasets/owner/set/tree/main");
            case BODY_WITHOUT_END -> endless(exchange, status);
            case SILENT -> Thread.sleep(20_000);
            case STALLS -> stall(exchange, status, body);
            case CUT -> cut(exchange, status, body);
            case CHANGED -> send(exchange, status, changed(body), length);
            case EMPTY -> send(exchange, status, new byte[0], 0);
            case GZIP, GZIP_BOMB -> {
                headers.set("Content-Encoding", "gzip");
                byte[] packed = Mutator.deflate(lie == Lie.GZIP ? body : new byte[20_000_000]);
                send(exchange, status, packed, packed.length);
            }
            case WEB_PAGE -> page(exchange, "<html><body>log in</body></html>");
            case DEEP_JSON -> page(exchange, "[".repeat(MANY) + "]".repeat(MANY));
            case CLIMBING_PATHS ->
                page(
                        exchange,
                        "[{\"type\": \"file\", \"path\": \"../../../evil\"}, {\"type\": \"file\", \"path\": \"/evil\"}]");
            case ECHOED_TOKEN ->
                refuse(exchange, 403, "you sent " + exchange.getRequestHeaders().getFirst("Authorization"));
            case BUSY -> refuse(exchange, 503, "busy");
            case TOO_MANY -> refuse(exchange, 429, "slower");
            case ERROR -> refuse(exchange, 500, "\u001b[31moops\u001b[0m\r\nagain");
            case FORBIDDEN -> refuse(exchange, 403, "no");
            case GONE -> refuse(exchange, 410, "no");
            case TEAPOT -> refuse(exchange, 299, "what");
            case WRONG_RANGE -> {
                headers.set("Content-Range", "bytes 7-3/1");
                send(exchange, 206, body, length);
            }
        }
    }

    private static void sized(HttpExchange exchange, HttpResponse<byte[]> honest, long size) throws IOException {
        if (exchange.getResponseHeaders().containsKey("X-Linked-Size")) {
            exchange.getResponseHeaders().set("X-Linked-Size", String.valueOf(size));
        }
        send(exchange, honest.statusCode(), honest.body(), Math.max(0, size));
    }

    private static void tagged(HttpExchange exchange, HttpResponse<byte[]> honest, @Nullable String tag)
            throws IOException {
        for (String name : new String[] {"ETag", "X-Linked-ETag"}) {
            if (tag == null) {
                exchange.getResponseHeaders().remove(name);
            } else if (exchange.getResponseHeaders().containsKey(name)) {
                exchange.getResponseHeaders().set(name, tag);
            }
        }
        send(exchange, honest.statusCode(), honest.body(), length(honest));
    }

    private static void redirect(HttpExchange exchange, String where) throws IOException {
        exchange.getResponseHeaders().remove("X-Linked-ETag");
        exchange.getResponseHeaders().set("Location", where);
        send(exchange, 302, new byte[0], 0);
    }

    private static void link(HttpExchange exchange, HttpResponse<byte[]> honest, String next) throws IOException {
        exchange.getResponseHeaders().set("Link", "<" + next + ">; rel=\"next\"");
        send(exchange, honest.statusCode(), honest.body(), length(honest));
    }

    private static void endless(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        byte[] some = new byte[1 << 16];
        Arrays.fill(some, (byte) ' ');
        OutputStream out = exchange.getResponseBody();
        for (int i = 0; i < MANY; i++) {
            out.write(some);
        }
    }

    private static void stall(HttpExchange exchange, int status, byte[] body) throws IOException, InterruptedException {
        exchange.sendResponseHeaders(status, body.length + 1);
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
        Thread.sleep(20_000);
    }

    private static void cut(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length + 1);
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
        throw new IOException("cut, as ordered");
    }

    private static byte[] changed(byte[] body) {
        byte[] changed = body.clone();
        if (changed.length > 0) {
            changed[changed.length / 2] ^= 1;
        }
        return changed;
    }

    private static void page(HttpExchange exchange, String text) throws IOException {
        send(exchange, 200, bytes(text), text.length());
    }

    private static void refuse(HttpExchange exchange, int status, String text) throws IOException {
        exchange.getResponseHeaders().set("Retry-After", "0");
        exchange.getResponseHeaders().set("X-Error-Message", text.replaceAll("[^ -~]", " "));
        send(exchange, status, bytes(text), text.length());
    }

    @Override
    public void close() {
        front.stop(0);
        content.stop(0);
        other.stop(0);
        client.shutdownNow();
    }
}
