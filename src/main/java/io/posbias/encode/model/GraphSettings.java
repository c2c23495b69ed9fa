package io.posbias.encode.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Fields;
import io.posbias.Setting;
import io.posbias.encode.onnx.FileSettings;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxSettings;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a recipe of any encoder with a graph.
 *
 * @param named the files, of the passage encoder if queries have another one
 * @param head a linear layer behind the graph; null if there is none or the graph contains it, as an exported one does
 * @param normalise true to scale vectors to length 1
 * @param dimension required dimension; 0 if the recipe has none
 */
public record GraphSettings(
        @JsonUnwrapped FileSettings named,
        @JsonUnwrapped OnnxSettings onnx,
        LinearHead.@Nullable HeadSettings head,
        @Setting(usual = "true") boolean normalise,
        @Setting(usual = "0") int dimension) {
    public GraphSettings {
        // What the recipe says of it was for the export.
        head = named.source().export() == null ? head : null;
        if (head != null) {
            ModelFiles.refuseUnsafe("head.file", head.file());
        }
    }

    public int maxTokens() {
        return onnx.maxTokens();
    }

    /** Returns the files without the head's. */
    public ModelFiles plainFiles() {
        return named.files();
    }

    public ModelFiles files() {
        return head == null ? named.files() : named.files().and(head.file());
    }

    /** Returns the recipe as written. */
    Fields written() {
        return named.written();
    }
}
