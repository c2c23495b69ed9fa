package io.posbias.model.retrieve;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.onnx.ModelSize;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields of recipes of every kind.
 *
 * @param name in results; no white space
 * @param kind of retriever, for example {@code bm25}
 * @param family heading in reports
 * @param hubNames models of the Hub that the recipe runs, besides its source
 * @param publishedAs the model's names in papers, by paper
 * @param unknown unverified properties, a sentence each
 * @param trained of what the model was trained, which seeds have in common; empty for others
 * @param size null if unknown
 * @param fields the whole recipe as written, with its location
 */
public record RecipeCard(
        @Setting(identifier = true) String name,
        @Setting(identifier = true) String kind,
        @Setting(usual = "other") String family,
        @Setting(usual = "''") String description,
        @Setting(usual = "''") String citation,
        @Setting(usual = "''") String licence,
        @Setting(usual = "[]") List<String> hubNames,
        @Setting(usual = "{}") Map<String, Object> publishedAs,
        @Setting(usual = "[]") List<String> unknown,
        @Setting(usual = "{}") Map<String, Object> trained,
        @Nullable ModelSize size,
        Fields fields) {
    public RecipeCard {
        if (!FileNames.isModel(name)) {
            throw new Setting.Wrong(
                    "name", "is " + Printable.quoted(name), "a name is made of letters, digits and . _ + -");
        }
        if (size != null && size.embeddings() >= size.parameters()) {
            throw new Setting.Wrong("size.embeddings", "is " + size.embeddings(), "it is below the parameters");
        }
    }
}
