package io.posbias.encode.api;

import io.posbias.Parallel;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.model.Pooling;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** One vector a text, by a vendor's service or a server that speaks like one. */
public final class ApiEncoder implements TextEncoder {
    /** Concurrent calls; vendors limit requests by the minute, not by how many wait. */
    static final int CALLS = 4;

    private final EmbeddingSettings settings;
    private final ApiConnection connection;

    /** Prepares to ask a service; its key is in the session's environment. */
    public ApiEncoder(EmbeddingSettings settings, Engine engine) {
        this(settings, ApiConnection.of(settings.api(), engine.session(), new ApiMeter(), engine.calls()));
    }

    ApiEncoder(EmbeddingSettings settings, ApiConnection connection) {
        this.settings = settings;
        this.connection = connection;
    }

    @Override
    public int dimension() {
        return settings.output().dimension();
    }

    @Override
    public String space() {
        return settings.space();
    }

    @Override
    public Map<String, Number> usage() {
        return connection.usage();
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        List<String> prompted = prompted(texts, role);
        List<Batch> batches = Batch.divide(prompted, settings.limits(), 0);
        return sink -> Parallel.forChunks(CALLS, batches.size(), 1, () -> (from, to) -> {
            for (Batch batch : batches.subList(from, to)) {
                sink.accept(encoded(prompted, batch, role));
            }
        });
    }

    private EmbeddingSettings.Input input(Role role) {
        return role == Role.QUERY ? settings.queries() : settings.documents();
    }

    private List<String> prompted(List<String> texts, Role role) {
        return texts.stream().map(text -> input(role).prompt() + text).toList();
    }

    @Override
    public CallEstimate estimate(List<String> texts, Role role) {
        List<String> prompted = prompted(texts, role);
        long tokens = prompted.stream().mapToLong(CallEstimate::tokens).sum();
        return settings.api()
                .estimate(Batch.divide(prompted, settings.limits(), 0).size(), texts.size(), tokens);
    }

    private List<Encoded> encoded(List<String> texts, Batch batch, Role role) {
        List<float[]> vectors = embed(batch.of(texts), role);
        List<Encoded> encoded = new ArrayList<>(vectors.size());
        for (int i = 0; i < vectors.size(); i++) {
            int text = batch.from() + i;
            float[] vector = vectors.get(i);
            if (settings.output().normalise()) {
                Pooling.normalise(vector, 0, vector.length);
            }
            encoded.add(new Encoded(text, vector, 1, Texts.seen(settings.limit(), texts.get(text))));
        }
        return encoded;
    }

    /**
     * Embeds the texts of one call. An empty text is sent as one space.
     *
     * @param texts with their prompts
     * @return a vector of finite numbers per text, in their order, as the vendor gives it
     * @throws ApiException when the vendor refuses, stays silent, or answers with something else
     */
    List<float[]> embed(List<String> texts, Role role) {
        Dialect dialect = settings.api().service().embeddings;
        Map<Dialect.Part, Object> parts = new EnumMap<>(Dialect.Part.class);
        parts.put(Dialect.Part.TEXTS, texts.stream().map(Texts::sendable).toList());
        if (!input(role).type().isEmpty()) {
            parts.put(Dialect.Part.TYPE, input(role).type());
        }
        parts.put(Dialect.Part.TRUNCATE, settings.truncates());
        parts.put(Dialect.Part.TRUNCATE_END, settings.truncates() ? "END" : "NONE");
        if (settings.output().requestDimension()) {
            parts.put(Dialect.Part.DIMENSION, dimension());
        }
        List<float[]> vectors = connection.call(
                dialect.body(settings.api().model(), parts),
                texts.size(),
                json -> Reply.vectors(json, dialect.answer()));
        vectors.forEach(this::check);
        return vectors;
    }

    private void check(float[] vector) {
        if (vector.length != dimension()) {
            throw connection.wrong(
                    "a vector has " + vector.length + " numbers, and the recipe says dimension " + dimension());
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
