package io.posbias.retrieve;

import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import java.util.ArrayList;
import java.util.List;

/** A text's vector counts its words by their hash codes. */
public final class HashedWords implements RetrieverProvider {
    @Override
    public String kind() {
        return "hashed-words";
    }

    @Override
    public Retriever create(Recipe recipe) {
        recipe.refuseOthers(List.of("dimension"));
        int dimension = recipe.settings().positive("dimension", 256);
        Attribution none = new Attribution.None("counts words by their hash codes");
        return DenseRetriever.own(recipe, List.of(), engine -> new Encoder(dimension), null, none);
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
