package io.posbias.base.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that are tried until they are answered or it is clear that they will not be. Redirects of GET and HEAD are
 * followed; a secret goes to the server that was asked and to no other. Safe for several threads.
 */
public final class Transfer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);

    private static final int MOST_REDIRECTS = 8;

    private final Http http;
    private final RetryPolicy policy;
    private volatile boolean closed;

    /** @param http closed with this */
    public Transfer(Http http, RetryPolicy policy) {
        this.http = http;
        this.policy = policy;
    }

    /**
     * A request and what becomes of its answer.
     *
     * @param <T> result
     */
    public interface Exchange<T> {
        /** The request of the next try. */
        Http.Request request() throws IOException;

        /** Returns true for an answer that can be read; others are redirects or refusals. */
        default boolean takes(HttpReply reply) {
            return reply.status() / 100 == 2;
        }

        /**
         * Reads an answer.
         *
         * @throws AnswerException if it is none
         */
        T read(HttpReply reply) throws IOException;

        /** Returns true if the last try brought so much that tries are counted anew. */
        default boolean advanced() throws IOException {
            return false;
        }

        /**
         * Called before a pause.
         *
         * @param tried the number of tries so far
         */
        default void failed(IOException failure, int tried, Duration pause) {}
    }

    /** Reads an answer. */
    public interface Reader<T> {
        T read(HttpReply reply) throws IOException;
    }

    /** Exchanges one request, which is the same in each try. */
    public <T> T send(Http.Request request, Limits limits, Reader<T> reader) throws IOException {
        return send(
                new Exchange<T>() {
                    @Override
                    public Http.Request request() {
                        return request;
                    }

                    @Override
                    public T read(HttpReply reply) throws IOException {
                        return reader.read(reply);
                    }
                },
                limits);
    }

    /**
     * Exchanges until there is a result.
     *
     * @throws RefusedException if the server refuses
     * @throws AnswerException if the answer cannot be used
     * @throws InterruptedIOException if this was closed, or this thread interrupted, which it then still is
     * @throws IOException if there is no answer; see {@link #mayPass} for whether it was tried {@link RetryPolicy#TRIES}
     *     times
     */
    public <T> T send(Exchange<T> exchange, Limits limits) throws IOException {
        int tried = 0;
        while (true) {
            Http.Request request = exchange.request();
            IOException failure;
            try (HttpReply reply = follow(request, exchange, limits)) {
                if (exchange.takes(reply)) {
                    return exchange.read(reply);
                }
                failure = RefusedException.of(reply, request.secrets());
            } catch (IOException broken) {
                failure = broken;
            }
            if (closed) {
                throw new InterruptedIOException("broken off");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            tried = exchange.advanced() ? 1 : tried + 1;
            if (tried >= RetryPolicy.TRIES || !mayPass(failure, request.address())) {
                throw failure;
            }
            Optional<Duration> asked = failure instanceof RefusedException refused ? refused.asked() : Optional.empty();
            Duration pause = policy.pause(tried, asked);
            exchange.failed(failure, tried, pause);
            sleep(pause);
        }
    }

    /** Returns true for failures that another try may change: if it was thrown, there were enough tries. */
    public boolean mayPass(IOException failure, URI address) {
        if (failure instanceof AnswerException answer) {
            return answer.mayPass();
        }
        return !(failure instanceof FileSystemException)
                && !(failure instanceof InterruptedIOException)
                && !Unreachable.isForGood(failure, address, policy.reconnects());
    }

    private HttpReply follow(Http.Request request, Exchange<?> exchange, Limits limits) throws IOException {
        Http.Request next = request;
        for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
            HttpReply reply = http.send(next, limits);
            // Neither headers nor the query part: they hold the token, or a signature that is as good as one.
            LOG.debug(
                    "{} {}{}: {}",
                    next.method(),
                    next.address().getHost(),
                    next.address().getPath(),
                    reply.status());
            Optional<String> location = reply.header("Location");
            boolean leads = reply.status() / 100 == 3
                    && location.isPresent()
                    && !next.method().equals("POST");
            if (!leads || exchange.takes(reply)) {
                return reply;
            }
            reply.close();
            next = next.to(follow("a redirect", next.address(), location.get()));
        }
        throw new AnswerException("more than " + MOST_REDIRECTS + " redirects", false);
    }

    /**
     * Resolves a redirect or link of a server.
     *
     * @param what the link's name, for messages
     * @throws AnswerException if it is not an address, or an open connection after an encrypted one
     */
    public static URI follow(String what, URI from, String link) throws AnswerException {
        try {
            return Addresses.follow(from, link);
        } catch (IllegalArgumentException refused) {
            throw new AnswerException(what + " " + refused.getMessage(), false);
        }
    }

    private void sleep(Duration pause) throws InterruptedIOException {
        try {
            policy.sleep().sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Breaks off what is under way, which then is not tried again. */
    @Override
    public void close() {
        closed = true;
        http.close();
    }
}
