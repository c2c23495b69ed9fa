package io.posbias.encode.api;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cohere's embeddings and rerankers, version 2 of the interface. Vectors come without numbers, in the order of the
 * texts. Rerankers always cut long documents, at {@code max_tokens_per_doc} tokens (4,096 unless told).
 *
 * @see <a href="https://docs.cohere.com/reference/embed">embeddings</a>: at most 96 texts a call; mteb found 128,000
 *     tokens to be the most
 * @see <a href="https://docs.cohere.com/reference/rerank">rerankers</a>: no more than 1,000 documents a call advised,
 *     no limit of tokens documented
 */
final class Cohere implements EmbeddingVendor, RerankVendor {
    private static final EmbeddingVendor.Facts EMBEDDING = new EmbeddingVendor.Facts(
            URI.create("https://api.cohere.com/v2/embed"), "search_query", "search_document", true, 96, 128_000);
    private static final RerankVendor.Facts RERANK =
            new RerankVendor.Facts(URI.create("https://api.cohere.com/v2/rerank"), false, 1000, Integer.MAX_VALUE);

    @Override
    public EmbeddingVendor.Facts facts() {
        return EMBEDDING;
    }

    @Override
    public Map<String, Object> body(EmbeddingSettings settings, List<String> texts, boolean query) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.api().model());
        body.put("texts", texts);
        if (!settings.type(query).isEmpty()) {
            body.put("input_type", settings.type(query));
        }
        body.put("embedding_types", List.of("float"));
        body.put("truncate", settings.truncate() ? "END" : "NONE");
        if (settings.requestDimension()) {
            body.put("output_dimension", settings.dimension());
        }
        return body;
    }

    /** Vectors by type, each type's in the order of the texts. */
    record Vectors(
            @Nullable Map<String, @Nullable List<float @Nullable []>> embeddings,
            @Nullable Billing meta) {}

    @Override
    public Reply<float[]> read(byte[] json) throws WrongAnswerException {
        Vectors answer = ApiJson.read(json, Vectors.class);
        List<float @Nullable []> vectors =
                answer.embeddings() == null ? null : answer.embeddings().get("float");
        if (vectors == null) {
            throw WrongAnswerException.forGood("no field \"embeddings.float\"");
        }
        List<Reply.Item<float[]>> items = new ArrayList<>();
        for (float[] vector : vectors) {
            items.add(Reply.item(items.size(), "embedding", vector));
        }
        return new Reply<>(items, Usage.of(null, answer.meta()));
    }

    @Override
    public RerankVendor.Facts rerankFacts() {
        return RERANK;
    }

    @Override
    public Map<String, Object> rerankBody(RerankSettings settings, String query, List<String> documents) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.api().model());
        body.put("query", query);
        body.put("documents", documents);
        settings.maxTokens().ifPresent(most -> body.put("max_tokens_per_doc", most));
        return body;
    }

    @Override
    public Reply<Float> readScores(byte[] json) throws WrongAnswerException {
        IndexedScores answer = ApiJson.read(json, IndexedScores.class);
        return answer.reply("results", answer.results());
    }
}
