package io.posbias.encode.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * OpenAI's embeddings, and those of servers that talk alike (vLLM, text-embeddings-inference, llama.cpp, Ollama, ...).
 * Such a server may take fewer texts per call than OpenAI: text-embeddings-inference takes 32 unless told otherwise.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/embeddings/create">the vendor's reference</a>: at most
 *     2,048 texts and 300,000 tokens a call; no text may be empty; a text over the model's limit is refused, not cut
 */
final class OpenAi implements EmbeddingVendor {
    private static final Facts FACTS =
            new Facts(URI.create("https://api.openai.com/v1/embeddings"), "", "", false, 2048, 300_000);

    @Override
    public Facts facts() {
        return FACTS;
    }

    @Override
    public Map<String, Object> body(EmbeddingSettings settings, List<String> texts, boolean query) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.api().model());
        body.put("input", texts);
        body.put("encoding_format", "float");
        if (settings.requestDimension()) {
            body.put("dimensions", settings.dimension());
        }
        return body;
    }

    @Override
    public Reply<float[]> read(byte[] json) throws WrongAnswerException {
        return ApiJson.read(json, IndexedVectors.class).reply();
    }
}
