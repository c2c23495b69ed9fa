package io.posbias.base.net;

import java.time.Duration;

/**
 * Limits of one reply; exceeding one is an {@link java.io.IOException}.
 *
 * @param silence the longest time without a byte: until the headers, and between any two bytes
 * @param total the longest time from the request to the reply's last byte
 * @param bytes the most that a body may hold
 */
public record Limits(Duration silence, Duration total, long bytes) {
    /** A body that is slower than this many bytes a second is broken off. */
    private static final long SLOWEST = 1024;

    /** Limits for a file of a size: its time at 1 KiB a second. */
    public static Limits ofFile(Duration silence, long bytes) {
        return new Limits(silence, silence.plusSeconds(bytes / SLOWEST), bytes);
    }

    /** "2 s" or "1500 ms". */
    public static String words(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
