package io.posbias.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes profiles of per-query scores.
 *
 * @param thinBelow buckets with fewer queries than this are marked thin
 * @param draws how many random deals the noise of PSI is estimated from; 0 leaves it out
 * @param seed of those deals
 * @param threads how many threads may work; results do not depend on it
 */
public record Profiler(int thinBelow, int draws, long seed, int threads) {
    /** Fewer queries than this make a bucket thin: the usual rule of thumb for a mean. */
    public static final int THIN_BELOW = 30;

    /** Enough for a p-value with two digits at 0.05. */
    public static final int DRAWS = 10_000;

    /** One profile for each stratum of each measure. */
    public List<Profile> profiles(Scores scores, Placement placement) {
        List<Profile> profiles = new ArrayList<>();
        for (int m = 0; m < scores.measures().size(); m++) {
            double[] values = scores.of(m);
            for (String stratum : placement.strata()) {
                profiles.add(profile(scores.measures().get(m).toString(), stratum, values, placement));
            }
        }
        return profiles;
    }

    private Profile profile(String measure, String stratum, double[] values, Placement placement) {
        int[] queries = placement.members(stratum);
        List<BucketMean> buckets = new ArrayList<>();
        List<int[]> filled = new ArrayList<>();
        for (int bucket = 0; bucket < placement.bucketNames().size(); bucket++) {
            int[] members = placement.members(bucket, queries);
            String name = placement.bucketNames().get(bucket);
            buckets.add(new BucketMean(name, members.length, mean(values, members), members.length < thinBelow));
            if (members.length > 0) {
                filled.add(members);
            }
        }
        Psi psi = withNoise(Psi.of(buckets), values, queries, filled, placement);
        return new Profile(measure, stratum, queries.length, mean(values, queries), bucketMean(buckets), psi, buckets);
    }

    /** Deals the scores of the placed queries only: a query in no bucket has no position to change. */
    private Psi withNoise(Psi psi, double[] values, int[] queries, List<int[]> filled, Placement placement) {
        int[] place = new int[values.length];
        double[] placed = new double[queries.length];
        int size = 0;
        for (int query : queries) {
            if (placement.bucketsOf(query).length > 0) {
                place[query] = size;
                placed[size++] = values[query];
            }
        }
        int[][] members = filled.stream()
                .map(bucket -> Arrays.stream(bucket).map(query -> place[query]).toArray())
                .toArray(int[][]::new);
        return psi.withNoise(Arrays.copyOf(placed, size), members, draws, seed, threads);
    }

    private static @Nullable Double bucketMean(List<BucketMean> buckets) {
        double sum = 0;
        int count = 0;
        for (BucketMean bucket : buckets) {
            Double mean = bucket.mean();
            if (mean != null) {
                sum += mean;
                count++;
            }
        }
        return count == 0 ? null : sum / count;
    }

    private static @Nullable Double mean(double[] values, int[] members) {
        if (members.length == 0) {
            return null;
        }
        double sum = 0;
        for (int member : members) {
            sum += values[member];
        }
        return sum / members.length;
    }
}
