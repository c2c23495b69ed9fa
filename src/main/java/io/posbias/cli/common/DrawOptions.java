package io.posbias.cli.common;

import io.posbias.measure.Profiler;
import picocli.CommandLine.Option;

/** Random draws behind tests and intervals; shared by all that make statistics of scores. */
public final class DrawOptions {
    @Option(
            names = "--draws",
            paramLabel = "N",
            description = {
                "Random draws behind permutation and randomisation tests, and bootstrap draws behind",
                "intervals; 0 leaves both out (default: ${DEFAULT-VALUE})."
            })
    private int draws = Profiler.DRAWS;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of these draws (default: ${DEFAULT-VALUE}).")
    private long seed = 42;

    /** Checks what picocli cannot. */
    public void check() {
        Verb.atLeast("--draws", draws, 0);
    }

    /** How many; 0 for none. */
    public int draws() {
        return draws;
    }

    /** Their seed. */
    public long seed() {
        return seed;
    }
}
