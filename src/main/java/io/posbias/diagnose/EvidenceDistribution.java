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
 * Where the evidence of a benchmark lies: relative positions, the middle of the evidence over the length of its text.
 *
 * @param queries those whose evidence has a position
 * @param withoutPosition queries whose evidence has no position; they are left out of all the rest
 * @param bins the share of each of equal bins, right-closed, the first holding 0 as well
 * @param firstThird the share of positions below 1/3
 * @param mean position, from 0 to 1
 * @param meanInterval Student's t interval of the mean
 * @param uniformity tests of the null hypothesis that positions are uniform; the chi-square test over {@code bins}
 */
public record EvidenceDistribution(
        int queries,
        int withoutPosition,
        List<EvidenceShare> bins,
        EvidenceShare firstThird,
        double mean,
        Interval meanInterval,
        @JsonUnwrapped Uniformity uniformity) {
    /** Fewer positions than this have no interval. */
    public static final int LEAST = 2;

    /**
     * A share of the queries.
     *
     * @param queries how many
     * @param share of all, from 0 to 1
     * @param interval Wilson's
     */
    public record EvidenceShare(int queries, double share, Interval interval) {
        static EvidenceShare of(int hits, int n, double confidence) {
            Proportion proportion = Proportion.of(hits, n, confidence);
            return new EvidenceShare(hits, proportion.share(), proportion.interval());
        }
    }

    /** The evidence of those queries whose evidence has a position. */
    public static List<Evidence> placed(List<Query> queries) {
        return queries.stream()
                .map(Query::evidence)
                .filter(Objects::nonNull)
                .filter(Evidence::isPlaced)
                .toList();
    }

    /**
     * Counts and tests.
     *
     * @param queries of which at least {@value #LEAST} are {@linkplain #placed placed}
     * @param bins how many, at least 2
     * @param confidence of all intervals, between 0 and 1
     */
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
