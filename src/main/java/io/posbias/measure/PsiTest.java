package io.posbias.measure;

import io.posbias.stats.Bootstrap;
import io.posbias.stats.ClusterRobustEstimates;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Test of a difference in PSI between two systems on the same queries. PSI is biased upwards by noise, more so for systems with
 * lower means: intervals of the difference alone call two flat systems different. A difference counts if two conditions hold:
 *
 * <ul>
 *   <li>Wald's test over d_b = log m_b(second) - log m_b(first), paired and clustered, rejects that all d_b are equal: equal
 *       d_b mean profiles that differ in level only, and so equal PSI. If a mean is 0, d_b is the difference of means relative
 *       to the average of their system.
 *   <li>The percentile interval of the paired bootstrap excludes 0: different profiles may have equal PSI.
 * </ul>
 *
 * The p-value is the larger of both; the interval is the bootstrap's, extended to 0 if the test does not reject.
 */
final class PsiTest {
    private PsiTest() {}

    /** The difference of PSI in each draw, from means {@code [bucket][draw]}. */
    static double[] differences(double[][] first, double[][] second) {
        return IntStream.range(0, first[0].length)
                .mapToDouble(draw -> psi(second, draw) - psi(first, draw))
                .toArray();
    }

    private static double psi(double[][] means, int draw) {
        return Psi.ofDraw(
                Arrays.stream(means).mapToDouble(bucket -> bucket[draw]).toArray());
    }

    /**
     * Tests the difference.
     *
     * @param drawn the difference in each draw
     * @return null if a bucket has one cluster or no variance in either system
     */
    static @Nullable Estimate of(
            ClusterRobustEstimates first, ClusterRobustEstimates second, double[] drawn, double confidence) {
        if (!IntStream.range(0, first.values().length).allMatch(bucket -> isTestable(first, second, bucket))) {
            return null;
        }
        double difference = Psi.of(second.values()) - Psi.of(first.values());
        double pValue = Math.max(profiles(first, second), Bootstrap.excludingZero(drawn, difference));
        Interval interval = Bootstrap.percentile(drawn, confidence).holding(difference);
        return new Estimate(difference, pValue < 1 - confidence ? interval : interval.holding(0), pValue);
    }

    private static boolean isTestable(ClusterRobustEstimates first, ClusterRobustEstimates second, int bucket) {
        long clusters =
                Arrays.stream(first.rows()).filter(rows -> rows[bucket] > 0).count();
        return clusters > 1
                && Stream.of(first, second)
                        .flatMap(means -> Arrays.stream(means.parts()))
                        .anyMatch(part -> part[bucket] != 0);
    }

    private static double profiles(ClusterRobustEstimates first, ClusterRobustEstimates second) {
        boolean positive = isPositive(first) && isPositive(second);
        return (positive ? second.log().minus(first.log()) : second.relative().minus(first.relative())).equal();
    }

    private static boolean isPositive(ClusterRobustEstimates means) {
        return Arrays.stream(means.values()).allMatch(mean -> mean > 0);
    }
}
