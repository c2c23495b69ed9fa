package io.posbias.model.encode.api;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Usage of a call, as the vendor reports it.
 *
 * @param tokens tokens read and written; empty when the answer does not say
 * @param written those of them that a language model wrote; empty when the answer does not say
 * @param searches searches billed (Cohere's rerankers: one query with up to 100 documents); 0 when none
 */
public record Usage(OptionalLong tokens, OptionalLong written, long searches) {
    /** {@code usage} in the answers of OpenAI, Voyage and Jina. */
    public record Tokens(
            @Nullable Double totalTokens,
            @Nullable Double promptTokens,
            @Nullable Double completionTokens) {
        @Nullable
        Double all() {
            if (totalTokens != null) {
                return totalTokens;
            }
            return promptTokens == null || completionTokens == null
                    ? promptTokens
                    : (Double) (promptTokens + completionTokens);
        }

        @Nullable
        Double written() {
            if (completionTokens != null || totalTokens == null || promptTokens == null) {
                return completionTokens;
            }
            return totalTokens - promptTokens;
        }
    }

    /**
     * Billed units of Cohere: {@code {"billed_units": {"input_tokens": 12}}} for embeddings, {@code
     * {"billed_units": {"search_units": 1}}} for reranking. The reference calls these numbers, not whole numbers.
     */
    record Billing(@Nullable Units billedUnits) {
        record Units(@Nullable Double inputTokens, @Nullable Double searchUnits) {}
    }

    public static Usage of(@Nullable Tokens usage, @Nullable Billing meta) {
        Billing.Units units = meta == null ? null : meta.billedUnits();
        Double tokens = usage != null ? usage.all() : units == null ? null : units.inputTokens();
        return new Usage(
                whole(tokens),
                whole(usage == null ? null : usage.written()),
                units == null || units.searchUnits() == null ? 0 : Math.round(units.searchUnits()));
    }

    private static OptionalLong whole(@Nullable Double number) {
        return number == null ? OptionalLong.empty() : OptionalLong.of(Math.round(number));
    }
}
