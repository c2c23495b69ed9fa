package io.posbias.model.encode.cache;

import io.posbias.model.encode.TextEncoder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Vectors of a list of texts, read from disk on demand. A text is identified by its index in the list. */
public final class Vectors {
    private final VectorStore cache;
    private final long[] places;

    /** Vectors per text; the cache takes a lock for every answer. */
    private final int[] rows;

    Vectors(VectorStore cache, long[] places) {
        this.cache = cache;
        this.places = places;
        this.rows = Arrays.stream(places).mapToInt(cache::rows).toArray();
    }

    /**
     * Returns a view of vectors that are computed on every read, one per text.
     *
     * @param vector of a text, called by several threads
     * @param seen of a text, as {@link #seen}
     */
    public static Vectors computed(int size, int dimension, IntFunction<float[]> vector, IntUnaryOperator seen) {
        return new Vectors(
                new Computed(dimension, vector, seen), LongStream.range(0, size).toArray());
    }

    private record Computed(int dimension, IntFunction<float[]> vector, IntUnaryOperator ofText)
            implements VectorStore {
        @Override
        public int rows(long place) {
            return 1;
        }

        @Override
        public int seen(long place) {
            return ofText.applyAsInt((int) place);
        }

        @Override
        public void read(long place, FloatBuffer into) {
            into.put(vector.apply((int) place));
        }

        @Override
        public float[] read(long place, int row) {
            return vector.apply((int) place);
        }

        @Override
        public boolean isZero(long place) {
            for (float number : vector.apply((int) place)) {
                if (number != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns a view that computes one vector from each. */
    public Vectors map(int dimension, UnaryOperator<float[]> change) {
        return computed(size(), dimension, text -> change.apply(read(text)), this::seen);
    }

    public int size() {
        return places.length;
    }

    /** Returns the first texts of the list. */
    public Vectors first(int most) {
        return most >= places.length ? this : new Vectors(cache, Arrays.copyOf(places, most));
    }

    public int dimension() {
        return cache.dimension();
    }

    /** Returns the number of vectors of a text: one, or one per token. */
    public int rows(int text) {
        return rows[text];
    }

    /** Returns the UTF-16 units of the text that the model read, as in {@link TextEncoder.Encoded}. */
    public int seen(int text) {
        return cache.seen(places[text]);
    }

    /** Counts truncated texts, without those of unknown truncation. */
    public long cut() {
        return Arrays.stream(places).filter(place -> cache.seen(place) >= 0).count();
    }

    /** Counts texts whose vectors are all zeros. */
    public int zeros() {
        return (int) IntStream.range(0, size())
                .filter(text -> rows[text] > 0 && cache.isZero(places[text]))
                .count();
    }

    /** Returns {@code rows * dimension} numbers. */
    public float[] read(int text) {
        FloatBuffer vectors = FloatBuffer.allocate(rows[text] * dimension());
        read(text, vectors);
        return vectors.array();
    }

    public float[] read(int text, int row) {
        return cache.read(places[text], row);
    }

    /** Copies {@code rows * dimension} numbers into a buffer. */
    public void read(int text, FloatBuffer into) {
        cache.read(places[text], into);
    }
}
