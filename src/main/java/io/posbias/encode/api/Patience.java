package io.posbias.encode.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * How long to wait for answers and between tries.
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
record Patience(
        Duration timeout,
        int tries,
        Duration first,
        Duration longest,
        Duration longestAsked,
        Duration total,
        Sleep sleep,
        DoubleSupplier jitter) {
    /** Rate limits are counted by the minute, so two minutes asked for and five in all outlast them. */
    static final Patience USUAL = new Patience(
            Duration.ofSeconds(120),
            6,
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Thread::sleep,
            () -> ThreadLocalRandom.current().nextDouble());

    /** Waits; replaced in tests. */
    interface Sleep {
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
    Optional<Duration> pause(int tried, Duration waited, Optional<Duration> asked) {
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
}
