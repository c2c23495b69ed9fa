package io.posbias.inside;

import io.posbias.PosbiasException;
import java.nio.file.Path;

/** The training of a dense encoder. */
@FunctionalInterface
public interface Training {
    /**
     * Trains, from the last checkpoint if there is one; does nothing where all is done.
     *
     * @return the recipe of the trained model
     * @throws PosbiasException if the loss is no finite number; the last checkpoint stays
     */
    Path run();
}
