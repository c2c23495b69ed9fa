package io.posbias.model.encode.api;

import io.posbias.base.net.StandInServer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

public final class FakeApi extends StandInServer {
    private final Queue<Answer> ordered = new ConcurrentLinkedQueue<>();

    /** Answers requests for which nothing was ordered with status 200 and this JSON. */
    public FakeApi(Function<Seen, String> usual) {
        super(0);
        serve((exchange, request) -> {
            record(request);
            Answer next = ordered.poll();
            if (next == null) {
                sendJson(exchange, 200, utf8(usual.apply(request)));
            } else {
                next.send(exchange, request);
            }
        });
    }

    public void order(Answer... answers) {
        ordered.addAll(Arrays.asList(answers));
    }

    /** A status, a body, and headers as name, value, name, value, ... */
    public static Answer status(int status, String body, String... headers) {
        return (exchange, request) -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            sendJson(exchange, status, utf8(body));
        };
    }

    public static Answer ok(String body) {
        return status(200, body);
    }

    static Answer cut(String body) {
        return (exchange, request) -> sendCut(exchange, 200, utf8(body));
    }

    static Answer endless(int status) {
        return (exchange, request) -> sendEndless(exchange, status);
    }

    Answer silence() {
        return (exchange, request) -> stayQuiet();
    }

    Answer stall(String body) {
        return (exchange, request) -> sendStalled(exchange, 200, utf8(body));
    }

    Answer trickle() {
        return (exchange, request) -> sendTrickle(exchange);
    }
}
