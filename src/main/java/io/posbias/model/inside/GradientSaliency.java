package io.posbias.model.inside;

import io.posbias.base.process.PosbiasException;
import java.util.List;

/** A model whose scores are differentiated with respect to the tokens of passages. Safe for several threads. */
public interface GradientSaliency extends AutoCloseable {
    /** Returns true if scores are cosines: inner products of vectors of length 1. */
    boolean isCosine();

    /**
     * Gradients of the scores of some queries and one passage, which is encoded once.
     *
     * @return one for each query, in their order
     * @throws PosbiasException if a gradient is not finite, or the model reads no token of the passage
     */
    List<GradientNorms> of(String passage, List<String> queries);

    @Override
    void close();
}
