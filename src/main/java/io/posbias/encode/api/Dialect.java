package io.posbias.encode.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a vendor's embeddings or rerankers are asked, and what its documentation says.
 *
 * @param endpoint where requests go, unless the recipe says otherwise
 * @param queryType what marks queries; empty where the vendor treats queries and documents alike
 * @param documentType what marks documents; empty likewise
 * @param mostTexts how many texts one call may hold
 * @param mostTokens how many tokens one call may hold, all texts together; rerankers count the query once per document
 * @param answer the field of an answer that holds vectors or scores
 * @param fields what a request holds behind the model, in order: names of {@link Part}s and of what never changes
 */
record Dialect(
        URI endpoint,
        String queryType,
        String documentType,
        int mostTexts,
        int mostTokens,
        String answer,
        List<Map.Entry<String, Object>> fields) {
    /** What differs from request to request. */
    enum Part {
        QUERY,
        TEXTS,
        /** Whether the texts are queries or documents, in the vendor's word. */
        TYPE,
        /** Whether too long texts are to be cut: true or false. */
        TRUNCATE,
        /** The same as END or NONE. */
        TRUNCATE_END,
        DIMENSION,
        /** At how many tokens documents are cut. */
        MAX_TOKENS
    }

    /** Whether a request may ask that too long texts be cut, or not. */
    boolean canTruncate() {
        return fields.stream()
                .anyMatch(field -> List.of(Part.TRUNCATE, Part.TRUNCATE_END).contains(field.getValue()));
    }

    /** The request as it is sent, to be written as JSON; parts that are not given are left out. */
    Map<String, Object> body(String model, Map<Part, Object> parts) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("model", model));
        fields.forEach(field -> {
            if (!(field.getValue() instanceof Part part)) {
                body.put(field.getKey(), field.getValue());
            } else if (parts.containsKey(part)) {
                body.put(field.getKey(), parts.get(part));
            }
        });
        return body;
    }
}
