package io.posbias.encode.cache;

import java.nio.FloatBuffer;
import java.util.Arrays;

/** Where vectors are read from; a place is a number that only the store itself understands. Safe for several threads. */
interface VectorStore {
    /** Numbers of a vector. */
    int dimension();

    /** How many vectors are at a place. */
    int rows(long place);

    /** How much of the text the model saw. */
    int seen(long place);

    /** Copies the vectors at a place to where a buffer is. */
    void read(long place, FloatBuffer into);

    /** Returns one of the vectors at a place. */
    default float[] read(long place, int row) {
        FloatBuffer all = FloatBuffer.allocate(rows(place) * dimension());
        read(place, all);
        return Arrays.copyOfRange(all.array(), row * dimension(), (row + 1) * dimension());
    }

    /** The same vectors for another process. */
    PortableVectors portable(long[] places, int[] rows);

    /** Closes what was opened for these vectors alone. */
    void release();
}
