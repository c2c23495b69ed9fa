package io.posbias.model.encode.cache;

import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.model.Pooling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public final class RaggedVectors {
    private RaggedVectors() {}

    /** Makes texts of equally many vectors of length 1 in random directions. */
    public static Vectors random(Path folder, int texts, int rows, int dimension, long seed) {
        Random random = new Random(seed);
        List<float[]> all = new ArrayList<>();
        for (int text = 0; text < texts; text++) {
            float[] numbers = new float[rows * dimension];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = (float) random.nextGaussian();
            }
            for (int row = 0; row < rows; row++) {
                Pooling.normalise(numbers, row * dimension, dimension);
            }
            all.add(numbers);
        }
        return of(folder, dimension, all);
    }

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
