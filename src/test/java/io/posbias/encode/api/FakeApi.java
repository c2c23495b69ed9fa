package io.posbias.encode.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.posbias.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server that answers like the vendors, with whatever faults were ordered first. */
public final class FakeApi implements AutoCloseable {
    /** A request as the server saw it. */
    public record Seen(
            String method,
            String path,
            @Nullable String authorization,
            @Nullable String contentType,
            @Nullable String upgrade,
            Map<String, @Nullable Object> body) {
        /** A list of texts in the request. */
        public List<String> texts(String field) {
            return body.get(field) instanceof List<?> list
                    ? list.stream().map(String::valueOf).toList()
                    : List.of();
        }
    }

    /** How one request is answered. */
    public interface Answer {
        void send(HttpExchange exchange, Seen request) throws IOException;
    }

    private final HttpServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Queue<Answer> ordered = new ConcurrentLinkedQueue<>();
    private final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
    private final Answer usual;

    /** Answers requests for which nothing was ordered with status 200 and this JSON. */
    public FakeApi(Function<Seen, String> usual) {
        this.usual = (exchange, request) -> reply(exchange, 200, usual.apply(request));
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(
                Executors.newFixedThreadPool(8, Thread.ofPlatform().daemon().factory()));
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Seen request = new Seen(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    exchange.getRequestHeaders().getFirst("Upgrade"),
                    Json.parse(Path.of("request"), exchange.getRequestBody().readAllBytes())
                            .toMap());
            seen.add(request);
            Answer next = ordered.poll();
            (next == null ? usual : next).send(exchange, request);
        }
    }

    public void order(Answer... answers) {
        ordered.addAll(Arrays.asList(answers));
    }

    public List<Seen> seen() {
        return List.copyOf(seen);
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** A status, a body, and headers as name, value, name, value, ... */
    public static Answer status(int status, String body, String... headers) {
        return (exchange, request) -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            reply(exchange, status, body);
        };
    }

    static Answer ok(String body) {
        return status(200, body);
    }

    /** The connection breaks in the middle of a body whose length was announced. */
    static Answer cut(String body) {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody()
                    .write(body.substring(0, body.length() / 2).getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            throw new IOException("the server breaks off, as ordered");
        };
    }

    /** Nothing comes until the server is closed. */
    Answer silence() {
        return (exchange, request) -> await();
    }

    /** Headers and half a body come, then nothing until the server is closed. */
    Answer stall(String body) {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody()
                    .write(body.substring(0, body.length() / 2).getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            await();
        };
    }

    /** Spaces, until nobody listens. */
    static Answer endless(int status) {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(status, 0);
            byte[] spaces = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            while (true) {
                exchange.getResponseBody().write(spaces);
            }
        };
    }

    /** A space now and then, until nobody listens or the server is closed. */
    Answer trickle() {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 0);
            while (closed.getCount() > 0) {
                exchange.getResponseBody().write(' ');
                exchange.getResponseBody().flush();
                pause(Duration.ofMillis(100));
            }
        };
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void await() throws IOException {
        try {
            if (closed.await(30, TimeUnit.SECONDS)) {
                throw new IOException("the server is closed");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
