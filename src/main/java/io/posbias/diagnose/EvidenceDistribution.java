package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.stats.Interval;
import io.posbias.stats.Moments;
import io.posbias.stats.Proportion;
import io.posbias.stats.Uniformity;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Distribution of relative evidence positions: the middle of the evidence divided by the length of its text.
 *
 * @param queries with a position
 * @param withoutPosition left out of everything else
 * @param bins equal bins, right-closed; the first also holds 0
 * @param uniformity tests of uniform positions
 */
public record EvidenceDistribution(
        int queries,
        int withoutPosition,
        List<EvidenceShare> bins,
        EvidenceShare firstThird,
        double mean,
        Interval meanInterval,
        @JsonUnwrapped Uniformity uniformity) {
    /** Minimum number of positions. */
    public static final int LEAST = 2;

    /** Share of the queries with Wilson's interval. */
    public record EvidenceShare(int queries, double share, Interval interval) {
        static EvidenceShare of(int hits, int n, double confidence) {
            Proportion proportion = Proportion.of(hits, n, confidence);
            return new EvidenceShare(hits, proportion.share(), proportion.interval());
        }
    }

    /** The evidence that has a position. */
    public static List<Evidence> placed(List<Query> queries) {
        return queries.stream()
                .map(Query::evidence)
                .filter(Objects::nonNull)
                .filter(Evidence::isPlaced)
                .toList();
    }

    /** Counts positions and tests their uniformity. */
    public static EvidenceDistribution of(List<Query> queries, int bins, double confidence) {
        List<Evidence> placed = placed(queries);
        int[] counts = new int[bins];
        placed.forEach(evidence -> counts[evidence.relativeBin(bins)]++);
        double[] positions =
                placed.stream().mapToDouble(Evidence::relativePosition).toArray();
        int first = (int) Arrays.stream(positions)
                .filter(position -> Third.of(position) == Third.FRONT)
                .count();
        Moments moments = Moments.of(positions);
        return new EvidenceDistribution(
                placed.size(),
                queries.size() - placed.size(),
                Arrays.stream(counts)
                        .mapToObj(count -> EvidenceShare.of(count, placed.size(), confidence))
                        .toList(),
                EvidenceShare.of(first, placed.size(), confidence),
                moments.mean(),
                moments.estimate(confidence).interval(),
                Uniformity.of(counts, positions));
    }
}
