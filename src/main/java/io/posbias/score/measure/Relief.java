package io.posbias.score.measure;

import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import org.jspecify.annotations.Nullable;

/**
 * The part of a model's loss that a strategy removes, on the same questions, by t intervals over clusters.
 *
 * @param less the model's loss minus that with the strategy
 * @param beyondHalf {@code less} minus half of the part that is to be repaired
 */
public record Relief(Estimate less, Estimate beyondHalf) {
    /** Read and unread questions of the model, of the blind model and with the strategy: the latter's contrast minus the model's. */
    private static final double[] LESS = {1, -1, 0, 0, -1, 1};

    private static final double[] BEYOND_HALF = {0.5, -0.5, 0.5, -0.5, -1, 1};

    /**
     * Compares losses where evidence is not read, beyond that of a position-blind model.
     *
     * @param scores of the model, of the blind model and with the strategy, by question
     * @param cuts of the model
     * @return in points; null without questions on a side
     */
    public static @Nullable Relief unread(double[][] scores, EvidenceCuts cuts, Clusters clusters, double confidence) {
        ClusterRobustEstimates means = UnreadContrast.means(scores, cuts, clusters);
        return means == null
                ? null
                : new Relief(means.contrast(LESS, confidence), means.contrast(BEYOND_HALF, confidence));
    }

    /**
     * Compares what answers that are not read gain with what not reading costs them. The errors of both count as independent,
     * which is wide: where not reading costs more there is more to gain.
     *
     * @param gain with the strategy, by question
     * @param cost of not reading, see {@link LossParts#perUnread}
     * @return in points
     */
    public static Relief ofReading(Estimate gain, Estimate cost) {
        double beyond = gain.value() - cost.value() / 2;
        double half = Math.hypot(half(gain), half(cost) / 2);
        return new Relief(gain, new Estimate(beyond, new Interval(beyond - half, beyond + half), Double.NaN));
    }

    private static double half(Estimate estimate) {
        return (estimate.interval().high() - estimate.interval().low()) / 2;
    }

    /** Returns true if the loss is smaller beyond noise. */
    public boolean helps() {
        return less.interval().low() > 0;
    }

    /** Returns true if at least half of the loss, or of the part by not reading, is gone, by the whole interval. */
    public boolean repairs() {
        return helps() && beyondHalf.interval().low() >= 0;
    }
}
