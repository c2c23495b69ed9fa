package io.posbias.encode.api;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** How long a server asks to be left alone. */
final class RetryAfter {
    private RetryAfter() {}

    /**
     * Reads {@code retry-after-ms} (OpenAI, Azure) and {@code Retry-After} (seconds, or a date as in RFC 9110).
     *
     * @param now what a date is compared with
     * @return empty when the server does not say, or not so that it can be understood; never negative
     */
    static Optional<Duration> of(HttpHeaders headers, Instant now) {
        Optional<Duration> exact = headers.firstValue("retry-after-ms").flatMap(text -> number(text, 1));
        return exact.isPresent()
                ? exact
                : headers.firstValue("Retry-After")
                        .flatMap(text -> number(text, 1000).or(() -> date(text, now)));
    }

    private static Optional<Duration> number(String text, int milliseconds) {
        if (!text.strip().matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis((long) Math.ceil(Double.parseDouble(text.strip()) * milliseconds)));
    }

    private static Optional<Duration> date(String text, Instant now) {
        try {
            Instant until = ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(until.isBefore(now) ? Duration.ZERO : Duration.between(now, until));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
