package io.posbias.model.encode.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.onnx.FileSettings;
import io.posbias.model.encode.onnx.LinearHead;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxSettings;
import java.util.List;

/**
 * Settings of a recipe of any encoder with a graph.
 *
 * @param named the files, of the passage encoder if queries have another one
 * @param head linear layers behind the graph, in order; none if the graph contains them, as an exported one does
 * @param normalise true to scale vectors to length 1
 * @param dimension required dimension; 0 if the recipe has none
 */
public record GraphSettings(
        @JsonUnwrapped FileSettings named,
        @JsonUnwrapped OnnxSettings onnx,
        @Setting(usual = "[]") List<LinearHead.HeadSettings> head,
        @Setting(usual = "true") boolean normalise,
        @Setting(usual = "0") int dimension) {
    public GraphSettings {
        // What the recipe says of it was for the export.
        head = named.source().export() == null ? head : List.of();
        head.forEach(layer -> ModelFiles.refuseUnsafe("head.file", layer.file()));
    }

    public int maxTokens() {
        return onnx.maxTokens();
    }

    /** Returns the files without the head's. */
    public ModelFiles plainFiles() {
        return named.files();
    }

    public ModelFiles files() {
        ModelFiles all = named.files();
        for (LinearHead.HeadSettings layer : head) {
            all = all.and(layer.file());
        }
        return all;
    }

    Fields written() {
        return named.written();
    }
}
