package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.stats.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two systems on the same queries, within one stratum. Differences are the second minus the first.
 *
 * @param measure the measure's name
 * @param stratum {@code all} or a band of length
 * @param queries how many judged queries the stratum holds
 * @param clusters how many units they are of
 * @param firstMean query mean of the first system
 * @param secondMean query mean of the second
 * @param difference of the means; interval and p-value of the paired t test over units
 * @param randomisation p-value of the paired randomisation test, two-sided; null when no draws were requested
 * @param wins queries on which the second scores higher
 * @param losses queries on which it scores lower; all others are ties
 * @param psi the difference in PSI; null when one of the two has none
 * @param buckets the difference in each bucket
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

    /** Returns true if draws were made and the difference in PSI has no test: see {@link PsiDifference#difference}. */
    public boolean hasTooFewForPsi() {
        return randomisation != null && psi != null && psi.difference() == null;
    }

    /** Queries on which both score the same. */
    public int ties() {
        return queries - wins - losses;
    }

    /**
     * Two systems in one bucket.
     *
     * @param bucket its name
     * @param queries how many queries it holds
     * @param firstMean mean of the first system; null when it holds none
     * @param secondMean mean of the second; null likewise
     * @param difference of the means, by the paired t test; null for fewer than two queries
     */
    public record Bucket(
            String bucket,
            int queries,
            @Nullable Double firstMean,
            @Nullable Double secondMean,
            @Nullable Estimate difference) {}

    /**
     * Two systems' PSI.
     *
     * @param first PSI of the first system
     * @param second PSI of the second
     * @param difference second minus first, by {@link PsiTest}; null when no draws were requested, and where a bucket has
     *     queries of one cluster alone or scores that vary in neither system: it would count as certain
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
