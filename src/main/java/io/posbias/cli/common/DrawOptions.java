package io.posbias.cli.common;

import io.posbias.measure.Profiler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(optionListHeading = "Statistics:")
public final class DrawOptions {
    @Least(0)
    @Option(
            names = "--draws",
            paramLabel = "N",
            description = "Number of random permutations in tests and of bootstrap draws for intervals; 0 for "
                    + "neither (default: ${DEFAULT-VALUE}).")
    private int draws = Profiler.DRAWS;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 42;

    /** 0 for none. */
    public int draws() {
        return draws;
    }

    public long seed() {
        return seed;
    }
}
