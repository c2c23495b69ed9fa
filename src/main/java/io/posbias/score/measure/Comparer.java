package io.posbias.score.measure;

import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Permutation.Randomisation;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Effect.BucketSummary;
import io.posbias.score.measure.Psi.PsiTest;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Compares systems query by query, by {@linkplain Clustering clusters}. Caches the bootstrap draws of each system. */
public final class Comparer {
    private final Settings settings;
    private final int threads;
    private final IdentityHashMap<Clustering, Clusters> clustersOf = new IdentityHashMap<>();
    private final Map<Drawn, double[][]> drawn = new HashMap<>();

    /** Key of cached draws: scores by identity, rows of each bucket, clusters. */
    @SuppressWarnings("ArrayRecordComponent") // one array is one system's scores
    private record Drawn(double[] scores, List<IntBuffer> buckets, IntBuffer clusters) {}

    public Comparer(Settings settings, int threads) {
        this.settings = settings;
        this.threads = threads;
    }

    /**
     * Compares two systems on one measure.
     *
     * @param first one score per query of the placement
     * @param second one score per query of the placement
     * @return null if the stratum has fewer than two queries or clusters
     */
    public @Nullable Comparison compare(
            String measure, String stratum, double[] first, double[] second, QueryBuckets placement) {
        int[] members = placement.members(stratum);
        if (members.length < 2) {
            return null;
        }
        return new Pair(first, second, placement, members).compare(measure, stratum);
    }

    /**
     * Computes the effect of a strategy.
     *
     * @param first the model's scores, one per query of the placement
     * @param second the strategy's scores
     * @return null if the queries have fewer than two buckets or clusters
     */
    public @Nullable Effect effect(String measure, double[] first, double[] second, QueryBuckets placement) {
        int[] members = placement.members(Strata.ALL);
        if (members.length < 2) {
            return null;
        }
        Pair pair = new Pair(first, second, placement, members);
        Comparison comparison = pair.compare(measure, Strata.ALL);
        return comparison == null || pair.filled.length < 2 ? null : pair.effect(comparison);
    }

    /**
     * Tests that the profiles of two systems differ in level only.
     *
     * @return p-value, see {@link PsiTest#shape}; null for fewer than two buckets, or if one has too few clusters
     */
    public @Nullable Double shape(double[] first, double[] second, QueryBuckets placement) {
        Pair pair = new Pair(first, second, placement, placement.members(Strata.ALL));
        return pair.filled.length < 2
                ? null
                : PsiTest.shape(pair.means(first), pair.means(second), settings.confidence());
    }

    /**
     * Compares two systems with the content held fixed.
     *
     * @return null without draws or with fewer than two clusters
     */
    public ContentFixedFit.@Nullable Difference byPlace(
            String measure, QueryBuckets placement, List<ScoresByPlace> first, List<ScoresByPlace> second) {
        return settings.draws() == 0
                ? null
                : new ContentFixedFit(
                                settings.withMeasures(List.of(Measures.parse(measure)))
                                        .withCluster(placement.clustering().by()),
                                "",
                                threads)
                        .compare(first, second);
    }

    /**
     * Compares the loss at the back of a model with that of a strategy.
     *
     * @return as shares of the model's front; null for fewer than two clusters
     */
    public @Nullable Relief relief(Clustering.By cluster, List<ScoresByPlace> model, List<ScoresByPlace> strategy) {
        return LossPartsFit.relief(model, strategy, new ContentFixedFit(settings.withCluster(cluster), "", threads));
    }

    private final class Pair {
        private final double[] first;
        private final double[] second;
        private final double[] differences;
        private final int[] members;
        private final Clusters clusters;
        private final List<Comparison.Bucket> buckets = new ArrayList<>();
        private final int[][] filled;

        Pair(double[] first, double[] second, QueryBuckets placement, int[] members) {
            this.first = first;
            this.second = second;
            this.members = members;
            this.clusters = clustersOf.computeIfAbsent(placement.clustering(), Clustering::clusters);
            this.differences = new double[first.length];
            for (int query : members) {
                differences[query] = second[query] - first[query];
            }
            List<int[]> byBucket = placement.byBucket(members);
            for (int bucket = 0; bucket < byBucket.size(); bucket++) {
                int[] own = byBucket.get(bucket);
                buckets.add(new Comparison.Bucket(
                        placement.bucketNames().get(bucket),
                        own.length,
                        own.length == 0 ? null : (Double) mean(first, own),
                        own.length == 0 ? null : (Double) mean(second, own),
                        difference(own)));
            }
            this.filled = byBucket.stream().filter(own -> own.length > 0).toArray(int[][]::new);
        }

        private @Nullable Estimate difference(int[] of) {
            Moments moments = Moments.of(differences, of, clusters);
            return moments.isEstimable()
                    ? moments.estimate(settings.confidence()).ofScores()
                    : null;
        }

