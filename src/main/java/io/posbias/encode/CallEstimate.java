package io.posbias.encode;

import org.jspecify.annotations.Nullable;

/**
 * What calls of services some work would take, of what is not known yet.
 *
 * @param calls how many requests
 * @param texts how many texts they hold: texts to embed, passages to rerank, questions
 * @param tokens how many tokens they hold, by {@link #tokens}
 * @param usd their price; null where the price of one of them is not known
 */
public record CallEstimate(
        long calls, long texts, long tokens, @Nullable Double usd) {
    /** No calls. */
    public static final CallEstimate NONE = new CallEstimate(0, 0, 0, 0.0);

    /** How tokens are counted, in words. */
    public static final String BASIS = "tokens: a third of a text's ASCII characters, all of its others, and 10: rather"
            + " too many than too few";

    /** A vendor's own prompt (Voyage's is the longest known, 8 tokens) and special tokens. */
    private static final long TOKENS_AROUND = 10;

    /**
     * How many tokens a text may have, without its tokenizer, rather too many than too few: a third of its ASCII
     * characters (English has about four characters a token, code and digits fewer), all of its others (Chinese has
     * about one character a token), and those that surround it.
     */
    public static long tokens(String text) {
        long ascii = text.chars().filter(character -> character < 128).count();
        return Math.ceilDiv(ascii, 3) + (text.length() - ascii) + TOKENS_AROUND;
    }

    /** Both together. */
    public CallEstimate plus(CallEstimate other) {
        return new CallEstimate(
                calls + other.calls,
                texts + other.texts,
                tokens + other.tokens,
                usd == null || other.usd == null ? null : (Double) (usd + other.usd));
    }
}
