package io.posbias.score.measure;

import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The loss where evidence is not read beyond that of a position-blind model: the difference, between questions whose evidence is read whole and those
 * whose is not read at all, of a model less that of the blind model on the same questions. What makes the questions harder for
 * both alike cancels out; position does not, as late evidence is what is not read.
 *
 * @param points mean of the read questions - mean of the others, less that of the blind model
 * @param share loss in per cent of the read questions' mean beyond the blind model's: 1 - (m_u / m_r) / (b_u / b_r)
 * @param isTested true if both sides have enough clusters
 */
public record UnreadContrast(Estimate points, Estimate share, boolean isTested) {
    private static final double[] WEIGHTS = {1, -1, -1, 1};

    /**
     * Compares the scores.
     *
     * @param scores of the model, by question
     * @param blind scores of the position-blind model
     * @param clusters of the questions
     * @return null if what is read is unknown, a side has no question, or a mean is 0
     */
    public static @Nullable UnreadContrast of(
            double[] scores, double[] blind, EvidenceCuts cuts, Clusters clusters, double confidence) {
        ClusterRobustEstimates means = means(new double[][] {scores, blind}, cuts, clusters);
        return means == null || Arrays.stream(means.values()).anyMatch(mean -> mean <= 0)
                ? null
                : new UnreadContrast(
                        means.contrast(WEIGHTS, confidence),
                        BackLoss.share(means.log().contrast(WEIGHTS, confidence)),
                        isEnough(clusters.at(side(scores, cuts, Read.WHOLE)))
                                && isEnough(clusters.at(side(scores, cuts, Read.NONE))));
    }

    /**
     * Means of several systems on the same questions: of those whose evidence is read whole, and of those whose is not read.
     *
     * @param scores {@code [system][question]}
     * @return two means of each system; null if a side has no question, or both are in one cluster
     */
    static @Nullable ClusterRobustEstimates means(double[][] scores, EvidenceCuts cuts, Clusters clusters) {
        int n = scores[0].length;
        int[][] sides = {side(scores[0], cuts, Read.WHOLE), side(scores[0], cuts, Read.NONE)};
        if (sides[0].length == 0 || sides[1].length == 0) {
            return null;
        }
        ClusterRobustEstimates means = ClusterRobustEstimates.ofMeans(
                Arrays.stream(scores).flatMapToDouble(Arrays::stream).toArray(),
                IntStream.range(0, 2 * scores.length)
                        .mapToObj(group -> Arrays.stream(sides[group % 2])
                                .map(question -> question + group / 2 * n)
                                .toArray())
                        .toArray(int[][]::new),
                new Clusters(
                        IntStream.range(0, scores.length * n)
                                .map(row -> clusters.of()[row % n])
                                .toArray(),
                        clusters.count()));
        return means.clusters() < 2 ? null : means;
    }

    private static int[] side(double[] scores, EvidenceCuts cuts, Read which) {
        return IntStream.range(0, scores.length)
                .filter(query -> cuts.read(query) == which)
                .toArray();
    }

    private static boolean isEnough(Clusters side) {
        return side.count() >= LossParts.CLUSTERS && side.effective() >= LossParts.EFFECTIVE;
    }

    /** True if both are above 0: points alone, or the share alone, are wrong where the levels of both models differ. */
    public boolean isLoss() {
        return isTested && points.interval().low() > 0 && share.interval().low() > 0;
    }
}
