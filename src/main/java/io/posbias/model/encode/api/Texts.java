package io.posbias.model.encode.api;

import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.TextEncoder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Texts on their way to a vendor. */
public final class Texts {
    private Texts() {}

    /**
     * The text as it can be sent. An empty one becomes one space: OpenAI refuses a whole call for one empty text, and
     * Voyage asks for one character at least.
     */
    public static String sendable(String text) {
        return text.isEmpty() ? " " : TextEncoder.encodable(text);
    }

    /**
     * Returns how many UTF-16 units of a text fit into a number of tokens behind its prompt, by {@link
     * CallEstimate#tokens}, at least one; WHOLE if all do. No character is cut in two.
     */
    static int cut(String prompt, String text, int mostTokens) {
        if (CallEstimate.tokens(prompt + text) <= mostTokens) {
            return TextEncoder.WHOLE;
        }
        int low = 1;
        int high = text.length();
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (CallEstimate.tokens(prompt + text.substring(0, middle)) <= mostTokens) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        boolean splits = low > 1 && Character.isHighSurrogate(text.charAt(low - 1));
        return Math.min(splits ? low - 1 : low, text.length());
    }

    /** Returns WHOLE for texts of at most as many bytes as the model reads tokens; of longer texts this is unknown. */
    static int seen(OptionalInt maxTokens, String... texts) {
        long bytes = Stream.of(texts)
                .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        return bytes <= maxTokens.orElse(-1) ? TextEncoder.WHOLE : TextEncoder.UNKNOWN;
    }
}
