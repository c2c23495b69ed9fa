package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiSettingsTest {
    @Test
    void aShortRecipeHasTheVendorsDefaults() {
        EmbeddingSettings embedding = Fakes.embedding("service: voyage\nmodel: voyage-3-large\ndimension: 2048");
        assertThat(embedding.api())
                .isEqualTo(new ApiSettings(
                        Service.VOYAGE,
                        URI.create("https://api.voyageai.com/v1/embeddings"),
                        "voyage-3-large",
                        Optional.of("VOYAGE_API_KEY"),
                        Optional.empty(),
                        ApiSettings.Wire.USUAL,
                        ConfiguredIn.RECIPE));
        assertThat(embedding.output()).isEqualTo(new EmbeddingSettings.VectorShape(2048, false, true));
        assertThat(embedding.queries()).isEqualTo(new EmbeddingSettings.Input("", "query"));
        assertThat(embedding.documents()).isEqualTo(new EmbeddingSettings.Input("", "document"));
        assertThat(embedding.truncates()).isTrue();
        assertThat(embedding.limit()).isEmpty();
        assertThat(embedding.limits()).isEqualTo(new Batch.Limits(64, 120_000));
        RerankSettings reranking = Fakes.reranking("service: cohere\nmodel: rerank-v3.5");
        assertThat(reranking.api())
                .isEqualTo(new ApiSettings(
                        Service.COHERE,
                        URI.create("https://api.cohere.com/v2/rerank"),
                        "rerank-v3.5",
                        Optional.of("COHERE_API_KEY"),
                        Optional.empty(),
                        ApiSettings.Wire.USUAL,
                        ConfiguredIn.RECIPE));
        assertThat(reranking.truncates()).isFalse();
        assertThat(reranking.limit()).isEmpty();
        assertThat(reranking.mostDocuments()).isEqualTo(100);
    }

    @Test
    void everyFieldIsRead() {
        String yaml = """
                service: jina
                endpoint: https://h:8443/e
                model: m
                key: K
                price-per-million-tokens: 0.02
                dimension: 5
                request-dimension: true
                query-type: q
                document-type: d
                truncate: false
                max-tokens: 8192
                texts-per-call: 7
                tokens-per-call: 99
                query-prompt: 'Q: '
                document-prompt: 'D: '
                normalise: false
                omit: [embedding_type]
                headers: {X-Org: $ORG}
                calls-at-once: 2
                tokenizer: {hub: a/b}
                skip-refused: true
                """;
        EmbeddingSettings settings = Fakes.embedding(yaml);
        assertThat(settings.api())
                .isEqualTo(new ApiSettings(
                        Service.JINA,
                        URI.create("https://h:8443/e"),
                        "m",
                        Optional.of("K"),
                        Optional.of(new TokenPrice(0.02, 0)),
                        new ApiSettings.Wire(List.of("embedding_type"), Map.of("X-Org", "$ORG"), 2),
                        ConfiguredIn.RECIPE));
        assertThat(settings.output()).isEqualTo(new EmbeddingSettings.VectorShape(5, true, false));
        assertThat(settings.queries()).isEqualTo(new EmbeddingSettings.Input("Q: ", "q"));
        assertThat(settings.documents()).isEqualTo(new EmbeddingSettings.Input("D: ", "d"));
        assertThat(settings.truncates()).isFalse();
        assertThat(settings.limit()).hasValue(8192);
        assertThat(settings.limits()).isEqualTo(new Batch.Limits(7, 99));
        assertThat(Json.names(EmbeddingSettings.class))
                .containsExactlyInAnyOrderElementsOf(Fakes.recipe(yaml).names());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            service: opnai                          | did you mean openai?
            service: openai, truncate: true         | "truncate" is set
            service: openai, query-type: query      | "query-type" is set
            service: voyage, truncate: maybe        | it must be true or false
            service: cohere, texts-per-call: 97     | "texts-per-call" is 97
            service: cohere, texts-per-call: 0      | it is 1 or more
            service: openai, tokens-per-call: 300001 | it must be 1 to 300000
            service: openai, dimension: 0           | "dimension" is 0
            service: openai, price-per-million-tokens: -1 | it is 0 or more
            service: openai, endpoint: ftp://h/v1   | it must be one like https://
            service: openai, endpoint: api.openai.com | it must be one like https://
            service: openai, endpoint: 'https://me:pass@h/v1' | keys come from the environment
            service: openai, endpoint: 'https://h/v1?v=2&api-key=pass@' | "endpoint" holds a key
            service: openai, omit: [input]          | "omit" has "input"
            service: openai, omit: [truncation]     | model, encoding_format, dimensions
            service: openai, calls-at-once: 0       | it is 1 to 64
            service: openai, headers: {api-key: pass@} | "headers" gives api-key a value
            service: openai, headers: {api-key: $pass@} | it must be one like $MY_KEY
            service: openai, headers: {Authorization: $K} | "headers" sets "Authorization"
            service: openai, headers: {'a b': $K}   | "headers" sets "a b"
            """)
    void whatCannotBeIsRefused(String fields, String problem) {
        String dimension = fields.contains("dimension:") ? "" : ", dimension: 3";
        assertThatThrownBy(() -> Fakes.embedding("{model: m, " + fields + dimension + "}"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("pass@");
    }

    @ParameterizedTest
    @CsvSource({"sk-proj-abcdef", "pa-ABCDEF", "jina_0123456789abcdef", "AbCdEf0123"})
    void aKeyInTheRecipeIsRefusedUnseen(String key) {
        assertThatThrownBy(() -> Fakes.embedding("{service: openai, model: m, dimension: 3, key: " + key + "}"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("a key itself")
                .hasMessageNotContaining(key);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            service: openai                          | it is one of voyage, cohere, jina
            service: cohere, truncate: true          | leave it out: cohere leaves no choice
            service: voyage, documents-per-call: 1001 | it must be 1 to 1000
            """)
    void whatCannotBeIsRefusedForRerankers(String fields, String problem) {
        assertThatThrownBy(() -> Fakes.reranking("{model: m, " + fields + "}"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(problem);
    }
}
