package io.posbias.encode.cache;

import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.model.Pooling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Vectors of length 1 in random directions, kept as an encoder's are. */
public final class RandomVectors {
    private static final int BLOCK = 1_000;

    private RandomVectors() {}

    /** Makes vectors in a folder of their own. */
    public static Vectors make(Path folder, int count, int dimension, long seed) {
        return make(folder, count, 1, dimension, seed);
    }

    /** The same for texts of several tokens each. */
    public static Vectors make(Path folder, int count, int rows, int dimension, long seed) {
        VectorCache cache =
                VectorCache.open(folder, "random", "random", dimension, VectorCache.NumberFormat.FLOAT32);
        Random random = new Random(seed);
        long[] places = new long[count];
        for (int from = 0; from < count; from += BLOCK) {
            List<VectorCache.Item> items = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + BLOCK); i++) {
                float[] vector = new float[rows * dimension];
                for (int d = 0; d < vector.length; d++) {
                    vector[d] = (float) random.nextGaussian();
                }
                for (int row = 0; row < rows; row++) {
                    Pooling.normalise(vector, row * dimension, dimension);
                }
                items.add(new VectorCache.Item(
                        Key.of(Role.PASSAGE, "" + i), new TextEncoder.Encoded(i, vector, rows, TextEncoder.WHOLE)));
            }
            cache.append(items);
        }
        for (int i = 0; i < count; i++) {
            places[i] = cache.find(Key.of(Role.PASSAGE, "" + i));
        }
        return new Vectors(cache, places);
    }
}
