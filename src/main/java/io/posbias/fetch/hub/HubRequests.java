package io.posbias.fetch.hub;

import io.posbias.base.net.Addresses;
import io.posbias.base.net.Http;
import io.posbias.base.net.HttpReply;
import io.posbias.base.net.Limits;
import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.Secret;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Single requests to the Hub. Redirects are followed here, so that the token goes to the Hub only, not to
 * the content servers it points to, whose addresses carry their own permission.
 */
final class HubRequests {
    private static final Logger LOG = LoggerFactory.getLogger(HubRequests.class);

    /** The most that the Hub says of files at a time: of a thousand. */
    private static final long MOST_LISTED = 16 << 20;

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);
    private static final int MOST_REDIRECTS = 8;

    /** In a row that bring next to nothing, before a request is given up. */
    static final int TRIES = 5;

    private final Http http = new Http();

    private final HubSettings settings;
    private final RetryPolicy patience;

    HubRequests(HubSettings settings) {
        this.settings = settings;
        Duration first = settings.patience();
        this.patience = new RetryPolicy(
                settings.silence(),
                TRIES,
                first,
                first.multipliedBy(64),
                LONGEST_PAUSE,
                LONGEST_PAUSE.multipliedBy(TRIES),
                Thread::sleep,
                () -> 1);
    }

    private Limits list() {
        return new Limits(settings.silence(), settings.silence().multipliedBy(2), MOST_LISTED);
    }

    /** Asks for headers; stops at the redirect that carries the Hub's own headers for a large file. */
    HttpReply head(URI address) throws IOException {
        return follow(
                "HEAD",
                address,
                Map.of(),
                list(),
                reply -> reply.header("X-Linked-Etag").isPresent());
    }

    /** Asks for what the Hub says of files. The caller closes the body. */
    HttpReply list(URI address) throws IOException {
        return follow("GET", address, Map.of(), list(), reply -> false);
    }

    /**
     * Asks for content. The caller closes the body.
     *
     * @param most how many bytes it may hold
     */
    HttpReply get(URI address, Map<String, String> headers, long most) throws IOException {
        return follow("GET", address, headers, Limits.ofFile(settings.silence(), most), reply -> false);
    }

    private HttpReply follow(
            String method, URI address, Map<String, String> headers, Limits limits, Predicate<HttpReply> enough)
            throws IOException {
        URI next = address;
        for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
            HttpReply reply = send(method, next, headers, limits);
            Optional<String> location = reply.header("Location");
            if (reply.status() / 100 != 3 || location.isEmpty() || enough.test(reply)) {
                return reply;
            }
            reply.close();
            next = follow("a redirect", next, location.get());
        }
        throw new IOException("more than " + MOST_REDIRECTS + " redirects from " + address.getHost());
    }

    /**
     * Resolves a redirect or link of the Hub.
     *
     * @param what the link's name, for messages
     * @throws IOException if it is not an address, or an open connection after an encrypted one
     */
    static URI follow(String what, URI from, String link) throws IOException {
        try {
            return Addresses.follow(from, link);
        } catch (IllegalArgumentException refused) {
            throw new IOException(what + " " + refused.getMessage(), refused);
        }
    }

    private HttpReply send(String method, URI address, Map<String, String> headers, Limits limits) throws IOException {
        Optional<Secret> token = isHub(address) ? settings.token() : Optional.empty();
        token.ifPresent(secret -> secret.checkGoesTo(
                address, "send none: unset HF_TOKEN, and set HF_TOKEN_PATH=/dev/null where a token is stored"));
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("Accept-Encoding", "identity");
        HttpReply reply = http.send(new Http.Request(method, address, all, new byte[0], token), limits);
        // Neither headers nor the query part: they hold the token, or a signature that is as good as one.
        LOG.debug("{} {}{}: {}", method, address.getHost(), address.getPath(), reply.status());
        return reply;
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

    /** Counts the tries of a request or file. */
    Tries tries() {
        return new Tries();
    }

    /** Tries of one request or file, with a pause after each but the last. */
    final class Tries {
        private int fruitless;
        private Duration waited = Duration.ZERO;

        /**
         * Waits before the next try: as long as the server asks, else longer each time.
         *
         * @param reply null where the server sent none
         * @return false, at once, if the last try was the last
         */
        boolean again(@Nullable HttpReply reply) throws IOException {
            fruitless++;
            return pause(fruitless, reply);
        }

        /** Waits after a try that brought a part of the file; tries are counted anew. */
        boolean continued(@Nullable HttpReply reply) throws IOException {
            fruitless = 0;
            waited = Duration.ZERO;
            return pause(1, reply);
        }

        private boolean pause(int tried, @Nullable HttpReply reply) throws IOException {
            Optional<Duration> asked = Optional.ofNullable(reply)
                    .flatMap(answer -> answer.header("Retry-After"))
                    .map(header -> RetryPolicy.retryAfter(header).orElse(Duration.ofSeconds(1)));
            Optional<Duration> pause = patience.pause(tried, waited, asked);
            if (pause.isEmpty()) {
                return false;
            }
            try {
                patience.sleep().sleep(pause.get());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
            waited = waited.plus(pause.get());
            return true;
        }
    }
}
