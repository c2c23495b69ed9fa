package io.posbias.encode.api;

import io.posbias.Fields;
import io.posbias.Json;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Settings of a reranking service, from a recipe.
 *
 * @param truncate true if the vendor is to truncate long texts; false if it offers no choice
 * @param maxTokens where Cohere cuts a document; for information with the others
 * @param documentsPerCall how many documents one call holds at most; a query with more is asked in several calls, which
 *     is the same for rerankers that score each document by itself
 * @param space identifies what scores depend on, as {@link io.posbias.encode.PairScorer#space()}
 */
public record RerankSettings(
        ApiSettings api, boolean truncate, OptionalInt maxTokens, int documentsPerCall, String space) {
    /** The fields of a recipe that {@link #of} reads; there may be others. */
    public static final List<String> FIELDS = Stream.concat(
                    ApiSettings.FIELDS.stream(), Stream.of("truncate", "max-tokens", "documents-per-call"))
            .toList();

    /** As many as the papers rerank, so that a query is one call; Cohere bills a search per 100 documents. */
    private static final int DOCUMENTS_PER_CALL = 100;

    /** Reads a recipe of kind {@code rerank-api}; unknown fields are the caller's to refuse. */
    public static RerankSettings of(Fields recipe) {
        Service service = Service.of(recipe, Service.withRerankers());
        Dialect facts = Objects.requireNonNull(service.rerankers);
        return new RerankSettings(
                ApiSettings.of(recipe, service, facts.endpoint()),
                ApiSettings.truncate(recipe, service, facts.canTruncate()),
                ApiSettings.maxTokens(recipe),
                ApiSettings.between(recipe, "documents-per-call", DOCUMENTS_PER_CALL, 1, facts.mostTexts()),
                Json.fingerprint(recipe, FIELDS));
    }
}
