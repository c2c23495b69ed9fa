package io.posbias.measure;

import io.posbias.stats.Bootstrap;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.stats.Moments;
import io.posbias.stats.Permutation;
import io.posbias.stats.Randomisation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares two systems query by query.
 *
 * @param draws of the bootstrap and of the randomisation test; 0 leaves both out
 * @param seed of both
 * @param confidence of intervals, between 0 and 1
 * @param threads how many threads may work; results do not depend on it
 */
public record Comparer(int draws, long seed, double confidence, int threads) {
    /**
     * Compares the scores of two systems on one measure.
     *
     * @param measure its name
     * @param first scores of the first system, one for each query of the placement
     * @param second scores of the second on the same queries
     * @return null when the stratum holds fewer than two queries
     */
    public @Nullable Comparison compare(
            String measure, String stratum, double[] first, double[] second, Placement placement) {
        int[] members = placement.members(stratum);
        if (members.length < 2) {
            return null;
        }
        return new Pair(first, second, placement, members).compare(measure, stratum);
    }

    /** The mean of a bucket in a draw. */
    private interface DrawnMeans {
        double of(int bucket, int draw);
    }

    private final class Pair {
        private final double[] first;
        private final double[] second;
        private final int[] members;
        private final List<Comparison.Bucket> buckets = new ArrayList<>();
        private final int[][] filled;

        Pair(double[] first, double[] second, Placement placement, int[] members) {
            this.first = first;
            this.second = second;
            this.members = members;
            List<int[]> byBucket = placement.byBucket(members);
            for (int bucket = 0; bucket < byBucket.size(); bucket++) {
                int[] own = byBucket.get(bucket);
                buckets.add(new Comparison.Bucket(
                        placement.bucketNames().get(bucket),
                        own.length,
                        own.length == 0 ? null : (Double) mean(first, own),
                        own.length == 0 ? null : (Double) mean(second, own),
                        own.length < 2 ? null : differences(own).estimate(confidence)));
            }
            this.filled = byBucket.stream().filter(own -> own.length > 0).toArray(int[][]::new);
        }

        Comparison compare(String measure, String stratum) {
            double[] differences = new double[first.length];
            int wins = 0;
            int losses = 0;
            for (int query : members) {
                differences[query] = second[query] - first[query];
                wins += differences[query] > 0 ? 1 : 0;
                losses += differences[query] < 0 ? 1 : 0;
            }
            double[][] exchanged = draws == 0 ? new double[0][] : exchanged(differences);
            return new Comparison(
                    measure,
                    stratum,
                    members.length,
                    mean(first, members),
                    mean(second, members),
                    differences(members).estimate(confidence),
                    draws == 0 ? null : Randomisation.pValue(differences, exchanged[filled.length]),
                    wins,
                    losses,
                    psi(exchanged),
                    buckets);
        }

        /** Of each bucket that holds queries and, last, of all queries. */
        private double[][] exchanged(double[] differences) {
            int[][] groups = Arrays.copyOf(filled, filled.length + 1);
            groups[filled.length] = members;
            return Randomisation.exchanged(differences, groups, draws, seed, threads);
        }

        private Moments differences(int[] of) {
            return Moments.of(Arrays.stream(of)
                    .mapToDouble(query -> second[query] - first[query])
                    .toArray());
        }

        private Comparison.@Nullable PsiDifference psi(double[][] exchanged) {
            double before = psi(first);
            double after = psi(second);
            if (Double.isNaN(before) || Double.isNaN(after)) {
                return null;
            }
            if (draws == 0) {
                return new Comparison.PsiDifference(before, after, null);
            }
            Interval interval = Bootstrap.percentile(drawnPsi(), confidence);
            double difference = after - before;
            double pValue = Permutation.pValue(Math.abs(difference), exchangedPsi(exchanged));
            return new Comparison.PsiDifference(before, after, new Estimate(difference, interval, pValue));
        }

        private double psi(double[] scores) {
            return filled.length < 2 ? Double.NaN : Psi.of(bucketMeans(scores));
        }

        private double[] bucketMeans(double[] scores) {
            return Arrays.stream(filled)
                    .mapToDouble(bucket -> mean(scores, bucket))
                    .toArray();
        }

        private double[] drawnPsi() {
            double[][][] means = Bootstrap.means(new double[][] {first, second}, filled, draws, seed, threads);
            return psiDifferences((bucket, draw) -> means[0][bucket][draw], (bucket, draw) -> means[1][bucket][draw]);
        }

        /** How far apart both PSI are in each exchange. */
        private double[] exchangedPsi(double[][] exchanged) {
            double[] before = bucketMeans(first);
            double[] after = bucketMeans(second);
            double[] differences = psiDifferences(
                    (bucket, draw) -> before[bucket] + exchanged[bucket][draw] / filled[bucket].length,
                    (bucket, draw) -> after[bucket] - exchanged[bucket][draw] / filled[bucket].length);
            return Arrays.stream(differences).map(Math::abs).toArray();
        }

        /** In each draw, PSI of the second system's bucket means minus that of the first's. */
        private double[] psiDifferences(DrawnMeans first, DrawnMeans second) {
            double[] differences = new double[draws];
            double[] before = new double[filled.length];
            double[] after = new double[filled.length];
            for (int draw = 0; draw < draws; draw++) {
                for (int bucket = 0; bucket < filled.length; bucket++) {
                    before[bucket] = first.of(bucket, draw);
                    after[bucket] = second.of(bucket, draw);
                }
                differences[draw] = Psi.ofDraw(after) - Psi.ofDraw(before);
            }
            return differences;
        }

        private static double mean(double[] scores, int[] of) {
            return Moments.of(scores, of).mean();
        }
    }
}
