package io.posbias.model.encode.onnx;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Suggestions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a recipe that name its model's files.
 *
 * @param onnx graphs by precision
 * @param externalData null for none
 * @param written the whole recipe
 */
public record FileSettings(
        @Setting(usual = "{}") ModelSource source,
        @Setting(usual = "{}") Map<Precision, String> onnx,
        @Setting(usual = "float32") Precision precision,
        @Nullable DataFiles externalData,
        @Setting(usual = "tokenizer.json") String tokenizer,
        Fields written) {
    /** Files of weights beside the graphs: one list, or one for each precision. */
    public record DataFiles(Map<Precision, List<String>> files) {
        @Setting.Reader
        static DataFiles read(Fields recipe, String field) {
            boolean each = recipe.raw(field) instanceof Map;
            Map<Precision, List<String>> files = new EnumMap<>(Precision.class);
            for (Precision precision : Precision.values()) {
                files.put(
                        precision,
                        each ? recipe.record(field).texts(Suggestions.word(precision)) : recipe.texts(field));
            }
            return new DataFiles(files);
        }
    }

    public FileSettings {
        if (!onnx.containsKey(precision)) {
            throw new Setting.Wrong(
                    "onnx",
                    "names no graph of precision " + Suggestions.word(precision),
                    "it names "
                            + (onnx.isEmpty()
                                    ? "none"
                                    : String.join(", ", Suggestions.words(List.copyOf(onnx.keySet())))));
        }
        onnx.values().forEach(graph -> ModelFiles.refuseUnsafe("onnx", graph));
        if (externalData != null) {
            externalData.files.values().stream()
                    .flatMap(List::stream)
                    .forEach(file -> ModelFiles.refuseUnsafe("external-data", file));
        }
        ModelFiles.refuseUnsafe("tokenizer", tokenizer);
    }

    /** Returns the files of weights beside the chosen graph. */
    List<String> data() {
        return externalData == null ? List.of() : externalData.files.getOrDefault(precision, List.of());
    }

    /** Returns the files of the chosen precision. */
    public ModelFiles files() {
        return ModelFiles.of(this);
    }
}
