package io.posbias.base.net;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

public class StandInServer implements AutoCloseable {
    static {
        // Headers and body are two packets: without this the second waits 40 ms for the first to be acknowledged.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    public record Seen(String method, URI uri, Headers headers, String text) {
        public String path() {
            return uri.getPath();
        }

        public @Nullable String header(String name) {
            return headers.getFirst(name);
        }

        public @Nullable String authorization() {
            return header("Authorization");
        }

        public @Nullable String range() {
            return header("Range");
        }

        public Fields fields() {
            return Json.parse(Path.of("request"), utf8(text));
        }

        public Map<String, @Nullable Object> body() {
            return fields().toMap();
        }

        public List<String> texts(String field) {
            return body().get(field) instanceof List<?> list
                    ? list.stream().map(String::valueOf).toList()
                    : List.of();
        }
    }

    @FunctionalInterface
    public interface Answer {
        void send(HttpExchange exchange, Seen request) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());

    /**
     * Starts the server; {@link #serve} says how it answers.
     *
     * @param port 0 for any free port
     */
    protected StandInServer(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
        server.setExecutor(threads);
        server.start();
    }

    public static StandInServer of(Answer answer) {
        StandInServer server = new StandInServer(0);
        server.serve(answer);
        return server;
    }

    /** Returns host and port where nobody listens. */
    public static String closedHost() {
        try (StandInServer gone = new StandInServer(0)) {
            return gone.host();
        }
    }

    protected final void serve(Answer answer) {
        server.createContext("/", exchange -> {
            try (exchange) {
                Seen request = new Seen(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI(),
                        exchange.getRequestHeaders(),
                        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                answer.send(exchange, request);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Records a request for {@link #seen}; a server of large requests need not. */
    protected final void record(Seen request) {
        seen.add(request);
    }

    public final List<Seen> seen() {
        return List.copyOf(seen);
    }

    public final String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    public String address() {
        return "http://" + host();
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Sends a status and a body; to HEAD, the body's length. */
    public static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    public static void sendJson(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        send(exchange, status, body);
    }

    /** Announces the whole body and sends its first half. */
    private static void sendHalf(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, Math.max(1, body.length));
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
    }

    /** Breaks the connection in the middle of the body. */
    public static void sendCut(HttpExchange exchange, int status, byte[] body) throws IOException {
        sendHalf(exchange, status, body);
        throw new IOException("the server breaks off, as ordered");
    }

    /** Sends spaces until the client closes the connection. */
    public static void sendEndless(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        byte[] spaces = new byte[1 << 20];
        Arrays.fill(spaces, (byte) ' ');
        while (true) {
            exchange.getResponseBody().write(spaces);
        }
    }

    /** Sends nothing until the server is closed. */
    public final void stayQuiet() throws IOException, InterruptedException {
        if (closed.await(30, TimeUnit.SECONDS)) {
            throw new IOException("the server is closed");
        }
    }

    /** Sends half of the body, then nothing until the server is closed. */
    public final void sendStalled(HttpExchange exchange, int status, byte[] body)
            throws IOException, InterruptedException {
        sendHalf(exchange, status, body);
        stayQuiet();
    }

    /** Sends a space every 20 ms until the server is closed. */
    public final void sendTrickle(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.sendResponseHeaders(200, 0);
        while (!closed.await(20, TimeUnit.MILLISECONDS)) {
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
