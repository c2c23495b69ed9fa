package io.posbias.encode.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Embeddings from a vendor. Safe for several threads, whose calls then run at the same time. */
public final class EmbeddingApi implements AutoCloseable {
    private final EmbeddingSettings settings;
    private final EmbeddingVendor vendor;
    private final ApiConnection connection;

    /**
     * Reads the key and touches no network yet.
     *
     * @param environment variables by name; the recipe names the one with the key
     * @param meter what calls are counted on
     * @param say gets a line per retry, from the thread that waits; never a key
     * @throws io.posbias.UsageException when the key is missing, malformed, or would travel unencrypted
     */
    public EmbeddingApi(
            EmbeddingSettings settings, Map<String, String> environment, ApiMeter meter, Consumer<String> say) {
        this(settings, environment, meter, say, Patience.USUAL);
    }

    EmbeddingApi(
            EmbeddingSettings settings,
            Map<String, String> environment,
            ApiMeter meter,
            Consumer<String> say,
            Patience patience) {
        this.settings = settings;
        this.vendor = settings.api().service().embedding();
        this.connection = new ApiConnection(settings.api(), environment, meter, say, patience);
    }

    /**
     * How {@link #embed} would divide texts into calls, for callers that want to run, show or save them one by one: the
     * texts of one batch are one call.
     */
    public List<Batch> batches(List<String> texts) {
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
    public float[][] embed(List<String> texts, boolean query) {
        List<float[]> vectors = new ArrayList<>(texts.size());
        for (Batch batch : batches(texts)) {
            List<String> sent = batch.of(texts).stream().map(Texts::sendable).toList();
            List<float[]> answer = connection.call(vendor.body(settings, sent, query), batch.size(), vendor::read);
            answer.forEach(this::check);
            vectors.addAll(answer);
        }
        return vectors.toArray(new float[0][]);
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

    /** Breaks off calls under way. */
    @Override
    public void close() {
        connection.close();
    }

    /** For example {@code voyage-3-large of voyage}. */
    @Override
    public String toString() {
        return settings.api().model() + " of " + settings.api().service();
    }
}
