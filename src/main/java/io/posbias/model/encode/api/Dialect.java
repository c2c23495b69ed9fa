package io.posbias.model.encode.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Request format of a vendor's embeddings or rerankers, by its documentation.
 *
 * @param endpoint where requests go, unless the recipe says otherwise
 * @param queryType what marks queries; empty where the vendor treats queries and documents alike
 * @param documentType mark of documents; empty for none
 * @param mostTexts largest number of texts per call
 * @param mostTokens how many tokens one call may hold, all texts together; rerankers count the query once per document
 * @param answer the field of an answer that holds vectors or scores
 * @param fields fields of a request after the model, in order: names of {@link Part}s and of constant fields
 */
record Dialect(
        URI endpoint,
        String queryType,
        String documentType,
        int mostTexts,
        int mostTokens,
        String answer,
        List<Map.Entry<String, Object>> fields) {
    /** Parts that differ between requests. */
    enum Part {
        QUERY,
        TEXTS,
        /** Queries or documents, in the vendor's word. */
        TYPE,
        /** Truncation of long texts: true or false. */
        TRUNCATE,
        /** Truncation of long texts: END or NONE. */
        TRUNCATE_END,
        DIMENSION,
        /** At how many tokens documents are cut. */
        MAX_TOKENS
    }

    /** Returns true if a request chooses whether long texts are truncated. */
    boolean canTruncate() {
        return fields.stream()
                .anyMatch(field -> List.of(Part.TRUNCATE, Part.TRUNCATE_END).contains(field.getValue()));
    }

    /** The fields of a request that it can do without. */
    List<String> optional() {
        return fields.stream()
                .filter(field -> !List.of(Part.TEXTS, Part.QUERY).contains(field.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The request as it is sent, to be written as JSON; parts that are not given or are omitted are left out. */
    Map<String, Object> body(ApiSettings settings, Map<Part, Object> parts) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("model", settings.model()));
        fields.forEach(field -> {
            if (!(field.getValue() instanceof Part part)) {
                body.put(field.getKey(), field.getValue());
            } else if (parts.containsKey(part)) {
                body.put(field.getKey(), parts.get(part));
            }
        });
        body.keySet().removeAll(settings.wire().omit());
        return body;
    }
}
