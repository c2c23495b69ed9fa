package io.posbias.score.measure;

import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Benchmarks whose truth is known: how often do intervals hold it, how often do tests reject what is true? Scores are
 * nDCG@10 of one relevant passage whose rank is geometric; the chance of each rank is set so that a bucket has the mean
 * asked for.
 *
 * @param name what it stands for
 * @param means true mean of each bucket
 * @param perBucket queries of each bucket
 */
record Simulation(String name, List<Double> means, int perBucket) {
    private static final int RANKS = 10;
    private static final int TEXT_LENGTH = 10_000;

    /** Shares of simulated benchmarks, and means over them. */
    record Outcome(
            String name,
            double truth,
            double plain,
            double corrected,
            double psiCovered,
            double bcaCovered,
            double tCovered,
            double slopeCovered,
            double differenceCovered,
            double permutationRejects,
            double randomisationRejects,
            double verdictSpeaks) {

        static final String HEADER =
                "| benchmark | PSI | mean PSI | mean corrected | PSI interval | BCa, buckets | t, buckets | slope"
                        + " | PSI difference | permutation rejects | randomisation rejects | verdict differ |\n"
                        + "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";

        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %.3f | %.3f | %.3f | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f%% |%n",
                    name,
                    truth,
                    plain,
                    corrected,
                    100 * psiCovered,
                    100 * bcaCovered,
                    100 * tCovered,
                    100 * slopeCovered,
                    100 * differenceCovered,
                    100 * permutationRejects,
                    100 * randomisationRejects,
                    100 * verdictSpeaks);
        }
    }

    static Simulation flat(double mean, int buckets, int perBucket) {
        return new Simulation(
                "flat " + mean + ", " + buckets + " x " + perBucket,
                IntStream.range(0, buckets).mapToObj(bucket -> mean).toList(),
                perBucket);
    }

    static Simulation line(double from, double to, int buckets, int perBucket) {
        return new Simulation(
                "line " + from + " to " + to + ", " + buckets + " x " + perBucket,
                IntStream.range(0, buckets)
                        .mapToObj(bucket -> from + (to - from) * bucket / (buckets - 1))
                        .toList(),
                perBucket);
    }

    static Simulation dip(double mean, double last, int buckets, int perBucket) {
        return new Simulation(
                mean + ", the last " + last + ", " + buckets + " x " + perBucket,
                IntStream.range(0, buckets)
                        .mapToObj(bucket -> bucket == buckets - 1 ? last : mean)
                        .toList(),
                perBucket);
    }

    /** Simulates so many benchmarks, each with two systems of the same truth. */
    Outcome run(int benchmarks, int draws, long seed, int threads) {
        Tally tally = new Tally();
        SplittableRandom root = new SplittableRandom(seed);
        List<Query> queries = queries();
        QueryBuckets placement = QueryBuckets.of(queries, Bucketing.parse("relative:" + means.size()));
        double[] chances = means.stream().mapToDouble(Simulation::chance).toArray();
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            double[] scores = scores(chances, random);
            double[] others = scores(chances, random);
            Profiler profiler = new Profiler(
                    Settings.USUAL
                            .with("thinBelow", 30)
                            .withDraws(draws)
                            .withSeed(random.nextLong())
                            .withConfidence(0.95),
                    threads);
            Scores computed = new Scores(queries, List.of(Measures.parse("nDCG@10")), new double[][] {scores});
            tally.add(profiler.profiles(computed, placement).getFirst());
            Comparison comparison = Objects.requireNonNull(new Comparer(
                            Settings.USUAL
                                    .withDraws(draws)
                                    .withSeed(random.nextLong())
                                    .withConfidence(0.95),
                            threads)
                    .compare("nDCG@10", "all", scores, others, placement));
            tally.add(comparison);
        }
        return tally.outcome(benchmarks);
    }

    private List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < means.size() * perBucket; i++) {
            int middle = (int) ((i % means.size() + 0.5) * TEXT_LENGTH / means.size());
            queries.add(new Query(
                    "q" + i, "?", new Evidence(middle, middle, TEXT_LENGTH, Evidence.UNKNOWN, List.of(), null)));
        }
        return queries;
    }

    private double[] scores(double[] chances, SplittableRandom random) {
        double[] scores = new double[means.size() * perBucket];
        for (int i = 0; i < scores.length; i++) {
            double chance = chances[i % chances.length];
            // the rank at which the first of many trials succeeds
            int rank = (int) Math.ceil(Math.log1p(-random.nextDouble()) / Math.log1p(-chance));
            scores[i] = score(Math.max(1, rank));
        }
        return scores;
    }

    private static double score(int rank) {
        return rank > RANKS ? 0 : 1 / (Math.log(rank + 1) / Math.log(2));
    }

    private static double mean(double chance) {
        return IntStream.rangeClosed(1, RANKS)
                .mapToDouble(rank -> chance * Math.pow(1 - chance, rank - 1) * score(rank))
                .sum();
    }

    static double chance(double mean) {
        double low = 1e-6;
        double high = 1 - 1e-6;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (mean(middle) < mean) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** What is counted over the simulated benchmarks. */
    private final class Tally {
        private final double truth = Psi.of(means.stream().mapToDouble(m -> m).toArray());
        private final double slope = slope();
        private double plain;
        private double corrected;
        private int psi;
        private int bca;
        private int t;
        private int slopes;
        private int differences;
        private int permutations;
        private int randomisations;
        private int speaks;

        private double slope() {
            double[] places = IntStream.range(0, means.size())
                    .mapToDouble(bucket -> (bucket + 0.5) / means.size())
                    .toArray();
            Moments of = Moments.of(places);
            double products = 0;
            for (int bucket = 0; bucket < places.length; bucket++) {
                products += (places[bucket] - of.mean()) * means.get(bucket);
            }
            return products / of.squares();
        }

        void add(Profile profile) {
            Psi found = profile.psi();
            plain += Objects.requireNonNull(found.value());
            corrected += Objects.requireNonNull(found.corrected());
            psi += Objects.requireNonNull(found.interval()).holds(truth) ? 1 : 0;
            bca += covered(profile, BucketMean::interval);
            t += covered(profile, BucketMean::tInterval);
            Direction direction = Objects.requireNonNull(profile.direction());
            slopes += direction.slope().interval().holds(slope) ? 1 : 0;
            permutations += Objects.requireNonNull(found.pValue()) < 0.05 ? 1 : 0;
            TestOutcome verdict = direction.outcome();
            speaks += verdict == TestOutcome.EVEN || verdict == TestOutcome.OPEN ? 0 : 1;
        }

        private int covered(Profile profile, Function<BucketMean, @Nullable Interval> interval) {
            int covered = 0;
            for (int bucket = 0; bucket < means.size(); bucket++) {
                Interval of =
                        Objects.requireNonNull(interval.apply(profile.buckets().get(bucket)));
                covered += of.holds(means.get(bucket)) ? 1 : 0;
            }
            return covered;
        }

        void add(Comparison comparison) {
            Comparison.PsiDifference difference = Objects.requireNonNull(comparison.psi());
            differences +=
                    Objects.requireNonNull(difference.difference()).interval().holds(0) ? 1 : 0;
            randomisations += Objects.requireNonNull(comparison.randomisationPValue()) < 0.05 ? 1 : 0;
        }

        Outcome outcome(double n) {
            double intervals = n * means.size();
            return new Outcome(
                    name,
                    truth,
                    plain / n,
                    corrected / n,
                    psi / n,
                    bca / intervals,
                    t / intervals,
                    slopes / n,
                    differences / n,
                    permutations / n,
                    randomisations / n,
                    speaks / n);
        }
    }
}
