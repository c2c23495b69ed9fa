package io.posbias.cli.common;

import picocli.CommandLine.Option;

/** Reading of a run that lacks queries. */
public final class PartialOption {
    @Heading("Benchmark:")
    @Option(
            names = "--partial",
            description =
                    "Take a run that lacks more than a tenth of the judged queries, which score 0 (default: refuse it).")
    private boolean partial;

    public boolean isGiven() {
        return partial;
    }
}
