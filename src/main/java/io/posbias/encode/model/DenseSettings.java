package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.ModelSource;
import io.posbias.encode.onnx.OnnxSettings;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a recipe of a dense encoder says.
 *
 * @param files the passages' encoder
 * @param queryFiles the queries' own encoder; the same where there is one for both
 * @param onnx what every graph's recipe says
 * @param pooling how a text's token vectors become one
 * @param poolPrompt whether the prompt's tokens take part in a mean
 * @param poolMaskInput the graph's input that takes the pooled tokens; empty for none
 * @param normalise whether vectors are scaled to length 1
 * @param queryPrompt exact text before queries
 * @param passagePrompt exact text before passages
 * @param head a linear layer after pooling, or null
 * @param dimension how many numbers a vector must have; 0 where the recipe does not say
 * @param fingerprint of the fields that vectors depend on
 */
public record DenseSettings(
        ModelFiles files,
        ModelFiles queryFiles,
        OnnxSettings onnx,
        Pooling pooling,
        boolean poolPrompt,
        String poolMaskInput,
        boolean normalise,
        String queryPrompt,
        String passagePrompt,
        LinearHead.@Nullable Settings head,
        int dimension,
        String fingerprint) {

    static final List<String> FIELDS = Stream.of(
                    ModelFiles.FIELDS,
                    OnnxSettings.FIELDS,
                    List.of(
                            "pooling",
                            "pool-prompt",
                            "pool-mask-input",
                            "normalise",
                            "query-prompt",
                            "document-prompt",
                            "query-encoder",
                            "head",
                            "dimension"))
            .flatMap(List::stream)
            .toList();

    static DenseSettings of(String recipe, Fields fields) {
        ModelFiles bare = ModelFiles.of(recipe, fields);
        LinearHead.Settings head = head(bare, fields);
        ModelFiles files = head == null ? bare : bare.and(head.file());
        Fields query = fields.record("query-encoder");
        query.refuseOthers(List.of("source", "onnx", "external-data"));
        String pooling = fields.oneOf("pooling", Pooling.MEAN.word(), Pooling.names());
        boolean poolPrompt = fields.flag("pool-prompt", true);
        String poolMask = fields.text("pool-mask-input", "");
        if (!poolPrompt && !pooling.equals("mean") && poolMask.isEmpty()) {
            throw fields.bad("pool-prompt", "has no meaning with pooling: " + pooling, "remove it");
        }
        return new DenseSettings(
                files,
                fields.has("query-encoder") ? files.other(query) : files,
                OnnxSettings.of(fields),
                Pooling.valueOf(pooling.toUpperCase(Locale.ROOT)),
                poolPrompt,
                poolMask,
                fields.flag("normalise", true),
                fields.text("query-prompt", ""),
                fields.text("document-prompt", ""),
                head,
                fields.integer("dimension", 0),
                fields.fingerprint(FIELDS));
    }

    /** An exported graph has the head inside: what the recipe says of it was for the export. */
    static LinearHead.@Nullable Settings head(ModelFiles files, Fields fields) {
        if (!fields.has("head") || files.source().kind() == ModelSource.Kind.EXPORT) {
            return null;
        }
        LinearHead.Settings head = LinearHead.Settings.of(fields.record("head"));
        ModelFiles.refuseUnsafe(fields, head.file());
        return head;
    }

    /**
     * The size of the vectors that a model gives.
     *
     * @param said what its recipe says; 0 where it does not
     * @param given what a first text gave
     * @throws PosbiasException if they differ
     */
    static int checkedDimension(int said, int given) {
        if (said > 0 && said != given) {
            throw new PosbiasException("the recipe says dimension " + said + ", the model gives " + given);
        }
        return given;
    }
}
