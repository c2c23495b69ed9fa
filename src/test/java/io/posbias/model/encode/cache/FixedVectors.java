package io.posbias.model.encode.cache;

import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public final class FixedVectors {
    private FixedVectors() {}

    public static Vectors of(Path folder, float[]... vectors) {
        VectorCache cache = VectorCache.open(folder, "fixed", "fixed", vectors[0].length, VectorCache.Shape.ONE);
        List<VectorCache.CachedText> items = new ArrayList<>();
        long[] places = new long[vectors.length];
        for (int i = 0; i < vectors.length; i++) {
            items.add(item(i, TextEncoder.WHOLE, vectors[i]));
        }
        cache.append(items);
        for (int i = 0; i < places.length; i++) {
            places[i] = cache.find(key(i));
        }
        return new Vectors(cache, places);
    }

    static Key key(int i) {
        return Key.of(Role.PASSAGE, "text " + i);
    }

    static VectorCache.CachedText item(int i, int seen, float... vector) {
        return new VectorCache.CachedText(key(i), new TextEncoder.Encoded(0, vector, 1, seen));
    }

    static float[] read(VectorCache cache, int i, int dimension) {
        FloatBuffer buffer = FloatBuffer.allocate(dimension * cache.rows(cache.find(key(i))));
        cache.read(cache.find(key(i)), buffer);
        return buffer.array();
    }
}
