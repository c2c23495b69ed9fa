package io.posbias.model.encode.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Closing;
import io.posbias.base.process.Session;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an embedding service, from a recipe.
 *
 * @param written the whole recipe
 */
public record EmbeddingSettings(
        @JsonUnwrapped ApiSettings.ServiceFields service,
        @JsonUnwrapped VectorShape output,
        @JsonUnwrapped Prompts prompts,
        @JsonUnwrapped TextLimit text,
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
     * Limit of a text.
     *
     * @param truncate whether the vendor is to cut too long texts; null for the default
     * @param maxTokens the vendor's limit, by which posbias cuts texts if the vendor does not, or with a tokenizer; null
     *     if unknown
     * @param tokenizer source of the model's tokenizer.json, by which texts are cut; null to cut by {@link
     *     CallEstimate#tokens}
     * @param skipRefused true to go on where the service refuses one text, whose vector is zero then
     */
    public record TextLimit(
            @Nullable Boolean truncate,
            @Setting(least = 1) @Nullable Integer maxTokens,
            @Nullable ModelSource tokenizer,
            @Setting(usual = "false") boolean skipRefused) {
        public TextLimit {
            if (tokenizer != null && maxTokens == null) {
                throw new Setting.Wrong("tokenizer", "is set without max-tokens", "texts are cut at max-tokens by it");
            }
            if (tokenizer != null && tokenizer.hub() == null && tokenizer.folder() == null) {
                throw new Setting.Wrong("tokenizer", "names " + tokenizer.name(), "give hub or folder");
            }
        }
    }

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
        service.truncates(text.truncate, service.service().embeddings);
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
        return service.truncates(text.truncate, dialect());
    }

    /** Returns the token limit of a text; empty if unknown. */
    OptionalInt limit() {
        return text.maxTokens == null ? OptionalInt.empty() : OptionalInt.of(text.maxTokens);
    }

    /** Returns true if posbias cuts texts over the limit before they are sent. */
    public boolean cuts() {
        return text.maxTokens != null && (text.tokenizer != null || !dialect().canTruncate());
    }

    /** Returns true if {@link #cuts} counts tokens by the recipe's tokenizer, false if it estimates them. */
    public boolean hasTokenizer() {
        return text.tokenizer != null;
    }

    /** Returns the file of the tokenizer; empty without one. */
    public List<ModelFiles> files() {
        return tokenizer().stream().toList();
    }

    private Optional<ModelFiles> tokenizer() {
        return Optional.ofNullable(text.tokenizer).map(source -> ModelFiles.ofTokenizer(source, written));
    }

    boolean skipsRefused() {
        return text.skipRefused;
    }

    /** Returns how texts are cut, in words. */
    String rule() {
        return tokenizer()
                .map(files -> "by the tokenizer of " + files.source().name())
                .orElse("by an estimate (" + CallEstimate.BASIS + ")");
    }

    /** Opens the rule that says how much of a text is sent, or of texts that are sent whole, how much the model reads. */
    TextReader cutter(Session session) {
        return tokenizer()
                .<TextReader>map(files -> ByTokenizer.of(this, files.tokenizer(session)))
                .orElseGet(() -> new Estimate(this));
    }

    Input input(Role role) {
        return role == Role.QUERY ? queries() : documents();
    }

    /** Returns what to do about a text that the service refuses. */
    String advice() {
        return (dialect().canTruncate()
                        ? "Let the service cut long texts with truncate: true in the recipe, or leave the text out."
                        : "Set max-tokens in the recipe to what the service reads, or lower: longer texts are cut before they"
                                + " are sent, and counted.")
                + " With skip-refused: true its vector is zero, and the run goes on.";
    }

    /** Returns a truncation probe; null if the vendor truncates, or for an unknown limit. */
    public @Nullable Function<Engine, TextReader> reader() {
        return cuts() ? engine -> cutter(engine.session()) : null;
    }

    private record Estimate(EmbeddingSettings settings) implements TextReader {
        @Override
        public int seen(String text, Role role) {
            String prompt = settings.input(role).prompt();
            if (text.isBlank()) {
                return TextEncoder.WHOLE;
            }
            return settings.cuts()
                    ? Texts.cut(prompt, text, settings.limit().orElseThrow())
                    : Texts.seen(settings.limit(), prompt + text);
        }

        @Override
        public void close() {}
    }

    private record ByTokenizer(TextRows queries, TextRows documents) implements TextReader {
        static ByTokenizer of(EmbeddingSettings settings, Tokenizer tokenizer) {
            return Closing.onFailure(
                    () -> new ByTokenizer(settings.rows(tokenizer, Role.QUERY), settings.rows(tokenizer, Role.PASSAGE)),
                    tokenizer::close);
        }

        @Override
        public int seen(String text, Role role) {
            TextRows rows = role == Role.QUERY ? queries : documents;
            int seen = rows.row(text).seen();
            // The part that is sent may have other tokens at its end, and must fit, too.
            while (seen > 0) {
                int again = rows.row(text.substring(0, seen)).seen();
                if (again < 0) {
                    break;
                }
                seen = Math.min(again, text.offsetByCodePoints(seen, -1));
            }
            return seen;
        }

        @Override
        public void close() {
            queries.tokenizer().close();
        }
    }

    private TextRows rows(Tokenizer tokenizer, Role role) {
        TextRows rows = new TextRows(tokenizer, tokenizer.single(), input(role).prompt(), limit().orElseThrow());
        if (rows.room() < 1) {
            throw new BadInputException(
                    written.where(),
                    "max-tokens " + limit().orElseThrow() + " leaves no token for a text beside the prompt",
                    "it must be higher");
        }
        return rows;
    }

    /** Identifies what vectors depend on, as {@link io.posbias.model.encode.TextEncoder#space()}. */
    public String space(Path home) {
        String all = Json.fingerprint(written, EmbeddingSettings.class)
                + tokenizer()
                        .map(files -> files.digest(files.tokenizer(), home))
                        .orElse("");
        return Checksums.sha256(all.getBytes(StandardCharsets.UTF_8));
    }
}
