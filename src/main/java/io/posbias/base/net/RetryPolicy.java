package io.posbias.base.net;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Waiting times for answers of a server and between tries.
 *
 * @param timeout for one answer, from the request's first byte to the answer's last
 * @param tries how often a call is tried
 * @param first the pause after the first try when the server does not say; each further one is twice as long
 * @param longest the longest of these
 * @param longestAsked the longest pause that a server gets
 * @param total the pauses of one call together
 * @param sleep how to wait
 * @param jitter numbers from 0 to 1 that shorten pauses to between a half and the whole, so that several threads do not
 *     come back at once
 */
public record RetryPolicy(
        Duration timeout,
        int tries,
        Duration first,
        Duration longest,
        Duration longestAsked,
        Duration total,
        Sleep sleep,
        DoubleSupplier jitter) {
    /** Waits; replaced in tests. */
    public interface Sleep {
        /** Waits so long. */
        void sleep(Duration pause) throws InterruptedException;
    }

    /**
     * The pause before the next try.
     *
     * @param tried how often the call was tried, at least 1
     * @param waited the pauses so far
     * @param asked what the server asks for
     * @return empty when it is time to give up
     */
    public Optional<Duration> pause(int tried, Duration waited, Optional<Duration> asked) {
        Duration pause = asked.map(wish -> shorter(wish, longestAsked)).orElseGet(() -> own(tried));
        boolean enough = tried >= tries || waited.plus(pause).compareTo(total) > 0;
        return enough ? Optional.empty() : Optional.of(pause);
    }

    private Duration own(int tried) {
        Duration whole = shorter(first.multipliedBy(1L << Math.min(tried - 1, 20)), longest);
        return Duration.ofMillis(Math.round(whole.toMillis() * (1 + jitter.getAsDouble()) / 2));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Reads {@code Retry-After}: seconds, or a date as in RFC 9110.
     *
     * @return empty when it cannot be understood; never negative
     */
    public static Optional<Duration> retryAfter(String header) {
        return number(header, 1000).or(() -> date(header));
    }

    /** Reads a number in units of {@code milliseconds}, for example {@code retry-after-ms} of OpenAI and Azure. */
    public static Optional<Duration> number(String text, int milliseconds) {
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
