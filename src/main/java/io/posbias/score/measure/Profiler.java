package io.posbias.score.measure;

import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.data.dataset.Query;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes profiles of per-query scores. */
public record Profiler(Settings settings, int threads) {
    /** One profile per stratum and measure. */
    public List<Profile> profiles(Scores scores, QueryBuckets placement) {
        return profiles(scores, placement, SearchFacts.NONE);
    }

    /**
     * One profile per stratum and measure.
     *
     * @param facts of the search of the same queries
     */
    public List<Profile> profiles(Scores scores, QueryBuckets placement, SearchFacts facts) {
        List<Profile> profiles = new ArrayList<>();
        Clusters clusters = placement.clustering().clusters();
        EvidenceCuts cuts = facts.readByAll();
        for (int m = 0; m < scores.measures().size(); m++) {
            double[] values = scores.of(m);
            String measure = scores.measures().get(m).toString();
            for (String stratum : placement.strata()) {
                profiles.add(new Stratum(scores.queries(), values, placement, clusters, placement.members(stratum))
                        .profile(measure, stratum, cuts));
            }
        }
        return profiles;
    }

    private final class Stratum {
        private final List<Query> queries;
        private final double[] values;
        private final QueryBuckets placement;
        private final int[] members;
        /** Clusters of all queries, members or not. */
        private final Clusters clusters;
        /** The members of each bucket, and of the non-empty ones. */
        private final List<int[]> buckets;

        private final int[][] filled;
        /** The members in a bucket, ascending, and their scores. */
        private final int[] placed;

        private final double[] placedScores;

        private final Clusters placedClusters;

        Stratum(List<Query> queries, double[] values, QueryBuckets placement, Clusters clusters, int[] members) {
            this.queries = queries;
            this.values = values;
            this.placement = placement;
            this.members = members;
            this.clusters = clusters;
            this.buckets = placement.byBucket(members);
            this.filled = buckets.stream().filter(bucket -> bucket.length > 0).toArray(int[][]::new);
            this.placed = Arrays.stream(members)
                    .filter(query -> placement.bucketsOf(query).length > 0)
                    .toArray();
            this.placedScores = Moments.at(values, placed);
            this.placedClusters = clusters.at(placed);
        }

        Profile profile(String measure, String stratum, EvidenceCuts cuts) {
            Moments[] samples = moments(filled);
            double[][] drawn = drawn(filled);
            List<BucketMean> means = bucketMeans(samples, drawn);
            Psi psi = Psi.of(means).withNoise(nullPsi());
            Moments all = Moments.of(values, members, clusters);
            Direction direction = direction(psi);
            return new Profile(
                    measure,
                    stratum,
                    members.length,
                    all.clusters(),
                    all.effective(),
                    members.length == 0 ? null : all.mean(),
                    tInterval(all),
                    filled.length == 0 ? null : Moments.of(meansOf(samples)).mean(),
                    bucketInterval(samples),
                    drawn.length == 0 || placedClusters.count() < 2
                            ? psi
                            : psi.withInterval(samples, drawn, placedClusters, settings.confidence()),
                    means,
                    direction,
                    direction == null
                            ? null
                            : Power.of(
                                    meansOf(samples),
                                    drawn,
                                    psi,
                                    direction.frontMinusBack(),
                                    placed.length,
                                    1 - settings.confidence(),
                                    settings.confidence()),
                    null,
                    Profile.Unread.of(members, cuts),
                    List.of());
        }

        private Moments[] moments(int[][] groups) {
            return Arrays.stream(groups)
                    .map(group -> Moments.of(values, group, clusters))
                    .toArray(Moments[]::new);
        }

        private static double[] meansOf(Moments[] samples) {
            return Arrays.stream(samples).mapToDouble(Moments::mean).toArray();
        }

        private double[][] drawn(int[][] groups) {
            return settings.draws() == 0 || groups.length == 0
                    ? new double[0][]
                    : Bootstrap.means(
                            new double[][] {values}, groups, clusters, settings.draws(), settings.seed(), threads)[0];
        }

        private List<BucketMean> bucketMeans(Moments[] samples, double[][] drawn) {
            List<BucketMean> means = new ArrayList<>();
            int next = 0;
            for (int bucket = 0; bucket < buckets.size(); bucket++) {
                String name = placement.bucketNames().get(bucket);
                int size = buckets.get(bucket).length;
                if (size == 0) {
                    means.add(new BucketMean(name, 0, null, settings.thinBelow() > 0));
                    continue;
                }
                Moments sample = samples[next];
                Interval t = tInterval(sample);
                Interval interval = drawn.length == 0 || t == null
                        ? null
                        : sample.clusters() == sample.n() && sample.squares() > 0
                                ? Bootstrap.bca(sample, drawn[next], settings.confidence())
                                : t;
                means.add(new BucketMean(name, size, sample.mean(), size < settings.thinBelow(), interval, t));
                next++;
            }
            return means;
        }

        private @Nullable Interval tInterval(Moments sample) {
            return sample.isEstimable() ? sample.ofScores(settings.confidence()) : null;
        }

        /** Interval of the mean of bucket means; null if a bucket has one cluster. */
        private @Nullable Interval bucketInterval(Moments[] samples) {
            if (filled.length == 0 || !Arrays.stream(samples).allMatch(Moments::isEstimable)) {
                return null;
            }
            Moments all = Moments.of(placedScores, placedClusters);
            double[] weights = new double[filled.length];
            Arrays.fill(weights, 1.0 / filled.length);
            return all.squares() == 0
                    ? all.ofScores(settings.confidence())
                    : Estimate.ofContrast(values, filled, weights, clusters, settings.confidence())
                            .interval()
                            .within(0, 1);
        }

        /** Draws of PSI under the null hypothesis, from queries in a bucket. */
        private double[] nullPsi() {
            if (settings.draws() == 0 || filled.length == 0 || placedClusters.count() < 2) {
                return new double[0];
            }
            int[][] places = Arrays.stream(filled)
                    .map(group -> Arrays.stream(group)
                            .map(query -> Arrays.binarySearch(placed, query))
                            .toArray())
                    .toArray(int[][]::new);
            return Psi.withoutPositions(
                    placedScores, placedClusters, places, settings.draws(), settings.seed(), threads);
        }

        private @Nullable Direction direction(Psi psi) {
            return Direction.of(
                    Direction.positions(queries, placement, placed),
                    placedScores,
                    placedClusters,
                    Direction.scale(queries, placed),
                    psi,
                    settings.confidence());
        }
    }
}
