package io.posbias.encode.api;

import io.posbias.Fields;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * How to ask for embeddings, as a recipe says it.
 *
 * @param api whom
 * @param dimension how many numbers each vector must have
 * @param requestDimension whether to ask for that dimension, for models that can give several
 * @param queryType what marks queries (input_type, task); empty when nothing is sent
 * @param documentType what marks documents; empty when nothing is sent
 * @param truncate whether the vendor is to cut too long texts; false where it refuses them anyway
 * @param maxTokens the vendor's limit for one text, for information
 * @param textsPerCall how many texts one call holds at most
 * @param tokensPerCall how many tokens, estimated, one call holds at most, unless one text alone has more
 */
public record EmbeddingSettings(
        ApiSettings api,
        int dimension,
        boolean requestDimension,
        String queryType,
        String documentType,
        boolean truncate,
        OptionalInt maxTokens,
        int textsPerCall,
        int tokensPerCall) {
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
                            "tokens-per-call"))
            .toList();

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
                dimension,
                recipe.flag("request-dimension", false),
                type(recipe, "query-type", facts.queryType(), service),
                type(recipe, "document-type", facts.documentType(), service),
                ApiSettings.truncate(recipe, service, facts.canTruncate()),
                ApiSettings.maxTokens(recipe),
                ApiSettings.between(recipe, "texts-per-call", TEXTS_PER_CALL, 1, facts.mostTexts()),
                ApiSettings.between(recipe, "tokens-per-call", facts.mostTokens(), 1, facts.mostTokens()));
    }

    private static String type(Fields recipe, String name, String usual, Service service) {
        if (usual.isEmpty() && recipe.has(name)) {
            throw recipe.bad(name, "is set", "leave it out: " + service + " treats queries and documents alike");
        }
        return recipe.text(name, usual);
    }
}
