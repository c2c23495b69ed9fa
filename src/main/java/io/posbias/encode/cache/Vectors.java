package io.posbias.encode.cache;

import io.posbias.encode.TextEncoder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The vectors of a list of texts, read from disk when they are asked for. Texts are known by their place in the list.
 */
public final class Vectors implements AutoCloseable {
    private final VectorStore cache;
    private final long[] places;

    /** Of each text; the cache, which knows them too, takes a lock for every answer. */
    private final int[] rows;

    Vectors(VectorStore cache, long[] places) {
        this.cache = cache;
        this.places = places;
        this.rows = Arrays.stream(places).mapToInt(cache::rows).toArray();
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

    /** Copies a text's vectors, {@code rows * dimension} numbers, to where a buffer is. */
    public void read(int text, FloatBuffer into) {
        cache.read(places[text], into);
    }

    /** Closes files that were opened for these vectors alone; a cache stays open. */
    @Override
    public void close() {
        cache.release();
    }
}
