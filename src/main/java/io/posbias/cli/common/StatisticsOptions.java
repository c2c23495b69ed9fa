package io.posbias.cli.common;

import io.posbias.measure.Profiler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(optionListHeading = "Statistics:")
public final class StatisticsOptions implements Checked {
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of intervals (default: ${DEFAULT-VALUE}).")
    private double confidence = Profiler.CONFIDENCE;

    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public void check() {
        BaseCommand.confidence(confidence);
    }

    public double confidence() {
        return confidence;
    }

    public int threads() {
        return threads;
    }
}
