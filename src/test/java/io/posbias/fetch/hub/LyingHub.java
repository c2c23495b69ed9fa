package io.posbias.fetch.hub;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.posbias.base.net.StandInServer;
import io.posbias.faults.Mutator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stands between posbias and a Hub, and changes one of its answers, or all from one on. */
final class LyingHub extends StandInServer {
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
    private final StandInServer content;
    private final StandInServer other;
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
        super(0);
        this.hub = hub;
        this.lie = lie;
        this.from = from;
        this.once = once;
        content = StandInServer.of((exchange, request) -> handle(exchange, request, contentPort, false));
        other = StandInServer.of((exchange, request) -> handle(exchange, request, hub.getPort(), false));
        serve((exchange, request) -> handle(exchange, request, hub.getPort(), true));
    }

    URI endpoint() {
        return URI.create(address());
    }

    /** Whether another server than the Hub has seen the token. */
    boolean leaked() {
        return leaked.get();
    }

    private void handle(HttpExchange exchange, Seen request, int port, boolean mayKnow)
            throws IOException, InterruptedException {
        if (!mayKnow && request.authorization() != null) {
            leaked.set(true);
        }
        HttpResponse<byte[]> honest = honest(request, port);
        Headers headers = exchange.getResponseHeaders();
        honest.headers().map().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, values.stream().map(this::led).toList());
            }
        });
        int number = answers.incrementAndGet();
        if (once ? number == from : number >= from) {
            lie(exchange, request, honest);
        } else {
            send(exchange, honest.statusCode(), honest.body(), length(honest));
        }
    }

    private HttpResponse<byte[]> honest(Seen seen, int port) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + seen.uri()))
                .method(seen.method(), HttpRequest.BodyPublishers.noBody());
        for (String name : new String[] {"Range", "Authorization"}) {
            String value = seen.header(name);
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
            return here.replace("127.0.0.1:" + contentPort, content.host());
        }
        return here;
    }

    private static long length(HttpResponse<byte[]> honest) {
        return honest.headers().firstValueAsLong("Content-Length").orElse(honest.body().length);
    }

    /** @param length what a request for the headers alone is told */
    private static void send(HttpExchange exchange, int status, byte[] body, long length) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(length));
            exchange.sendResponseHeaders(status, -1);
        } else {
            send(exchange, status, body);
        }
    }

    private void lie(HttpExchange exchange, Seen request, HttpResponse<byte[]> honest)
            throws IOException, InterruptedException {
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
            case OTHER_HOST -> redirect(exchange, other.address() + request.uri());
            case REDIRECT_LOOP -> redirect(exchange, request.uri().toString());
            case REDIRECT_NOWHERE -> redirect(exchange, "ht!tp://[::/%zz");
            case LINK_TO_ITSELF -> link(exchange, honest, request.uri().toString());
            case LINK_WITHOUT_END -> link(exchange, honest, "?cursor=" + answers.get());
            case LINK_ELSEWHERE -> link(exchange, honest, other.address() + "/api/datasets/owner/set/tree/main");
            case BODY_WITHOUT_END -> sendEndless(exchange, status);
            case SILENT -> stayQuiet();
            case STALLS -> sendStalled(exchange, status, body);
            case CUT -> sendCut(exchange, status, body);
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
            case ECHOED_TOKEN -> refuse(exchange, 403, "you sent " + request.authorization());
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

    private static byte[] changed(byte[] body) {
        byte[] changed = body.clone();
        if (changed.length > 0) {
            changed[changed.length / 2] ^= 1;
        }
        return changed;
    }

    private static void page(HttpExchange exchange, String text) throws IOException {
        send(exchange, 200, utf8(text), text.length());
    }

    private static void refuse(HttpExchange exchange, int status, String text) throws IOException {
        exchange.getResponseHeaders().set("Retry-After", "0");
        exchange.getResponseHeaders().set("X-Error-Message", text.replaceAll("[^ -~]", " "));
        send(exchange, status, utf8(text), text.length());
    }

    @Override
    public void close() {
        super.close();
        content.close();
        other.close();
        client.shutdownNow();
    }
}
