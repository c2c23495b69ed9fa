package io.posbias.base.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
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

    /** Something that is tried: sends requests and reads their answers. */
    public interface Try<T> {
        T run() throws IOException;

        /** Returns true if the last try brought so much that tries are counted anew. */
        default boolean advanced() throws IOException {
            return false;
        }
    }

    /** Is told of a try that failed, before the pause until the next. */
    public interface Listener {
        /** @param next number of the next try, from 2 */
        void failed(IOException failure, int next, Duration pause);
    }

    /**
     * Tries until there is a result.
     *
     * @param address of the server
     * @throws RefusedException if the server refuses
     * @throws AnswerException if the answer cannot be used
     * @throws InterruptedIOException if this was closed, or this thread interrupted, which it then still is
     * @throws IOException if there is no answer; see {@link #mayPass} for whether it was tried {@link RetryPolicy#TRIES}
     *     times
     */
    public <T> T tried(URI address, Try<T> once, Listener listener) throws IOException {
        int tried = 0;
        while (true) {
            IOException failure;
            try {
                return once.run();
            } catch (IOException broken) {
                failure = broken;
            }
            if (closed || Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException(closed ? "broken off" : "interrupted");
            }
            tried = once.advanced() ? 1 : tried + 1;
            if (tried >= RetryPolicy.TRIES || !mayPass(failure, address)) {
                throw failure;
            }
            Duration pause = policy.pause(
                    tried, failure instanceof RefusedException refused ? refused.asked() : Optional.empty());
            listener.failed(failure, tried + 1, pause);
            try {
                policy.sleep().sleep(pause);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
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

    /**
     * Sends a request once, and follows redirects of GET and HEAD.
     *
     * @param takes true for an answer that can be read
     * @return that answer; the caller closes it
     * @throws RefusedException for any other
     */
    public HttpReply send(Http.Request request, Limits limits, Predicate<HttpReply> takes) throws IOException {
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
            if (takes.test(reply)) {
                return reply;
            }
            try (reply) {
                Optional<String> location = reply.header("Location");
                if (reply.status() / 100 != 3
                        || location.isEmpty()
                        || next.method().equals("POST")) {
                    throw RefusedException.of(reply, request.secrets().values());
                }
                next = next.to(follow("a redirect", next.address(), location.get()));
            }
        }
        throw AnswerException.forGood("more than " + MOST_REDIRECTS + " redirects");
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
            throw AnswerException.forGood(what + " " + refused.getMessage());
        }
    }

    /** Breaks off what is under way, which then is not tried again. */
    @Override
    public void close() {
        closed = true;
        http.close();
    }
}
