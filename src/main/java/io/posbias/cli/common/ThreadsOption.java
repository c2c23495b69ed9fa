package io.posbias.cli.common;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(optionListHeading = "Statistics:")
public final class ThreadsOption {
    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    public int threads() {
        return threads;
    }
}
