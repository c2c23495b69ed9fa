package io.posbias.model.encode.api;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.net.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public final class Fakes {
    public static final String KEY = "sk-test/0123456789+abcdefghij";
    public static final Map<String, String> ENVIRONMENT = Map.of("TEST_KEY", KEY);

    private Fakes() {}

    static Fields recipe(String yaml) {
        return Json.parseYaml(Path.of("recipe.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
    }

    static EmbeddingSettings embedding(String recipe) {
        return Json.settings(recipe(recipe), EmbeddingSettings.class);
    }

    static RerankSettings reranking(String recipe) {
        return Json.settings(recipe(recipe), RerankSettings.class);
    }

    public static RetryPolicy patience(Duration timeout, List<Duration> pauses) {
        return new RetryPolicy(timeout, Duration.ofSeconds(1), true, pauses::add, () -> 1);
    }

    /** A vector that tells which text it belongs to: its length, its first character, and a number with many digits. */
    static float[] vector(String text) {
        return new float[] {text.length(), text.isEmpty() ? 0 : text.charAt(0), -0.012345678f};
    }

    private static String json(String text) {
        float[] vector = vector(text);
        return String.format(Locale.ROOT, "[%d, %d.0, -1.2345678e-2]", (int) vector[0], (int) vector[1]);
    }

    /** OpenAI, Voyage and Jina; last text first, because order means nothing here. */
    static String indexed(List<String> texts) {
        return IntStream.range(0, texts.size())
                .map(i -> texts.size() - 1 - i)
                .mapToObj(i ->
                        "{\"object\": \"embedding\", \"index\": " + i + ", \"embedding\": " + json(texts.get(i)) + "}")
                .collect(Collectors.joining(
                        ", ",
                        "{\"object\": \"list\", \"data\": [",
                        "], \"model\": \"m\", \"usage\": {\"prompt_tokens\": 7, \"total_tokens\": 7}}"));
    }

    static String cohere(List<String> texts) {
        return texts.stream()
                .map(Fakes::json)
                .collect(Collectors.joining(
                        ", ",
                        "{\"id\": \"x\", \"embeddings\": {\"float\": [",
                        "]}, \"texts\": [\"t\"], \"meta\": {\"api_version\": {\"version\": \"2\"}, \"billed_units\":"
                                + " {\"input_tokens\": 7}}, \"response_type\": \"embeddings_by_type\"}"));
    }

    /** Scores are the texts' lengths plus a fraction; last document first. */
    static String ranked(List<String> documents, String field, String rest) {
        return IntStream.range(0, documents.size())
                .map(i -> documents.size() - 1 - i)
                .mapToObj(i -> "{\"index\": " + i + ", \"relevance_score\": "
                        + documents.get(i).length() + ".8783142566680908}")
                .collect(Collectors.joining(", ", "{\"" + field + "\": [", "], " + rest + "}"));
    }

    static float score(String document) {
        return Float.parseFloat(document.length() + ".8783142566680908");
    }
}
