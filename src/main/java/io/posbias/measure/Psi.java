package io.posbias.measure;

import io.posbias.stats.Permutation;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The Position Sensitivity Index, 1 - min / max over the means of all buckets that hold a query (Zeng et al. 2025,
 * equation 1): 0 when every position is served alike, near 1 when some are hardly served.
 *
 * <p>A maximum over noisy means is above 0 even where position does not matter at all. The noise floor is what PSI comes
 * to when the same scores are dealt to the positions at random, and the p-value is the share of such deals that reach
 * the PSI found.
 *
 * @param value between 0 and 1; null when undefined
 * @param undefined why there is no value; null when there is one
 * @param pValue of the permutation test that positions do not matter; null when undefined or no draws were asked for
 * @param noiseMean mean PSI under that null hypothesis; null likewise
 * @param noise95 its 95th percentile; null likewise
 */
public record Psi(
        @Nullable Double value,
        @Nullable String undefined,
        @Nullable Double pValue,
        @Nullable Double noiseMean,
        @Nullable Double noise95) {

    private static final double PERCENTILE = 0.95;

    /** PSI of bucket means, without its noise. */
    public static Psi of(List<BucketMean> buckets) {
        double[] means = buckets.stream()
                .map(BucketMean::mean)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        if (means.length < 2) {
            return undefined("fewer than two buckets hold queries");
        }
        double psi = of(means);
        return Double.isNaN(psi) ? undefined("all buckets score 0") : new Psi(psi, null, null, null, null);
    }

    private static Psi undefined(String reason) {
        return new Psi(null, reason, null, null, null);
    }

    /** 1 - min / max of at least one mean; NaN when none is above 0. */
    static double of(double[] means) {
        double least = means[0];
        double most = means[0];
        for (double mean : means) {
            least = Math.min(least, mean);
            most = Math.max(most, mean);
        }
        return most > 0 ? 1 - least / most : Double.NaN;
    }

    /**
     * The same PSI with its noise.
     *
     * @param scores of the queries that are in a bucket
     * @param members for each bucket that holds a query, the places of its queries in {@code scores}
     * @param draws how many random deals
     */
    Psi withNoise(double[] scores, int[][] members, int draws, long seed, int threads) {
        if (value == null || draws == 0) {
            return this;
        }
        double[] drawn = Permutation.draw(scores, draws, seed, threads, () -> statistic(members));
        double[] sorted = drawn.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(drawn).average().orElseThrow();
        double high = sorted[(int) Math.ceil(PERCENTILE * draws) - 1];
        return new Psi(value, null, Permutation.pValue(value, drawn), mean, high);
    }

    private static ToDoubleFunction<double[]> statistic(int[][] members) {
        double[] means = new double[members.length];
        return scores -> {
            for (int bucket = 0; bucket < members.length; bucket++) {
                double sum = 0;
                for (int query : members[bucket]) {
                    sum += scores[query];
                }
                means[bucket] = sum / members[bucket].length;
            }
            return of(means);
        };
    }
}
