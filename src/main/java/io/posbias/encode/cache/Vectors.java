package io.posbias.encode.cache;

import io.posbias.encode.TextEncoder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * The vectors of a list of texts, read from disk when they are asked for. Texts are known by their place in the list.
 */
public final class Vectors {
    private final VectorStore cache;
    private final long[] places;

    /** Of each text; the cache, which knows them too, takes a lock for every answer. */
    private final int[] rows;

    Vectors(VectorStore cache, long[] places) {
        this.cache = cache;
        this.places = places;
        this.rows = Arrays.stream(places).mapToInt(cache::rows).toArray();
    }

    /**
     * Vectors computed whenever they are read, one a text: a view, which keeps nothing.
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
    }

    /** Computes one vector of each: a view, which keeps nothing. */
    public Vectors map(int dimension, UnaryOperator<float[]> change) {
        return computed(size(), dimension, text -> change.apply(read(text)), this::seen);
    }

    /** How many texts there are. */
    public int size() {
        return places.length;
    }

    /** The first so many texts of the list. */
    public Vectors first(int most) {
        return most >= places.length ? this : new Vectors(cache, Arrays.copyOf(places, most));
    }

    /** Numbers of a vector. */
    public int dimension() {
        return cache.dimension();
    }

    /** How many vectors a text has: one, or one for each of its tokens. */
    public int rows(int text) {
        return rows[text];
    }

    /** How much of a text the model saw, as in {@link TextEncoder.Encoded}. */
    public int seen(int text) {
        return cache.seen(places[text]);
    }

    /** How many texts were cut, as far as anybody tells. */
    public long cut() {
        return Arrays.stream(places).filter(place -> cache.seen(place) >= 0).count();
    }

    /** A text's vectors, one after another. */
    public float[] read(int text) {
        FloatBuffer vectors = FloatBuffer.allocate(rows[text] * dimension());
        read(text, vectors);
        return vectors.array();
    }

    /** Returns one of a text's vectors. */
    public float[] read(int text, int row) {
        return cache.read(places[text], row);
    }

    /** Copies a text's vectors, {@code rows * dimension} numbers, to where a buffer is. */
    public void read(int text, FloatBuffer into) {
        cache.read(places[text], into);
    }
}
