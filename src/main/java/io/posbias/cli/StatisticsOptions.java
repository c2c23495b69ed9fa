package io.posbias.cli;

import io.posbias.UsageException;
import io.posbias.measure.Profiler;
import picocli.CommandLine.Option;

/** How sure intervals are, and how many threads compute; shared by all that make statistics of scores. */
final class StatisticsOptions {
    @Option(
            names = "--confidence",
            paramLabel = "P",
            defaultValue = "" + Profiler.CONFIDENCE,
            description = "Confidence of intervals (default: ${DEFAULT-VALUE}).")
    private double confidence;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    /** Checks what picocli cannot. */
    void check() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, not " + threads);
        }
        if (!(confidence > 0 && confidence < 1)) {
            throw new UsageException("--confidence must be between 0 and 1, not " + confidence);
        }
    }

    /** Between 0 and 1. */
    double confidence() {
        return confidence;
    }

    /** At least 1. */
    int threads() {
        return threads;
    }
}
