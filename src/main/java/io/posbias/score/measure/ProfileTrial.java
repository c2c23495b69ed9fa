package io.posbias.score.measure;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Resample;
import io.posbias.data.dataset.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A profile whose means fall on a straight line, the last bucket's below the first's by a share: the pilot's scores, times a
 * factor for each bucket that levels its profile and plants the line. The test is the {@link TestOutcome} {@code differ}, with
 * {@value #DRAWS} draws under the null hypothesis in each sample.
 */
public final class ProfileTrial implements Trial {
    /** With 200 draws p is below 0.05 in 10 of 201 cases: the level is 0.0498, as with thousands. */
    private static final int DRAWS = 200;

    private final double[] scores;
    private final double[] positions;
    private final int[][] buckets;
    private final int filled;
    private final Clusters clusters;
    private final int[][] members;
    private final double confidence;

    /**
     * @param values one score per query
     * @param loss of the last bucket, as a share of the first's mean
     * @throws UsageException if the pilot has no profile
     */
    public ProfileTrial(List<Query> queries, double[] values, QueryBuckets placement, double loss, double confidence) {
        int[] placed = IntStream.range(0, values.length)
                .filter(query -> placement.bucketsOf(query).length > 0)
                .toArray();
        List<int[]> groups = placement.byBucket(placed).stream()
                .filter(group -> group.length > 0)
                .toList();
        if (groups.size() < 2) {
            throw new UsageException("--pilot: fewer than two buckets hold queries, so that it has no profile");
        }
        this.filled = groups.size();
        this.confidence = confidence;
        this.buckets = new int[placed.length][];
        double[] factors = new double[values.length];
        for (int i = 0; i < placed.length; i++) {
            int query = placed[i];
            buckets[i] = IntStream.range(0, groups.size())
                    .filter(group -> Arrays.binarySearch(groups.get(group), query) >= 0)
                    .toArray();
        }
        double[] means = groups.stream()
                .mapToDouble(group -> Moments.of(values, group).mean())
                .toArray();
        if (Arrays.stream(means).anyMatch(mean -> mean == 0)) {
            throw new UsageException("--pilot: all queries of a bucket score 0, so that no loss can be planted");
        }
        double mean = Moments.of(means).mean();
        double slope = loss / (2 - loss);
        for (int i = 0; i < placed.length; i++) {
            factors[placed[i]] = Arrays.stream(buckets[i])
                    .mapToDouble(bucket -> mean * (1 + slope * (1 - 2.0 * bucket / (filled - 1))) / means[bucket])
                    .average()
                    .orElseThrow();
        }
        this.scores = Arrays.stream(placed)
                .mapToDouble(query -> values[query] * factors[query])
                .toArray();
        this.positions = Direction.positions(queries, placement, placed);
        this.clusters = placement.clustering().clusters().at(placed);
        this.members = Resample.members(clusters);
    }

    @Override
    public Clusters clusters() {
        return clusters;
    }

    @Override
    public String test() {
        return "difference between positions in eval";
    }

    @Override
    public boolean finds(int[] drawn, SplittableRandom random) {
        Resample sample = Resample.of(members, drawn);
        double[] own = Moments.at(scores, sample.rows());
        int[][] present = groups(sample.rows());
        double[] means = Arrays.stream(present)
                .mapToDouble(group -> Moments.of(own, group).mean())
                .toArray();
        double psi = means.length < 2 ? Double.NaN : Psi.of(means);
        if (Double.isNaN(psi)) {
            return false;
        }
        Psi tested = Psi.of(psi)
                .withNoise(Psi.withoutPositions(own, sample.clusters(), present, DRAWS, random.nextLong(), 1));
        Estimate slope = Estimate.ofSlope(Moments.at(positions, sample.rows()), own, sample.clusters(), confidence);
        return TestOutcome.ofProfile(tested, slope, sample.clusters(), confidence) == TestOutcome.DIFFER;
    }

    /** The rows of a sample in each bucket that it has. */
    private int[][] groups(int[] rows) {
        List<List<Integer>> groups = new ArrayList<>();
        IntStream.range(0, filled).forEach(bucket -> groups.add(new ArrayList<>()));
        for (int i = 0; i < rows.length; i++) {
            for (int bucket : buckets[rows[i]]) {
                groups.get(bucket).add(i);
            }
        }
        return groups.stream()
                .filter(group -> !group.isEmpty())
                .map(group -> group.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }
}
