package io.posbias.encode.api;

import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Settings of an embedding service, from a recipe.
 *
 * @param queries how queries are sent
 * @param documents how documents are sent
 * @param truncate whether the vendor is to cut too long texts; false where it refuses them anyway
 * @param maxTokens the vendor's limit for one text, for information
 * @param space identifies what vectors depend on, as {@link io.posbias.encode.TextEncoder#space()}
 */
public record EmbeddingSettings(
        ApiSettings api,
        VectorShape output,
        Input queries,
        Input documents,
        boolean truncate,
        OptionalInt maxTokens,
        Batch.Limits limits,
        String space) {
    /** The fields of a recipe that {@link #of} reads; there may be others. */
    public static final List<String> FIELDS = Stream.concat(
                    ApiSettings.FIELDS.stream(),
                    Stream.of(
                            "dimension",
                            "request-dimension",
                            "query-type",
                            "document-type",
                            "truncate",
                            "max-tokens",
                            "texts-per-call",
                            "tokens-per-call",
                            "query-prompt",
                            "document-prompt",
                            "normalise"))
            .toList();

    /**
     * Vectors.
     *
     * @param dimension numbers of each
     * @param requested whether to ask for that dimension, for models that can give several
     * @param normalised whether they are scaled to length 1 here
     */
    public record VectorShape(int dimension, boolean requested, boolean normalised) {}

    /**
     * Texts of one role.
     *
     * @param prompt put before each
     * @param type the vendor's mark of the role (input_type, task); empty when nothing is sent
     */
    public record Input(String prompt, String type) {}

    /** As the papers that posbias repeats did it (NovaSearch); every vendor takes that many. */
    private static final int TEXTS_PER_CALL = 64;

    /** Reads a recipe of kind {@code embedding-api}; unknown fields are the caller's to refuse. */
    public static EmbeddingSettings of(Fields recipe) {
        Service service = Service.of(recipe, Arrays.asList(Service.values()));
        Dialect facts = service.embeddings;
        int dimension = recipe.integer("dimension");
        if (dimension < 1) {
            throw recipe.bad("dimension", "is " + dimension, "it must be at least 1");
        }
        return new EmbeddingSettings(
                ApiSettings.of(recipe, service, facts.endpoint()),
                new VectorShape(dimension, recipe.flag("request-dimension", false), recipe.flag("normalise", true)),
                new Input(recipe.text("query-prompt", ""), type(recipe, "query-type", facts.queryType(), service)),
                new Input(
                        recipe.text("document-prompt", ""),
                        type(recipe, "document-type", facts.documentType(), service)),
                ApiSettings.truncate(recipe, service, facts.canTruncate()),
                ApiSettings.maxTokens(recipe),
                new Batch.Limits(
                        ApiSettings.between(recipe, "texts-per-call", TEXTS_PER_CALL, 1, facts.mostTexts()),
                        ApiSettings.between(recipe, "tokens-per-call", facts.mostTokens(), 1, facts.mostTokens())),
                Checksums.sha256(Json.fingerprint(recipe, FIELDS).getBytes(StandardCharsets.UTF_8)));
    }

    private static String type(Fields recipe, String name, String usual, Service service) {
        if (usual.isEmpty() && recipe.has(name)) {
            throw recipe.bad(name, "is set", "leave it out: " + service + " treats queries and documents alike");
        }
        return recipe.text(name, usual);
    }
}
