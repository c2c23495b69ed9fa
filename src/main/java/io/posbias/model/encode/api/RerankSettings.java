package io.posbias.model.encode.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Suggestions;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a reranking service, from a recipe.
 *
 * @param truncate whether the vendor is to cut long texts; null for the default
 * @param maxTokens where Cohere cuts a document; for information with the others; null if unknown
 * @param documentsPerCall null for as many as the papers rerank; a query with more is asked in several calls, which is the
 *     same for rerankers that score each document by itself
 * @param written the whole recipe
 */
public record RerankSettings(
        @JsonUnwrapped ApiSettings.ServiceFields service,
        @Nullable Boolean truncate,
        @Setting(least = 1) @Nullable Integer maxTokens,
        @Setting(least = 1) @Nullable Integer documentsPerCall,
        Fields written) {
    /** As many as the papers rerank, so that a query is one call; Cohere bills a search per 100 documents. */
    private static final int DOCUMENTS_PER_CALL = 100;

    public RerankSettings {
        if (service.service().rerankers == null) {
            throw new Setting.Wrong(
                    "service",
                    "is " + service.service() + ", which has no rerankers",
                    "it is one of " + String.join(", ", Suggestions.words(Service.withRerankers())));
        }
        service.wire().refuseOmitted(service.service().rerankers);
        service.truncates(truncate, service.service().rerankers);
        ApiSettings.limit(
                "documents-per-call",
                documentsPerCall,
                DOCUMENTS_PER_CALL,
                service.service().rerankers.mostTexts());
    }

    Dialect dialect() {
        return Objects.requireNonNull(service.service().rerankers);
    }

    ApiSettings api() {
        return service.settings(dialect().endpoint());
    }

    /** Returns true if the vendor is to truncate long texts; false if it offers no choice. */
    boolean truncates() {
        return service.truncates(truncate, dialect());
    }

    /** Returns the token limit of a document; empty if unknown. */
    OptionalInt limit() {
        return maxTokens == null ? OptionalInt.empty() : OptionalInt.of(maxTokens);
    }

    /** Returns how many documents one call holds at most. */
    int mostDocuments() {
        return Objects.requireNonNullElse(documentsPerCall, DOCUMENTS_PER_CALL);
    }

    /** Identifies what scores depend on, as {@link io.posbias.model.encode.PairScorer#space()}. */
    String space() {
        return Json.fingerprint(written, RerankSettings.class);
    }
}
