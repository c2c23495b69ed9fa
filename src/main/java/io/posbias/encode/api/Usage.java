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
