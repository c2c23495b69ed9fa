package io.posbias.model.encode.api;

import io.posbias.base.net.Addresses;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.api.Dialect.Part;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The vendors, by the names that recipes use, and how each is asked. */
@SuppressWarnings("ImmutableEnumChecker") // dialects hold values that never change
public enum Service {
    /**
     * OpenAI's embeddings, and those of servers that talk alike (vLLM, text-embeddings-inference, llama.cpp, Ollama, ...).
     * Such a server may take fewer texts per call than OpenAI: text-embeddings-inference takes 32 unless told otherwise.
     *
     * @see <a href="https://platform.openai.com/docs/api-reference/embeddings/create">the vendor's reference</a>: at
     *     most 2,048 texts and 300,000 tokens a call; no text may be empty; a text over the model's limit is refused,
     *     not cut
     */
    OPENAI(
            new Dialect(
                    URI.create("https://api.openai.com/v1/embeddings"),
                    "",
                    "",
                    2048,
                    300_000,
                    "data",
                    List.of(
                            Map.entry("input", Part.TEXTS),
                            Map.entry("encoding_format", "float"),
                            Map.entry("dimensions", Part.DIMENSION))),
            null),
    /**
     * Voyage AI's embeddings and rerankers. The server puts a prompt before each text, chosen by {@code input_type}.
     *
     * @see <a href="https://docs.voyageai.com/reference/embeddings-api">embeddings</a>: at most 1,000 texts a call, and
     *     120,000 tokens for the large models (others take more, which a recipe cannot use: the least holds for all)
     * @see <a href="https://docs.voyageai.com/reference/reranker-api">rerankers</a>: at most 1,000 documents a call, and
     *     600,000 tokens for rerank-2 and later, the query counted once per document (300,000 for rerank-1)
     */
    VOYAGE(
            new Dialect(
                    URI.create("https://api.voyageai.com/v1/embeddings"),
                    "query",
                    "document",
                    1000,
                    120_000,
                    "data",
                    List.of(
                            Map.entry("input", Part.TEXTS),
                            Map.entry("input_type", Part.TYPE),
                            Map.entry("truncation", Part.TRUNCATE),
                            Map.entry("output_dimension", Part.DIMENSION))),
            rerank(
                    "https://api.voyageai.com/v1/rerank",
                    600_000,
                    "data",
                    List.of(Map.entry("truncation", Part.TRUNCATE), Map.entry("return_documents", false)))),
    /**
     * Cohere's embeddings and rerankers, version 2 of the interface. Vectors come without numbers, in the order of the
     * texts. Rerankers always cut long documents, at {@code max_tokens_per_doc} tokens (4,096 unless told).
     *
     * @see <a href="https://docs.cohere.com/reference/embed">embeddings</a>: at most 96 texts a call; mteb found 128,000
     *     tokens to be the most
     * @see <a href="https://docs.cohere.com/reference/rerank">rerankers</a>: no more than 1,000 documents a call
     *     advised, no limit of tokens documented
     */
    COHERE(
            new Dialect(
                    URI.create("https://api.cohere.com/v2/embed"),
                    "search_query",
                    "search_document",
                    96,
                    128_000,
                    "embeddings.float",
                    List.of(
                            Map.entry("texts", Part.TEXTS),
                            Map.entry("input_type", Part.TYPE),
                            Map.entry("embedding_types", List.of("float")),
                            Map.entry("truncate", Part.TRUNCATE_END),
                            Map.entry("output_dimension", Part.DIMENSION))),
            rerank(
                    "https://api.cohere.com/v2/rerank",
                    Integer.MAX_VALUE,
                    "results",
                    List.of(Map.entry("max_tokens_per_doc", Part.MAX_TOKENS)))),
    /**
     * Jina AI's embeddings and rerankers. {@code late_chunking} is never sent: it would make one text of all texts of a
     * call, so that a vector depended on its neighbours.
     *
     * @see <a href="https://api.jina.ai/openapi.json">the vendor's interface</a>: at most 2,048 texts a call (more are
     *     answered by status 400); no limit of tokens per call, nor of documents to rerank, was found, so modest ones
     *     are here. jina-reranker-v3 compares the documents of a call with each other and takes 64 of them: give its
     *     recipe a {@code depth} and {@code documents-per-call} of 64 at most
     */
    JINA(
            new Dialect(
                    URI.create("https://api.jina.ai/v1/embeddings"),
                    "retrieval.query",
                    "retrieval.passage",
                    2048,
                    120_000,
                    "data",
                    List.of(
                            Map.entry("input", Part.TEXTS),
                            Map.entry("task", Part.TYPE),
                            Map.entry("embedding_type", "float"),
                            Map.entry("truncate", Part.TRUNCATE),
                            Map.entry("dimensions", Part.DIMENSION))),
            rerank(
                    "https://api.jina.ai/v1/rerank",
                    Integer.MAX_VALUE,
                    "results",
                    List.of(Map.entry("return_documents", false)))),
    /**
     * Ollama's own interface; vectors come in the order of the texts.
     *
     * @see <a href="https://docs.ollama.com/api/embed">the reference</a>: no limit of texts or tokens per call was found
     */
    OLLAMA(
            new Dialect(
                    URI.create("http://localhost:11434/api/embed"),
                    "",
                    "",
                    2048,
                    Integer.MAX_VALUE,
                    "embeddings",
                    List.of(Map.entry("input", Part.TEXTS), Map.entry("truncate", Part.TRUNCATE))),
            null),
    /**
     * The own interface of text-embeddings-inference; answers are bare lists.
     *
     * @see <a href="https://huggingface.github.io/text-embeddings-inference/">the reference</a>: at most 32 texts a call,
     *     unless the server was told otherwise; 16,384 tokens in all
     */
    TEI(
            new Dialect(
                    URI.create("http://localhost:8080/embed"),
                    "",
                    "",
                    2048,
                    Integer.MAX_VALUE,
                    "",
                    List.of(Map.entry("inputs", Part.TEXTS), Map.entry("truncate", Part.TRUNCATE))),
            new Dialect(
                    URI.create("http://localhost:8080/rerank"),
                    "",
                    "",
                    1000,
                    Integer.MAX_VALUE,
                    "",
                    List.of(
                            Map.entry("query", Part.QUERY),
                            Map.entry("texts", Part.TEXTS),
                            Map.entry("truncate", Part.TRUNCATE))));

