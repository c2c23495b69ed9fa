package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.ModelSource;
import io.posbias.encode.onnx.OnnxSettings;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a recipe of any encoder with a graph.
 *
 * @param files the files, of the passage encoder if queries have another one
 * @param onnx settings of all graphs
 * @param head a linear layer behind the graph, or null if there is none or the graph contains it
 * @param normalise true to scale vectors to length 1
 * @param dimension required dimension; 0 if the recipe has none
 * @param fingerprint of the fields that vectors depend on
 */
public record GraphSettings(
        ModelFiles files,
        OnnxSettings onnx,
        LinearHead.@Nullable HeadSettings head,
        boolean normalise,
        int dimension,
        String fingerprint) {
    /** The names of the fields that are read here, and those of one kind of encoder. */
    static List<String> fields(String... own) {
        return Stream.of(ModelFiles.FIELDS, OnnxSettings.FIELDS, List.of(own))
                .flatMap(List::stream)
                .toList();
    }

    static GraphSettings of(String recipe, Fields fields, List<String> known) {
        ModelFiles files = ModelFiles.of(recipe, fields);
        LinearHead.HeadSettings head = head(files, fields);
        return new GraphSettings(
                head == null ? files : files.and(head.file()),
                OnnxSettings.of(fields),
                head,
                fields.flag("normalise", true),
                fields.integer("dimension", 0),
                Json.fingerprint(fields, known));
    }

    /** An exported graph has the head inside: what the recipe says of it was for the export. */
    private static LinearHead.@Nullable HeadSettings head(ModelFiles files, Fields fields) {
        if (!fields.has("head") || files.source().kind() == ModelSource.SourceKind.EXPORT) {
            return null;
        }
        LinearHead.HeadSettings head = LinearHead.HeadSettings.of(fields.record("head"));
        ModelFiles.refuseUnsafe(fields, head.file());
        return head;
    }
}
