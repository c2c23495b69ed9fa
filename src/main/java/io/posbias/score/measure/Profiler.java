package io.posbias.score.measure;

import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Moments;
import io.posbias.data.dataset.Query;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
        /** The members of each bucket. */
        private final List<int[]> buckets;

        private final PlacedScores placed;

        Stratum(List<Query> queries, double[] values, QueryBuckets placement, Clusters clusters, int[] members) {
            this.queries = queries;
            this.values = values;
            this.placement = placement;
            this.members = members;
            this.clusters = clusters;
            this.buckets = placement.byBucket(members);
            this.placed = PlacedScores.of(values, clusters, buckets);
        }

        Profile profile(String measure, String stratum, EvidenceCuts cuts) {
            Moments[] samples = placed.filled().stream()
                    .map(group -> Moments.of(values, group, clusters))
                    .toArray(Moments[]::new);
            double[] sampleMeans =
                    Arrays.stream(samples).mapToDouble(Moments::mean).toArray();
            double[][] drawn = drawn();
            List<BucketMean> means = bucketMeans(samples, drawn);
            Psi psi = Psi.of(means).withNoise(placed.withoutPositions(settings, threads));
            Moments all = Moments.of(values, members, clusters);
            Direction direction = Direction.of(
                    Direction.positions(queries, placement, placed.queries()),
                    placed.scores(),
                    placed.clusters(),
                    Direction.scale(queries, placed.queries()),
                    psi,
                    settings.confidence());
            return new Profile(
                    measure,
                    stratum,
                    members.length,
                    all.clusters(),
                    all.effective(),
                    members.length == 0 ? null : all.mean(),
                    BucketMean.tInterval(all, settings.confidence()),
                    samples.length == 0 ? null : Moments.of(sampleMeans).mean(),
                    Arrays.stream(samples).allMatch(Moments::isEstimable)
                            ? placed.bucketInterval(settings.confidence())
                            : null,
                    drawn.length == 0 || placed.clusters().count() < 2
                            ? psi
                            : psi.withInterval(samples, drawn, placed.clusters(), settings.confidence()),
                    means,
                    direction,
                    direction == null
                            ? null
                            : Power.of(
                                    sampleMeans,
                                    drawn,
                                    psi,
                                    direction.frontMinusBack(),
                                    placed.queries().length,
                                    1 - settings.confidence(),
                                    settings.confidence()),
                    null,
                    Profile.Unread.of(members, cuts),
                    List.of());
        }

        private double[][] drawn() {
            int[][] filled = placed.filled().toArray(int[][]::new);
            return settings.draws() == 0 || filled.length == 0
                    ? new double[0][]
                    : Bootstrap.means(
                            new double[][] {values}, filled, clusters, settings.draws(), settings.seed(), threads)[0];
        }

        /**
         * @param samples of the buckets with queries
         * @param drawn means of these; none without draws
         */
        private List<BucketMean> bucketMeans(Moments[] samples, double[][] drawn) {
            List<BucketMean> means = new ArrayList<>();
            int next = 0;
            for (int bucket = 0; bucket < buckets.size(); bucket++) {
                String name = placement.bucketNames().get(bucket);
                if (buckets.get(bucket).length == 0) {
                    means.add(new BucketMean(name, 0, null, settings.thinBelow() > 0));
                } else {
                    means.add(BucketMean.of(name, samples[next], drawn.length == 0 ? null : drawn[next], settings));
                    next++;
                }
            }
            return means;
        }
    }
}
