package io.posbias.encode.api;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a call used up, as far as the vendor says.
 *
 * @param tokens tokens read; empty when the answer does not say
 * @param searches searches billed (Cohere's rerankers: one query with up to 100 documents); 0 when none
 */
record Usage(OptionalLong tokens, long searches) {
    /** {@code usage} in the answers of OpenAI, Voyage and Jina. */
    record Tokens(@Nullable Double totalTokens, @Nullable Double promptTokens) {}

    /**
     * How Cohere says what a call is billed: {@code {"billed_units": {"input_tokens": 12}}} for embeddings, {@code
     * {"billed_units": {"search_units": 1}}} for reranking. The reference calls these numbers, not whole numbers.
     */
    record Billing(@Nullable Units billedUnits) {
        record Units(@Nullable Double inputTokens, @Nullable Double searchUnits) {}
    }

    static Usage of(@Nullable Tokens usage, @Nullable Billing meta) {
        Billing.Units units = meta == null ? null : meta.billedUnits();
        Double tokens = null;
        if (usage != null) {
            tokens = usage.totalTokens() != null ? usage.totalTokens() : usage.promptTokens();
        } else if (units != null) {
            tokens = units.inputTokens();
        }
        Double searches = units == null ? null : units.searchUnits();
        return new Usage(
                tokens == null ? OptionalLong.empty() : OptionalLong.of(Math.round(tokens)),
                searches == null ? 0 : Math.round(searches));
    }
}
