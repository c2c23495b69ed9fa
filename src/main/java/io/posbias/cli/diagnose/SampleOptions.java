package io.posbias.cli.diagnose;

import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.dataset.convert.Sampler;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Size of the sample of queries. */
final class SampleOptions {
    @Least(1)
    @BelongsTo("--dataset")
    @Option(names = "--n", paramLabel = "N", description = "Draw this many of the queries (default: all).")
    private @Nullable Integer n;

    @Heading("Statistics:")
    @Least(0)
    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
    private int seed = Sampler.PAPER_SEED;

    /** Number of queries; null for all. */
    @Nullable
    Integer n() {
        return n;
    }

    int seed() {
        return seed;
    }
}
