package io.posbias.cli.common;

import io.posbias.UsageException;
import io.posbias.evaluate.Scoring;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.position.Bucketing;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

public final class ScoringOptions {
    /** Kinds of measures for help. */
    static final class Forms implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Measures.KINDS.stream().map(Measures.Kind::example).iterator();
        }
    }

    @Option(
            names = "--measures",
            paramLabel = "MEASURE,..",
            completionCandidates = Forms.class,
            description = "Measures with any cutoff (default: ${DEFAULT-VALUE}). Kinds: ${COMPLETION-CANDIDATES}.")
    private String measures = Measures.DEFAULT;

    @Heading("Measures:")
    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Position buckets instead of the dataset's own: characters:0,100,..; "
                    + "characters-closed:0,100,..; labels:a,b,..; thirds; relative:N; each also with "
                    + "'by tokens:512,1024,..' after it.")
    private @Nullable String buckets;

    @Heading("Measures:")
    @Option(
            names = "--thin-below",
            paramLabel = "N",
            description = "Threshold for marking small buckets, in queries (default: ${DEFAULT-VALUE}).")
    private int thinBelow = Profiler.THIN_BELOW;

    @Mixin
    private DrawOptions draws = new DrawOptions();

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Mixin
    private EquivalenceOption equivalence = new EquivalenceOption();

    /** @throws UsageException for invalid values */
    public Scoring scoring() {
        return new Scoring(
                Measures.parseAll(measures),
                buckets == null ? null : Bucketing.parse(buckets),
                thinBelow,
                draws.draws(),
                draws.seed(),
                statistics.confidence(),
                equivalence.fraction(),
                cluster.by(),
                statistics.threads());
    }
}
