package io.posbias.encode.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Setting;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an embedding service, from a recipe.
 *
 * @param truncate whether the vendor is to cut too long texts; null for the default
 * @param maxTokens the vendor's limit for one text, by which texts are cut here if the vendor does not; null if unknown
 * @param written the whole recipe
 */
public record EmbeddingSettings(
        @JsonUnwrapped ApiSettings.ServiceFields service,
        @JsonUnwrapped VectorShape output,
        @JsonUnwrapped Prompts prompts,
        @Nullable Boolean truncate,
        @Setting(least = 1) @Nullable Integer maxTokens,
        @JsonUnwrapped CallLimits perCall,
        Fields written) {
    /**
     * Vectors.
     *
     * @param dimension numbers of each
     * @param requestDimension whether to ask for that dimension, for models that can give several
     * @param normalise whether they are scaled to length 1 here
     */
    public record VectorShape(
            @Setting(least = 1) int dimension,
            @Setting(usual = "false") boolean requestDimension,
            @Setting(usual = "true") boolean normalise) {}

    /**
     * Texts by role.
     *
     * @param queryPrompt put before each query
     * @param documentPrompt put before each document
     * @param queryType the vendor's mark of queries (input_type, task); null for the usual one
     * @param documentType the vendor's mark of documents; null for the usual one
     */
    public record Prompts(
            @Setting(usual = "''") String queryPrompt,
            @Setting(usual = "''") String documentPrompt,
            @Nullable String queryType,
            @Nullable String documentType) {}

    /**
     * Limits of a call.
     *
     * @param textsPerCall null for the usual number
     * @param tokensPerCall null for the vendor's limit
     */
    public record CallLimits(
            @Setting(least = 1) @Nullable Integer textsPerCall,
            @Setting(least = 1) @Nullable Integer tokensPerCall) {}

    /**
     * Texts of one role.
     *
     * @param prompt put before each
     * @param type the vendor's mark of the role; empty when nothing is sent
     */
    public record Input(String prompt, String type) {}

    /** As the papers that posbias repeats did it (NovaSearch); every vendor takes that many. */
    private static final int TEXTS_PER_CALL = 64;

    public EmbeddingSettings {
        service.wire().refuseOmitted(service.service().embeddings);
        service.truncates(truncate, service.service().embeddings);
        refuseType(
                "query-type",
                prompts.queryType,
                service.service(),
                service.service().embeddings.queryType());
        refuseType(
                "document-type",
                prompts.documentType,
                service.service(),
                service.service().embeddings.documentType());
        limits(perCall, service.service().embeddings);
    }

    private static void refuseType(String field, @Nullable String type, Service service, String usual) {
        if (usual.isEmpty() && type != null) {
            throw new Setting.Wrong(
                    field, "is set", "leave it out: " + service + " treats queries and documents alike");
        }
    }

    private static Batch.Limits limits(CallLimits given, Dialect facts) {
        return new Batch.Limits(
                ApiSettings.limit("texts-per-call", given.textsPerCall, TEXTS_PER_CALL, facts.mostTexts()),
                ApiSettings.limit("tokens-per-call", given.tokensPerCall, facts.mostTokens(), facts.mostTokens()));
    }

    private Dialect dialect() {
        return service.service().embeddings;
    }

    ApiSettings api() {
        return service.settings(dialect().endpoint());
    }

    Batch.Limits limits() {
        return limits(perCall, dialect());
    }

    Input queries() {
        return new Input(
                prompts.queryPrompt,
                Objects.requireNonNullElse(prompts.queryType, dialect().queryType()));
    }

    Input documents() {
        return new Input(
                prompts.documentPrompt,
                Objects.requireNonNullElse(prompts.documentType, dialect().documentType()));
    }

    /** Returns true if the vendor is to cut too long texts; false where it refuses them anyway. */
    boolean truncates() {
        return service.truncates(truncate, dialect());
    }

    /** Returns the token limit of a text; empty if unknown. */
    OptionalInt limit() {
        return maxTokens == null ? OptionalInt.empty() : OptionalInt.of(maxTokens);
    }

    /**
     * Returns how much of a text the model reads, as {@link TextEncoder.Encoded#seen}: where the vendor leaves no choice
     * to cut it, posbias cuts it at {@code max-tokens}, estimated.
     *
     * @param text without its prompt
     */
    int seen(String text, Role role) {
        String prompt = input(role).prompt();
        return maxTokens == null || dialect().canTruncate()
                ? Texts.seen(limit(), prompt + text)
                : Texts.cut(prompt, text, maxTokens);
    }

    Input input(Role role) {
        return role == Role.QUERY ? queries() : documents();
    }

    /** Returns what to do about a text that the service refuses. */
    String advice() {
        return dialect().canTruncate()
                ? "Let the service cut long texts with truncate: true in the recipe, or leave the text out."
                : "Set max-tokens in the recipe to what the service reads, or lower: longer texts are cut before they"
                        + " are sent, and counted.";
    }

    /** Returns a truncation probe; null if the vendor truncates, or for an unknown limit. */
    public @Nullable Function<Engine, TextReader> reader() {
        return maxTokens == null || dialect().canTruncate() ? null : engine -> new Estimate(this);
    }

    private record Estimate(EmbeddingSettings settings) implements TextReader {
        @Override
        public int seen(String text, Role role) {
            return text.isBlank() ? TextEncoder.WHOLE : settings.seen(text, role);
        }

        @Override
        public void close() {}
    }

    /** Identifies what vectors depend on, as {@link io.posbias.encode.TextEncoder#space()}. */
    public String space() {
        return Checksums.sha256(
                Json.fingerprint(written, EmbeddingSettings.class).getBytes(StandardCharsets.UTF_8));
    }
}
