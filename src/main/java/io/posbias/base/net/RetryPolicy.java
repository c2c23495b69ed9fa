package io.posbias.base.net;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Waiting times for answers of a server and between tries.
 *
 * @param timeout the longest time without a byte
 * @param first the pause after the first try when the server does not say; each further one is twice as long
 * @param reconnects true to try again where no connection was made, unless the server is this machine
 * @param sleep how to wait
 * @param jitter numbers from 0 to 1 that shorten pauses to between a half and the whole, so that several threads do not
 *     come back at once
 */
public record RetryPolicy(Duration timeout, Duration first, boolean reconnects, Sleep sleep, DoubleSupplier jitter) {
    /** Tries in a row that bring next to nothing, before a request is given up. */
    public static final int TRIES = 6;

    /** The longest pause that a server gets: rate limits are counted by the minute. */
    private static final Duration LONGEST_ASKED = Duration.ofMinutes(2);

    /** Waits; replaced in tests. */
    public interface Sleep {
        void sleep(Duration pause) throws InterruptedException;
    }

    /** Waits in fact, with random jitter. */
    public RetryPolicy(Duration timeout, Duration first, boolean reconnects) {
        this(
                timeout,
                first,
                reconnects,
                Thread::sleep,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * The pause before the next try.
     *
     * @param tried how often the call was tried, 1 to {@link #TRIES}
     * @param asked what the server asks for
     */
    public Duration pause(int tried, Optional<Duration> asked) {
        return asked.map(wish -> wish.compareTo(LONGEST_ASKED) < 0 ? wish : LONGEST_ASKED)
                .orElseGet(() -> {
                    long whole = first.multipliedBy(1L << (tried - 1)).toMillis();
                    return Duration.ofMillis(Math.round(whole * (1 + jitter.getAsDouble()) / 2));
                });
    }

    /** What a reply asks for: {@code retry-after-ms} of OpenAI and Azure, or {@code Retry-After} of RFC 9110. */
    static Optional<Duration> asked(HttpReply reply) {
        return reply.header("retry-after-ms")
                .flatMap(text -> number(text, 1))
                .or(() -> reply.header("Retry-After")
                        .flatMap(text -> number(text, 1000).or(() -> date(text))));
    }

    private static Optional<Duration> number(String text, int milliseconds) {
        if (!text.strip().matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis((long) Math.ceil(Double.parseDouble(text.strip()) * milliseconds)));
    }

    private static Optional<Duration> date(String text) {
        try {
            Instant until = ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration left = Duration.between(Instant.now(), until);
            return Optional.of(left.isNegative() ? Duration.ZERO : left);
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
