package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.Suggestions;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextReader;
import io.posbias.encode.onnx.GraphEdit;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.RowReader;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.TokenRow;
import io.posbias.encode.onnx.Tokenizer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a dense encoder's recipe.
 *
 * @param graph settings of all encoders
 * @param queryFiles the queries' own encoder; null for one encoder of both
 * @param pooling how a text's token vectors become one
 * @param poolPrompt whether the prompt's tokens take part in a mean or a maximum
 * @param poolMaskInput the graph's input that takes the pooled tokens; empty for none
 * @param roleInput the graph's input that takes the role of its texts, and the number of each role; null for none
 * @param queryPrompt exact text before queries
 * @param passagePrompt exact text before passages
 * @param calibration of attention; null for none
 */
public record DenseSettings(
        GraphSettings graph,
        @Nullable ModelFiles queryFiles,
        Pooling pooling,
        boolean poolPrompt,
        String poolMaskInput,
        @Nullable RoleInput roleInput,
        String queryPrompt,
        String passagePrompt,
        @Nullable AttentionCalibration calibration) {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = GraphSettings.fields(
            "pooling",
            "pool-prompt",
            "pool-mask-input",
            "role-input",
            "normalise",
            "query-prompt",
            "document-prompt",
            "query-encoder",
            "head",
            "dimension",
            AttentionCalibration.FIELD);

    /** A graph's input of one number that says whether its texts are queries or passages: task adapters have one. */
    record RoleInput(String name, int query, int document) {
        static RoleInput of(Fields fields) {
            fields.refuseOthers(List.of("name", "query", "document"));
            return new RoleInput(fields.id("name"), fields.integer("query"), fields.integer("document"));
        }

        Map<String, Integer> of(Role role) {
            return Map.of(name, role == Role.QUERY ? query : document);
        }
    }

    /**
     * Reads a recipe.
     *
     * @param recipe its name
     */
    public static DenseSettings of(String recipe, Fields fields) {
        GraphSettings graph = GraphSettings.of(recipe, fields, FIELDS);
        Fields query = fields.record("query-encoder");
        query.refuseOthers(List.of("source", "onnx", "external-data"));
        Pooling pooling = fields.oneOf("pooling", Pooling.MEAN, List.of(Pooling.values()));
        boolean poolPrompt = fields.flag("pool-prompt", true);
        String poolMask = fields.text("pool-mask-input", "");
        boolean overTokens = pooling == Pooling.MEAN || pooling == Pooling.MAX;
        if (!poolPrompt && !overTokens && poolMask.isEmpty()) {
            throw fields.bad("pool-prompt", "has no meaning with pooling: " + Suggestions.word(pooling), "remove it");
        }
        return new DenseSettings(
                graph,
                fields.has("query-encoder") ? graph.files().other(query) : null,
                pooling,
                poolPrompt,
                poolMask,
                fields.has("role-input") ? RoleInput.of(fields.record("role-input")) : null,
                fields.text("query-prompt", ""),
                fields.text("document-prompt", ""),
                AttentionCalibration.of(fields, pooling));
    }

    /** The files that must be there. */
    public List<ModelFiles> files() {
        return queryFiles == null ? List.of(graph.files()) : List.of(graph.files(), queryFiles);
    }

    /** Opens a reader of texts, by the tokenizer alone. */
    public TextReader reader(Engine engine) {
        Tokenizer tokenizer = graph.files().tokenizer(engine.home());
        return new RowReader(rows(tokenizer, Role.QUERY), rows(tokenizer, Role.PASSAGE));
    }

    /** Returns why a passage's vector is not a sum over its tokens; empty if it is one. */
    public Optional<String> notASum() {
        LinearHead.HeadSettings head = graph.head();
        if (pooling != Pooling.MEAN) {
            return Optional.of("has pooling: " + Suggestions.word(pooling) + ", and only a mean is a sum over tokens");
        }
        return head != null && head.tanh()
                ? Optional.of("has a head that ends in tanh, behind which tokens no longer add up")
                : Optional.empty();
    }

    /** Returns the change of the graphs before they run; null for none. */
    @Nullable
    GraphEdit edit() {
        return calibration == null ? null : calibration.edit();
    }

    /** Returns the row maker of a role. */
    public TextRows rows(Tokenizer tokenizer, Role role) {
        return new TextRows(
                tokenizer,
                graph.onnx().complete(tokenizer.single(), tokenizer),
                role == Role.QUERY ? queryPrompt : passagePrompt,
                graph.onnx().maxTokens());
    }

    /** The first token of a row that takes part in a mean or a maximum. */
    public int firstPooled(TokenRow row) {
        return poolPrompt ? 0 : Math.min(row.prompt(), row.size() - 1);
    }
}
