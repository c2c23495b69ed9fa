package io.posbias.encode.cache;

import java.io.Serializable;

/** Vectors on their way to another process, in the order of a list of texts. */
public sealed interface PortableVectors extends Serializable permits VectorFiles, CarriedVectors {
    /** Numbers of a vector. */
    int dimension();

    /** Those of the texts {@code from} to {@code to} (exclusive). */
    PortableVectors part(int from, int to);

    /**
     * Opens them to be read.
     *
     * @throws io.posbias.PosbiasException if they are in files that this process does not see
     */
    Vectors open();
}
