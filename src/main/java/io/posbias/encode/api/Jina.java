package io.posbias.encode.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Jina AI's embeddings and rerankers. {@code late_chunking} is never sent: it would make one text of all texts of a
 * call, so that a vector depended on its neighbours.
 *
 * @see <a href="https://api.jina.ai/openapi.json">the vendor's interface</a>: at most 2,048 texts a call (more are
 *     answered by status 400); no limit of tokens per call, nor of documents to rerank, was found, so modest ones stand
 *     here. jina-reranker-v3 compares the documents of a call with each other and takes 64 of them: give its recipe a
 *     {@code depth} and {@code documents-per-call} of 64 at most
 */
final class Jina implements EmbeddingVendor, RerankVendor {
    private static final EmbeddingVendor.Facts EMBEDDING = new EmbeddingVendor.Facts(
            URI.create("https://api.jina.ai/v1/embeddings"),
            "retrieval.query",
            "retrieval.passage",
            true,
            2048,
            120_000);
    private static final RerankVendor.Facts RERANK =
            new RerankVendor.Facts(URI.create("https://api.jina.ai/v1/rerank"), false, 1000, Integer.MAX_VALUE);

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
            body.put("task", settings.type(query));
        }
        body.put("embedding_type", "float");
        body.put("truncate", settings.truncate());
        if (settings.requestDimension()) {
            body.put("dimensions", settings.dimension());
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
        body.put("return_documents", false);
        return body;
    }

    @Override
    public Reply<Float> readScores(byte[] json) throws WrongAnswerException {
        IndexedScores answer = ApiJson.read(json, IndexedScores.class);
        return answer.reply("results", answer.results());
    }
}
