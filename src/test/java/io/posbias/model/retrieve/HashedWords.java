package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.util.ArrayList;
import java.util.List;

/** A text's vector counts its words by their hash codes. */
public final class HashedWords implements RetrieverProvider {
    @Override
    public String kind() {
        return "hashed-words";
    }

    @Override
    public Recipe bind(Fields recipe, RecipeReader recipes) {
        return Json.settings(recipe, HashedRecipe.class);
    }

    private record HashedRecipe(
            @JsonUnwrapped RecipeCard card,
            @Setting(usual = "256", least = 1) int dimension) implements Recipe {
        @Override
        public Retriever retriever() {
            Attribution none = new Attribution.None("counts words by their hash codes");
            return VectorRetriever.dense(this, List.of(), engine -> new Encoder(dimension), null, none);
        }
    }

    private record Encoder(int dimension) implements TextEncoder {
        @Override
        public String space() {
            return "hashed-words " + dimension;
        }

        @Override
        public EncodingWork prepare(List<String> texts, Role role) {
            return sink -> {
                List<Encoded> batch = new ArrayList<>();
                for (int i = 0; i < texts.size(); i++) {
                    batch.add(new Encoded(i, vector(texts.get(i)), 1, WHOLE));
                }
                sink.accept(batch);
            };
        }

        private float[] vector(String text) {
            float[] vector = new float[dimension];
            for (String word : text.split("\\W+", -1)) {
                vector[Math.floorMod(word.hashCode(), dimension)]++;
            }
            return vector;
        }

        @Override
        public void close() {
            // Nothing was loaded.
        }
    }
}
