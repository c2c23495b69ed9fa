package io.posbias.encode.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Voyage AI's embeddings and rerankers. The server puts a prompt before each text, chosen by {@code input_type}.
 *
 * @see <a href="https://docs.voyageai.com/reference/embeddings-api">embeddings</a>: at most 1,000 texts a call, and
 *     120,000 tokens for the large models (others take more, which a recipe cannot use: the least holds for all)
 * @see <a href="https://docs.voyageai.com/reference/reranker-api">rerankers</a>: at most 1,000 documents a call, and
 *     600,000 tokens for rerank-2 and later, the query counted once per document (300,000 for rerank-1)
 */
final class Voyage implements EmbeddingVendor, RerankVendor {
    private static final EmbeddingVendor.Facts EMBEDDING = new EmbeddingVendor.Facts(
            URI.create("https://api.voyageai.com/v1/embeddings"), "query", "document", true, 1000, 120_000);
    private static final RerankVendor.Facts RERANK =
            new RerankVendor.Facts(URI.create("https://api.voyageai.com/v1/rerank"), true, 1000, 600_000);

    @Override
    public EmbeddingVendor.Facts facts() {
        return EMBEDDING;
    }

    @Override
    public Map<String, Object> body(EmbeddingSettings settings, List<String> texts, boolean query) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.api().model());
        body.put("input", texts);
        if (!settings.type(query).isEmpty()) {
            body.put("input_type", settings.type(query));
        }
        body.put("truncation", settings.truncate());
        if (settings.requestDimension()) {
            body.put("output_dimension", settings.dimension());
        }
        return body;
    }

    @Override
    public Reply<float[]> read(byte[] json) throws WrongAnswerException {
        return ApiJson.read(json, IndexedVectors.class).reply();
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
        body.put("truncation", settings.truncate());
        body.put("return_documents", false);
        return body;
    }

    @Override
    public Reply<Float> readScores(byte[] json) throws WrongAnswerException {
        IndexedScores answer = ApiJson.read(json, IndexedScores.class);
        return answer.reply("data", answer.data());
    }
}
