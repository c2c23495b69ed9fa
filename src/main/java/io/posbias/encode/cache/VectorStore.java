package io.posbias.encode.cache;

import java.nio.FloatBuffer;

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
    float[] read(long place, int row);
}
