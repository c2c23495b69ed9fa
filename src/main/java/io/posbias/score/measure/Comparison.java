package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Meaning;
import io.posbias.score.measure.Psi.PsiTest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two systems on the same queries of one stratum. Differences are second minus first. */
public record Comparison(
        String measure,
        String stratum,
        @Meaning("queries with scores of both") int queries,

        @Meaning("clusters of queries, for example of one passage")
        int clusters,

        @Meaning("mean over queries of the first system") double firstMean,
        @Meaning("mean over queries of the second system") double secondMean,

        @Meaning("second mean minus first, by the paired t test over clusters")
        Estimate difference,

        @JsonProperty("randomisation_p_value")
        @Meaning("two-sided paired randomisation test of the difference; empty without draws")
        @Nullable
        Double randomisationPValue,

        @Meaning("queries on which the second is better") int wins,
        @Meaning("queries on which both are equal") int ties,
        @Meaning("queries on which the second is worse") int losses,

        @Meaning(
                value =
                        "PSI of both and its difference, by Wald's test that both profiles differ in level only; empty if"
                                + " a bucket has too few queries",
                unit = "fraction")
        @Nullable
        PsiDifference psi,

        List<Bucket> buckets) {

    /** The p-value of the difference in means: by randomisation, otherwise by the t test. */
    public double pValue() {
        return randomisationPValue == null ? difference.pValue() : randomisationPValue;
    }

    /** Returns true if draws were made but the difference in PSI has no test. */
    public boolean hasTooFewForPsi() {
        return randomisationPValue != null && psi != null && psi.difference() == null;
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
