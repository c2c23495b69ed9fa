package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The cost of the evidence's place with the content held fixed. Front: the first {@link ContentFixed#ends} places; back: the
 * last.
 *
 * @param recall loss at the back by Recall@{@value #TOP}; null if ranks are unknown
 * @param flips queries found from one end only; null if ranks are unknown
 * @param equivalence bound of the loss below which {@link TestOutcome#EVEN} holds, as a fraction
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PositionLoss(
        EndLoss score,
        @Nullable EndLoss recall,
        WorstPlace worst,
        @Nullable Flips flips,
        double equivalence) {
    /** Depth of the ranking within which a passage counts as found. */
    public static final int TOP = 10;

    /** Mean scores at both ends and the net loss at the back. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EndLoss(
            double front, double back, @Nullable Estimate loss) {
        /** Steps after which the degrees of freedom and the number of clusters agree. */
        private static final int STEPS = 20;

        /** Computes the loss between the ends of a curve of means. */
        static EndLoss of(ClusterRobustEstimates means, double confidence) {
            ClusterRobustEstimates log = log(means);
            return new EndLoss(
                    mean(means.values(), true),
                    mean(means.values(), false),
                    log == null ? null : BackLoss.share(log.estimate(0, confidence)));
        }

        /** Log front - log back with its error per cluster; null if a mean is 0. */
        static @Nullable ClusterRobustEstimates log(ClusterRobustEstimates means) {
            double front = mean(means.values(), true);
            double back = mean(means.values(), false);
            return front <= 0 || back <= 0
                    ? null
                    : means.function(Math.log(front / back), gradient(means.values().length, front, back));
        }

        /**
         * Number of queries with which a loss would be found with a power of {@value Power#POWER}: the standard error of log
         * front - log back falls with the root of their number, and t has G* - 1 degrees of freedom.
         *
         * @param wanted loss, as a fraction
         * @param queries of this estimate
         * @param effective their G*
         * @return null if the loss is undefined or its interval has no end
         */
        @Nullable
        Integer queriesFor(double wanted, int queries, double effective, double confidence) {
            if (loss == null || loss.interval().low() >= 1 || loss.interval().high() >= 1) {
                return null;
            }
            double half = (Math.log1p(-loss.interval().low())
                            - Math.log1p(-loss.interval().high()))
                    / 2;
            double error = half
                    / new TDistribution(null, Clusters.freedom(effective))
                            .inverseCumulativeProbability(1 - (1 - confidence) / 2);
            double factor = 1;
            for (int step = 0; step < STEPS; step++) {
                double found = Power.errors(Clusters.freedom(effective * factor), confidence)
                        * error
                        / Math.abs(Math.log1p(-wanted));
                factor = found * found;
            }
            return (int) Math.min(Integer.MAX_VALUE, Math.ceil(queries * factor));
        }

        /** The loss with its error per cluster, for paired differences; null if a mean is 0. */
        static @Nullable ClusterRobustEstimates estimate(ClusterRobustEstimates means) {
            double front = mean(means.values(), true);
            double back = mean(means.values(), false);
            double[] gradient = Arrays.stream(gradient(means.values().length, front, back))
                    .map(part -> part * back / front)
                    .toArray();
            return front <= 0 || back <= 0 ? null : means.function(1 - back / front, gradient);
        }

        static double mean(double[] means, boolean front) {
            int ends = ContentFixed.ends(means.length);
            return Arrays.stream(means, front ? 0 : means.length - ends, front ? ends : means.length)
                    .average()
                    .orElseThrow();
        }

        /** Derivatives of log front - log back by the means. */
        private static double[] gradient(int places, double front, double back) {
            int ends = ContentFixed.ends(places);
            return IntStream.range(0, places)
                    .mapToDouble(
                            place -> place < ends ? 1 / (ends * front) : place < places - ends ? 0 : -1 / (ends * back))
                    .toArray();
        }
    }

    /**
     * Net losses at the back of two systems.
     *
     * @param difference second minus first, by the paired t test over clusters
     * @param magnitude absolute value of the second minus that of the first, by the same test: negative if the second's scores
     *     depend less on the end
     */
    public record Change(double first, double second, Estimate difference, Estimate magnitude) {
        static @Nullable Change of(ClusterRobustEstimates before, ClusterRobustEstimates after, double confidence) {
            ClusterRobustEstimates first = EndLoss.estimate(before);
            ClusterRobustEstimates second = EndLoss.estimate(after);
            return first == null || second == null
                    ? null
                    : new Change(
                            first.values()[0],
                            second.values()[0],
                            second.minus(first).estimate(0, confidence),
                            absolute(second).minus(absolute(first)).estimate(0, confidence));
        }

        private static ClusterRobustEstimates absolute(ClusterRobustEstimates loss) {
            double value = loss.values()[0];
            return value < 0 ? loss.function(-value, new double[] {-1}) : loss;
        }
    }

    /**
     * The place with the lowest mean.
     *
     * @param place its number, from 1; of equal ones the first
     * @param interval simultaneous over all places, so that it allows for the choice of the worst: with D_k = mean - m_k, its
     *     standard error s_k, and c the quantile of max_k |error of D_k| / s_k over draws of the wild cluster bootstrap, from
     *     the largest (D_k - c s_k), at least 0, to the largest (D_k + c s_k)
     */
    public record WorstPlace(int place, double loss, Interval interval) {
        /**
         * @param errors of the means in each draw, {@code [place][draw]}
         */
        static WorstPlace of(ClusterRobustEstimates means, double[][] errors, double confidence) {
            int places = means.values().length;
            double mean = Arrays.stream(means.values()).average().orElseThrow();
            double[] deviations = new double[places];
            double[] standard = new double[places];
            int worst = 0;
            for (int place = 0; place < places; place++) {
                deviations[place] = mean - means.values()[place];
                standard[place] = means.standardError(fromMean(places, place));
                worst = deviations[place] > deviations[worst] ? place : worst;
            }
            double[] largest = new double[errors[0].length];
            for (int draw = 0; draw < largest.length; draw++) {
                double drawn = 0;
                for (double[] own : errors) {
                    drawn += own[draw] / places;
                }
                for (int place = 0; place < places; place++) {
                    double error = standard[place] == 0 ? 0 : (drawn - errors[place][draw]) / standard[place];
                    largest[draw] = Math.max(largest[draw], Math.abs(error));
                }
            }
            double c = Bootstrap.quantile(Arrays.stream(largest).sorted().toArray(), confidence);
            double low = 0;
            double high = 0;
            for (int place = 0; place < places; place++) {
                low = Math.max(low, deviations[place] - c * standard[place]);
                high = Math.max(high, deviations[place] + c * standard[place]);
            }
            return new WorstPlace(worst + 1, deviations[worst], new Interval(low, high));
        }

        /** Weights of the mean of all places minus one. */
        private static double[] fromMean(int places, int place) {
            double[] weights = new double[places];
            Arrays.fill(weights, 1.0 / places);
            weights[place] -= 1;
            return weights;
        }
    }

    /**
     * Counts of queries found from one end only: a query is found from an end if its passage is among the first {@value #TOP}
     * hits at more than half of the places there.
     */
    public record Flips(int queries, int frontOnly, int backOnly) {
        /** Both counts, as in {@code 10 : 1}. */
        @Override
        public String toString() {
            return frontOnly + " : " + backOnly;
        }

        static @Nullable Flips of(List<ScoresByPlace> rows) {
            if (rows.stream().anyMatch(row -> row.found().length == 0)) {
                return null;
            }
            int frontOnly = 0;
            int backOnly = 0;
            for (ScoresByPlace row : rows) {
                boolean front = isFound(row.found(), true);
                boolean back = isFound(row.found(), false);
                frontOnly += front && !back ? 1 : 0;
                backOnly += back && !front ? 1 : 0;
            }
            return new Flips(rows.size(), frontOnly, backOnly);
        }

        private static boolean isFound(boolean[] found, boolean front) {
            int ends = ContentFixed.ends(found.length);
            long times = IntStream.range(0, ends)
                    .filter(place -> found[front ? place : found.length - 1 - place])
                    .count();
            return 2 * times > ends;
        }
    }
}
