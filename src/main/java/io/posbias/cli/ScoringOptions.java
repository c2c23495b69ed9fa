package io.posbias.cli;

import io.posbias.UsageException;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.position.Bucketing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How rankings become numbers; shared by {@code eval} and {@code score}. */
final class ScoringOptions {
    @Option(
            names = "--measures",
            paramLabel = "MEASURE,..",
            defaultValue = Measures.DEFAULT,
            description = "What to measure: nDCG@k, nDCG_tieavg@k, R@k, RR@k, AP@k or P@k (default: ${DEFAULT-VALUE}).")
    private String measures = Measures.DEFAULT;

    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = {
                "Position buckets instead of the dataset's own: characters:0,100,..; characters-closed:0,100,..;",
                "labels:a,b,..; thirds; relative:N; each also with ' by tokens:512,1024,..'."
            })
    private @Nullable String buckets;

    @Option(
            names = "--thin-below",
            paramLabel = "N",
            defaultValue = "" + Profiler.THIN_BELOW,
            description = "Mark buckets of fewer than N queries (default: ${DEFAULT-VALUE}).")
    private int thinBelow;

    @Option(
            names = "--draws",
            paramLabel = "N",
            defaultValue = "" + Profiler.DRAWS,
            description = {
                "Random deals behind the noise of PSI and bootstrap draws behind intervals; 0 leaves both out",
                "(default: ${DEFAULT-VALUE})."
            })
    private int draws;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "42",
            description = "Seed of these draws (default: ${DEFAULT-VALUE}).")
    private long seed;

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

    /**
     * What was asked for.
     *
     * @throws UsageException if it makes no sense
     */
    Scoring scoring() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, not " + threads);
        }
        if (draws < 0) {
            throw new UsageException("--draws must be 0 or more, not " + draws);
        }
        if (!(confidence > 0 && confidence < 1)) {
            throw new UsageException("--confidence must be between 0 and 1, not " + confidence);
        }
        return new Scoring(
                Measures.parseAll(measures),
                buckets == null ? null : Bucketing.parse(buckets),
                thinBelow,
                draws,
                seed,
                confidence,
                threads);
    }
}
