package io.posbias.encode.api;

import org.jspecify.annotations.Nullable;

/**
 * How Cohere says what a call is billed: {@code {"billed_units": {"input_tokens": 12}}} for embeddings, {@code
 * {"billed_units": {"search_units": 1}}} for reranking. The reference calls these numbers, not whole numbers.
 */
record Billing(@Nullable Units billedUnits) {
    /** What is billed. */
    record Units(@Nullable Double inputTokens, @Nullable Double searchUnits) {}
}
