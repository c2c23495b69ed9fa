package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.measure.Psi.PsiTest;
import io.posbias.stats.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two systems on the same queries of one stratum. Differences are second minus first.
 *
 * @param difference of the means; interval and p-value of the paired t test over clusters
 * @param randomisation two-sided p-value of the paired randomisation test; null without draws
 * @param wins queries on which the second scores higher
 * @param psi null if PSI is undefined for one of them
 */
public record Comparison(
        String measure,
        String stratum,
        int queries,
        int clusters,
        double firstMean,
        double secondMean,
        Estimate difference,
        @Nullable Double randomisation,
        int wins,
        int losses,
        @Nullable PsiDifference psi,
        List<Bucket> buckets) {

    /** Returns true if draws were made but the difference in PSI has no test. */
    public boolean hasTooFewForPsi() {
        return randomisation != null && psi != null && psi.difference() == null;
    }

    public int ties() {
        return queries - wins - losses;
    }

    /**
     * Two systems in one bucket.
     *
     * @param firstMean null for an empty bucket
     * @param secondMean null for an empty bucket
     * @param difference by the paired t test; null for fewer than two queries
     */
    public record Bucket(
            String bucket,
            int queries,
            @Nullable Double firstMean,
            @Nullable Double secondMean,
            @Nullable Estimate difference) {}

    /**
     * PSI of two systems.
     *
     * @param difference by {@link PsiTest}; null without draws, and if a bucket has one cluster or no variance in either system
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PsiDifference(
            double first, double second, @Nullable Estimate difference) {
        /** Second minus first. */
        public double value() {
            return second - first;
        }
    }
}
