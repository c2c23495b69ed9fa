package io.posbias.encode.api;

import io.posbias.encode.CallEstimate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reranking scores from a vendor. Safe for several threads, whose calls then run at the same time. */
record RerankApi(RerankSettings settings, ApiConnection connection) implements AutoCloseable {
    /** How {@link #score} would divide passages into calls. */
    List<Batch> batches(String query, List<String> passages) {
        Dialect dialect = Objects.requireNonNull(settings.api().service().rerankers);
        return Batch.divide(passages, settings.documentsPerCall(), dialect.mostTokens(), CallEstimate.tokens(query));
    }

    /**
     * Scores passages for a query, in one call or several after each other, within the vendor's limits. An empty text is
     * sent as one space.
     *
     * @return a finite score per passage, in the order of the passages; higher is better
     * @throws ApiException when the vendor refuses, stays silent, or answers with something else
     */
    float[] score(String query, List<String> passages) {
        Dialect dialect = Objects.requireNonNull(settings.api().service().rerankers);
        Map<Dialect.Part, Object> parts = new EnumMap<>(Dialect.Part.class);
        parts.put(Dialect.Part.QUERY, Texts.sendable(query));
        parts.put(Dialect.Part.TRUNCATE, settings.truncate());
        settings.maxTokens().ifPresent(most -> parts.put(Dialect.Part.MAX_TOKENS, most));
        float[] scores = new float[passages.size()];
        int next = 0;
        for (Batch batch : batches(query, passages)) {
            parts.put(
                    Dialect.Part.TEXTS,
                    batch.of(passages).stream().map(Texts::sendable).toList());
            Map<String, Object> body = dialect.body(settings.api().model(), parts);
            for (float score : connection.call(body, batch.size(), json -> Answer.scores(json, dialect.answer()))) {
                if (!Float.isFinite(score)) {
                    throw connection.wrong("a score is " + score);
                }
                scores[next++] = score;
            }
        }
        return scores;
    }

    @Override
    public void close() {
        connection.close();
    }
}
