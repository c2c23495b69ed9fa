package io.posbias.encode.api;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Embeddings from a vendor. Safe for several threads, whose calls then run at the same time. */
record EmbeddingApi(EmbeddingSettings settings, ApiConnection connection) implements AutoCloseable {
    /** How {@link #embed} would divide texts into calls: the texts of one batch are one call. */
    List<Batch> batches(List<String> texts) {
        return Batch.divide(texts, settings.textsPerCall(), settings.tokensPerCall(), 0);
    }

    /**
     * Embeds texts, in one call or several after each other, within the vendor's limits. An empty text is sent as one
     * space. Vectors are as the vendor gives them: not normalised here.
     *
     * @param texts with whatever prompt the recipe puts before them
     * @param query whether they are queries; else documents
     * @return a vector of finite numbers per text, in the order of the texts: [texts][dimension]
     * @throws ApiException when the vendor refuses, stays silent, or answers with something else
     */
    float[][] embed(List<String> texts, boolean query) {
        Dialect dialect = settings.api().service().embeddings;
        List<float[]> vectors = new ArrayList<>(texts.size());
        for (Batch batch : batches(texts)) {
            List<String> sent = batch.of(texts).stream().map(Texts::sendable).toList();
            List<float[]> answer = connection.call(
                    dialect.body(settings.api().model(), parts(sent, query)),
                    batch.size(),
                    json -> Answer.vectors(json, dialect.answer()));
            answer.forEach(this::check);
            vectors.addAll(answer);
        }
        return vectors.toArray(new float[0][]);
    }

    private Map<Dialect.Part, Object> parts(List<String> texts, boolean query) {
        Map<Dialect.Part, Object> parts = new EnumMap<>(Dialect.Part.class);
        parts.put(Dialect.Part.TEXTS, texts);
        String type = query ? settings.queryType() : settings.documentType();
        if (!type.isEmpty()) {
            parts.put(Dialect.Part.TYPE, type);
        }
        parts.put(Dialect.Part.TRUNCATE, settings.truncate());
        parts.put(Dialect.Part.TRUNCATE_END, settings.truncate() ? "END" : "NONE");
        if (settings.requestDimension()) {
            parts.put(Dialect.Part.DIMENSION, settings.dimension());
        }
        return parts;
    }

    private void check(float[] vector) {
        if (vector.length != settings.dimension()) {
            throw connection.wrong("a vector has " + vector.length + " numbers, and the recipe says dimension "
                    + settings.dimension());
        }
        for (float number : vector) {
            if (!Float.isFinite(number)) {
                throw connection.wrong("a vector holds " + number);
            }
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
