package io.posbias.encode.api;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reranking scores from a vendor. Safe for several threads, whose calls then run at the same time. */
public final class RerankApi implements AutoCloseable {
    private final RerankSettings settings;
    private final RerankVendor vendor;
    private final ApiConnection connection;

    /**
     * Reads the key and touches no network yet.
     *
     * @param environment variables by name; the recipe names the one with the key
     * @param meter what calls are counted on
     * @param say gets a line per retry, from the thread that waits; never a key
     * @throws io.posbias.UsageException when the key is missing, malformed, or would travel unencrypted
     */
    public RerankApi(RerankSettings settings, Map<String, String> environment, ApiMeter meter, Consumer<String> say) {
        this(settings, environment, meter, say, Patience.USUAL);
    }

    RerankApi(
            RerankSettings settings,
            Map<String, String> environment,
            ApiMeter meter,
            Consumer<String> say,
            Patience patience) {
        this.settings = settings;
        this.vendor = settings.api().service().rerank().orElseThrow();
        this.connection = new ApiConnection(settings.api(), environment, meter, say, patience);
    }

    /**
     * Scores passages for a query, in one call or several after each other, within the vendor's limits. An empty text is
     * sent as one space.
     *
     * @return a finite score per passage, in the order of the passages; higher is better
     * @throws ApiException when the vendor refuses, stays silent, or answers with something else
     */
    public float[] score(String query, List<String> passages) {
        String sentQuery = Texts.sendable(query);
        float[] scores = new float[passages.size()];
        int next = 0;
        for (Batch batch : batches(query, passages)) {
            List<String> sent = batch.of(passages).stream().map(Texts::sendable).toList();
            Map<String, Object> body = vendor.rerankBody(settings, sentQuery, sent);
            for (float score : connection.call(body, batch.size(), vendor::readScores)) {
                if (!Float.isFinite(score)) {
                    throw connection.wrong("a score is " + score);
                }
                scores[next++] = score;
            }
        }
        return scores;
    }

    private List<Batch> batches(String query, List<String> passages) {
        return Batch.divide(
                passages, settings.documentsPerCall(), vendor.rerankFacts().mostTokens(), Texts.tokens(query));
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