        @Nullable
        Comparison compare(String measure, String stratum) {
            Estimate difference = difference(members);
            return difference == null
                    ? null
                    : new Comparison(
                            measure,
                            stratum,
                            members.length,
                            clusters.at(members).count(),
                            mean(first, members),
                            mean(second, members),
                            difference,
                            settings.draws() == 0 ? null : (Double) randomised(),
                            (int) count(1),
                            (int) count(0),
                            (int) count(-1),
                            psi(),
                            buckets);
        }

        private long count(int sign) {
            return Arrays.stream(members)
                    .filter(query -> Math.signum(differences[query]) == sign)
                    .count();
        }

        /** Swaps the two scores of all queries of a cluster together. */
        private double randomised() {
            Clusters own = clusters.at(members);
            double[] sums = new double[own.count()];
            for (int i = 0; i < members.length; i++) {
                sums[own.of()[i]] += differences[members[i]];
            }
            int[] all = IntStream.range(0, sums.length).toArray();
            return Randomisation.pValue(
                    sums,
                    Randomisation.randomisedSums(sums, new int[][] {all}, settings.draws(), settings.seed(), threads)[
                            0]);
        }

        private Effect effect(Comparison comparison) {
            List<Comparison.Bucket> held =
                    buckets.stream().filter(bucket -> bucket.queries() > 0).toList();
            int before = worst(bucketMeans(first));
            int after = worst(bucketMeans(second));
            return new Effect(
                    comparison,
                    summary(BucketSummary.WORST),
                    summary(BucketSummary.HARMONIC),
                    held.get(before).bucket(),
                    held.get(after).bucket(),
                    shift(before, after));
        }

        /** Null for one bucket, or if a mean has no variance. */
        private Effect.@Nullable Shift shift(int before, int after) {
            int[][] both = {filled[before], filled[after]};
            if (before == after
                    || !Estimate.canContrast(first, both, clusters)
                    || !Estimate.canContrast(second, both, clusters)) {
                return null;
            }
            double[] weights = new double[filled.length];
            weights[after] = 1;
            weights[before] = -1;
            double[] reverse = Arrays.stream(weights).map(weight -> -weight).toArray();
            return Effect.Shift.of(
                    means(first).contrast(weights, settings.confidence()).ofScores(),
                    means(second).contrast(reverse, settings.confidence()).ofScores(),
                    filled.length);
        }

        /** The first of the smallest. */
        private static int worst(double[] means) {
            int worst = 0;
            for (int bucket = 1; bucket < means.length; bucket++) {
                worst = means[bucket] < means[worst] ? bucket : worst;
            }
            return worst;
        }

        private Effect.Summary summary(BucketSummary of) {
            double before = of.of(bucketMeans(first));
            double after = of.of(bucketMeans(second));
            return new Effect.Summary(
                    before,
                    after,
                    settings.draws() == 0
                            ? null
                            : Bootstrap.estimate(after - before, drawnSummaries(of), settings.confidence()));
        }

        /** In each draw, the second system's summary minus the first's. */
        private double[] drawnSummaries(BucketSummary of) {
            double[][] before = drawn(first);
            double[][] after = drawn(second);
            return IntStream.range(0, settings.draws())
                    .mapToDouble(draw -> of.of(at(after, draw)) - of.of(at(before, draw)))
                    .toArray();
        }

        /** The means of a draw; a bucket without a drawn cluster is left out. */
        private static double[] at(double[][] means, int draw) {
            return Arrays.stream(means)
                    .mapToDouble(bucket -> bucket[draw])
                    .filter(mean -> !Double.isNaN(mean))
                    .toArray();
        }

        private double[] bucketMeans(double[] scores) {
            return Arrays.stream(filled)
                    .mapToDouble(bucket -> mean(scores, bucket))
                    .toArray();
        }

        private Comparison.@Nullable PsiDifference psi() {
            double before = psi(first);
            double after = psi(second);
            if (Double.isNaN(before) || Double.isNaN(after)) {
                return null;
            }
            return new Comparison.PsiDifference(
                    before,
                    after,
                    settings.draws() == 0
                            ? null
                            : PsiTest.of(means(first), means(second), drawnPsi(), settings.confidence()));
        }

        private double psi(double[] scores) {
            return filled.length < 2 ? Double.NaN : Psi.of(bucketMeans(scores));
        }

        private ClusterRobustEstimates means(double[] scores) {
            return ClusterRobustEstimates.ofMeans(scores, filled, clusters);
        }

        private double[] drawnPsi() {
            return PsiTest.differences(drawn(first), drawn(second));
        }

        /** All systems share the draws of queries, so that they are paired. */
        private double[][] drawn(double[] scores) {
            Drawn key = new Drawn(
                    scores, Arrays.stream(filled).map(IntBuffer::wrap).toList(), IntBuffer.wrap(clusters.of()));
            return drawn.computeIfAbsent(
                    key,
                    one -> Bootstrap.means(
                            new double[][] {scores}, filled, clusters, settings.draws(), settings.seed(), threads)[0]);
        }

        private static double mean(double[] scores, int[] of) {
            return Moments.of(scores, of).mean();
        }
    }
}
