package io.posbias.model.encode.cache;

import java.nio.FloatBuffer;

/** Source of vectors; a place is an opaque number. Safe for several threads. */
interface VectorStore {
    int dimension();

    int rows(long place);

    /**
     * Returns the UTF-16 units of the text that the model read, as in {@link io.posbias.model.encode.TextEncoder.Encoded}.
     */
    int seen(long place);

    void read(long place, FloatBuffer into);

    float[] read(long place, int row);

    boolean isZero(long place);
}
