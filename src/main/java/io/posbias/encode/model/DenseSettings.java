package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.encode.onnx.ModelFiles;
import java.util.List;
import java.util.Locale;

/**
 * What a recipe of a dense encoder says.
 *
 * @param graph what recipes of all encoders say
 * @param queryFiles the queries' own encoder; the passages' where there is one for both
 * @param pooling how a text's token vectors become one
 * @param poolPrompt whether the prompt's tokens take part in a mean
 * @param poolMaskInput the graph's input that takes the pooled tokens; empty for none
 * @param queryPrompt exact text before queries
 * @param passagePrompt exact text before passages
 */
record DenseSettings(
        GraphSettings graph,
        ModelFiles queryFiles,
        Pooling pooling,
        boolean poolPrompt,
        String poolMaskInput,
        String queryPrompt,
        String passagePrompt) {
    static final List<String> FIELDS = GraphSettings.fields(
            "pooling",
            "pool-prompt",
            "pool-mask-input",
            "normalise",
            "query-prompt",
            "document-prompt",
            "query-encoder",
            "head",
            "dimension");

    static DenseSettings of(String recipe, Fields fields) {
        GraphSettings graph = GraphSettings.of(recipe, fields, FIELDS);
        Fields query = fields.record("query-encoder");
        query.refuseOthers(List.of("source", "onnx", "external-data"));
        String pooling = fields.oneOf("pooling", Pooling.MEAN.word(), Pooling.names());
        boolean poolPrompt = fields.flag("pool-prompt", true);
        String poolMask = fields.text("pool-mask-input", "");
        if (!poolPrompt && !pooling.equals("mean") && poolMask.isEmpty()) {
            throw fields.bad("pool-prompt", "has no meaning with pooling: " + pooling, "remove it");
        }
        return new DenseSettings(
                graph,
                fields.has("query-encoder") ? graph.files().other(query) : graph.files(),
                Pooling.valueOf(pooling.toUpperCase(Locale.ROOT)),
                poolPrompt,
                poolMask,
                fields.text("query-prompt", ""),
                fields.text("document-prompt", ""));
    }

    boolean hasQueryEncoder() {
        return queryFiles != graph.files();
    }
}