    final Dialect embeddings;
    /** Null where the vendor has no reranker. */
    final @Nullable Dialect rerankers;

    Service(Dialect embeddings, @Nullable Dialect rerankers) {
        this.embeddings = embeddings;
        this.rerankers = rerankers;
    }

    private static Dialect rerank(
            String endpoint, int mostTokens, String answer, List<Map.Entry<String, Object>> more) {
        List<Map.Entry<String, Object>> fields =
                new ArrayList<>(List.of(Map.entry("query", Part.QUERY), Map.entry("documents", Part.TEXTS)));
        fields.addAll(more);
        return new Dialect(URI.create(endpoint), "", "", 1000, mostTokens, answer, fields);
    }

    /** The environment variable that usually holds the vendor's key; empty for servers of one's own, which want none. */
    public String keyVariable() {
        return Addresses.isLoopback(embeddings.endpoint()) ? "" : name() + "_API_KEY";
    }

    /** The fields of requests that a recipe may leave out. */
    List<String> optional() {
        return Stream.of(embeddings, rerankers)
                .filter(Objects::nonNull)
                .flatMap(dialect -> dialect.optional().stream())
                .distinct()
                .toList();
    }

    static List<Service> withRerankers() {
        return Arrays.stream(values())
                .filter(service -> service.rerankers != null)
                .toList();
    }

    /** The name in recipes, for example {@code openai}. */
    @Override
    public String toString() {
        return Suggestions.word(this);
    }
}
