package io.posbias.encode.api;

import io.posbias.encode.TextEncoder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Texts on their way to a vendor. */
final class Texts {
    private Texts() {}

    /**
     * The text as it can be sent. An empty one becomes one space: OpenAI refuses a whole call for one empty text, and
     * Voyage asks for one character at least.
     */
    static String sendable(String text) {
        return text.isEmpty() ? " " : encodable(text);
    }

    /** The text with halves of characters as question marks, because UTF-8 has none. */
    static String encodable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Returns WHOLE for texts of at most as many bytes as the model reads tokens; of longer texts this is unknown. */
    static int seen(OptionalInt maxTokens, String... texts) {
        long bytes = Stream.of(texts)
                .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        return bytes <= maxTokens.orElse(-1) ? TextEncoder.WHOLE : TextEncoder.UNKNOWN;
    }
}
