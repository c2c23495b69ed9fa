package io.posbias.model.encode;

import io.posbias.base.table.Meaning;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Estimated work that is not cached: service calls, or what a local model reads, which takes none.
 *
 * @param tokens by {@link #tokens}
 */
public record CallEstimate(
        @Meaning("requests to services") long calls,

        @Meaning("texts that they hold: to embed, to rerank, questions")
        long texts,

        @Meaning("tokens that they hold, estimated from characters, rather too many")
        long tokens,

        @Meaning(value = "their price; empty if a price is unknown", unit = "US dollars") @Nullable
        Double usd) {
    public static final CallEstimate NONE = new CallEstimate(0, 0, 0, 0.0);

    /** The counting rule of {@link #tokens}, in words. */
    public static final String BASIS = "tokens: a third of a text's ASCII characters, all of its others, and 10: rather"
            + " too many than too few";

    /** A vendor's own prompt (Voyage's is the longest known, 8 tokens) and special tokens. */
    private static final long TOKENS_AROUND = 10;

    /**
     * Estimates a text's tokens without its tokenizer, rather high: a third of its ASCII characters (English has about
     * four characters a token, code and digits fewer), all other characters (Chinese has about one character a token),
     * and {@link #TOKENS_AROUND}.
     */
    public static long tokens(String text) {
        long ascii = text.chars().filter(character -> character < 128).count();
        return Math.ceilDiv(ascii, 3) + (text.length() - ascii) + TOKENS_AROUND;
    }

    /**
     * Estimates what a local model reads.
     *
     * @param most tokens that it reads of a text
     */
    public static CallEstimate local(List<String> texts, int most) {
        long tokens =
                texts.stream().mapToLong(text -> Math.min(most, tokens(text))).sum();
        return new CallEstimate(0, texts.size(), tokens, 0.0);
    }

    /** Prints the price; null if unknown. */
    public @Nullable String usd(String format) {
        return usd == null ? null : String.format(Locale.ROOT, format, usd);
    }

    public CallEstimate plus(CallEstimate other) {
        return new CallEstimate(
                calls + other.calls,
                texts + other.texts,
                tokens + other.tokens,
                usd == null || other.usd == null ? null : (Double) (usd + other.usd));
    }
}
