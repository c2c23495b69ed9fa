package io.posbias.model.inside;

import io.posbias.base.process.PosbiasException;
import java.nio.file.Path;

/** The training of a dense encoder. */
@FunctionalInterface
public interface Training {
    /**
     * Trains, from the last checkpoint if there is one. A finished training is not repeated.
     *
     * @return the recipe of the trained model
     * @throws PosbiasException if the loss is not finite; the last checkpoint is kept
     */
    Path run();
}
