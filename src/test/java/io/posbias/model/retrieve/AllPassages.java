package io.posbias.model.retrieve;

import io.posbias.model.encode.cache.Vectors;
import java.util.stream.IntStream;

/** Passages without titles that all have vectors. */
final class AllPassages {
    private AllPassages() {}

    static EncodedPassages of(Vectors vectors) {
        return new EncodedPassages(vectors, IntStream.range(0, vectors.size()).toArray(), new int[vectors.size()]);
    }
}
