package io.posbias.encode.cache;

import io.posbias.encode.TextEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public final class RaggedVectors {
    private RaggedVectors() {}

    public static Vectors of(Path folder, int dimension, List<float[]> texts) {
        VectorCache cache = VectorCache.open(folder, "ragged", "ragged", dimension, VectorCache.Shape.SEVERAL);
        List<VectorCache.CachedText> items = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            float[] numbers = texts.get(i);
            items.add(new VectorCache.CachedText(
                    FixedVectors.key(i),
                    new TextEncoder.Encoded(0, numbers, numbers.length / dimension, TextEncoder.WHOLE)));
        }
        cache.append(items);
        long[] places = new long[texts.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = cache.find(FixedVectors.key(i));
        }
        return new Vectors(cache, places);
    }
}
