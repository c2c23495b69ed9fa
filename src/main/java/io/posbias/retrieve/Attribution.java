package io.posbias.retrieve;

import io.posbias.encode.Engine;

/** Whether a retriever's score is a sum over the passage's tokens. */
public sealed interface Attribution {
    /**
     * It is not.
     *
     * @param why what the model has or does, to be behind its name
     */
    record None(String why) implements Attribution {}

    /** It is. */
    @FunctionalInterface
    non-sealed interface Exact extends Attribution {
        Attributor open(Engine engine);
    }
}
