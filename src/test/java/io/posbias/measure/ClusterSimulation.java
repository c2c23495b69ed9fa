package io.posbias.measure;

import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.position.Bucketing;
import io.posbias.stats.Estimate;
import io.posbias.stats.Moments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Benchmarks with several queries on a passage, whose truth is known: positions do not matter, or the mean falls along a
 * line. The score of a query is nDCG@10 of one relevant passage whose rank is geometric; the ranks of a passage's queries
 * depend on each other by a Gaussian copula.
 *
 * @param name of the layout
 * @param passages of each query
 * @param positions of its evidence, 0 to 1
 * @param correlation of the normal variables behind the ranks of one passage
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record ClusterSimulation(String name, int[] passages, double[] positions, double correlation) {
    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
    private static final int TEXT_LENGTH = 10_000;
    private static final int BUCKETS = 5;
    private static final int RANKS = 10;

    /** Places of a passage's five queries spread over it. */
    static ClusterSimulation spread(double correlation) {
        return made("120 passages x 5, spread", correlation, (passage, query) -> (query + 0.5) / 5);
    }

    /** Places near each other. */
    static ClusterSimulation neighbours(double correlation) {
        return made(
                "120 passages x 5, neighbours",
                correlation,
                (passage, query) -> Math.floorMod(Math.round(1000 * (passage * 0.618 + 0.03 * query)), 1000) / 1000.0);
    }

    /** All at one place. */
    static ClusterSimulation together(double correlation) {
        return made("120 passages x 5, same place", correlation, (passage, query) -> passage * 0.618 % 1);
    }

    private interface Layout {
        double position(int passage, int query);
    }

    private static ClusterSimulation made(String name, double correlation, Layout layout) {
        int[] passages = IntStream.range(0, 600).map(i -> i / 5).toArray();
        double[] positions = IntStream.range(0, 600)
                .mapToDouble(i -> layout.position(i / 5, i % 5))
                .toArray();
        return new ClusterSimulation(name, passages, positions, correlation);
    }

    /** How often intervals held the truth, and tests rejected it. */
    static final class Tally {
        private final Map<String, double[]> counts = new LinkedHashMap<>();

        void add(String what, boolean yes) {
            double[] count = counts.computeIfAbsent(what, key -> new double[2]);
            count[0] += yes ? 1 : 0;
            count[1]++;
        }

        /** The share of one thing. */
        double share(String what) {
            double[] count = Objects.requireNonNull(counts.get(what), what);
            return count[0] / count[1];
        }

        static String header(Tally any) {
            return "| layout | correlation | " + String.join(" | ", any.counts.keySet()) + " |\n|:--|--:|"
                    + "--:|".repeat(any.counts.size()) + "\n";
        }

        String row(ClusterSimulation simulation) {
            return "| " + simulation.name + " | " + simulation.correlation + " | "
                    + counts.keySet().stream()
                            .map(what -> String.format(Locale.ROOT, "%.1f%%", 100 * share(what)))
                            .collect(Collectors.joining(" | "))
                    + " |\n";
        }
    }

    /** Simulates benchmarks of two flat systems each, of means 0.95 and 0.4. */
    Tally flat(int benchmarks, int draws, long seed, int threads) {
        Tally tally = new Tally();
        SplittableRandom root = new SplittableRandom(seed);
        QueryBuckets placement = placement();
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            double[] high = scores(position -> 0.95, random);
            double[] low = scores(position -> 0.4, random);
            double[] other = scores(position -> 0.4, random);
            add(tally, profile(low, placement, draws, random.nextLong(), threads));
            Comparer comparer = new Comparer(draws, random.nextLong(), 0.95, threads);
            Comparison same = Objects.requireNonNull(comparer.compare("nDCG@10", "all", low, other, placement));
            tally.add("difference of means p < .05", same.difference().pValue() < 0.05);
            tally.add("randomisation p < .05", Objects.requireNonNull(same.randomisation()) < 0.05);
            Estimate psi = Objects.requireNonNull(Objects.requireNonNull(
                            Objects.requireNonNull(comparer.compare("nDCG@10", "all", high, low, placement))
                                    .psi())
                    .difference());
            tally.add("PSI difference holds 0", psi.interval().holds(0));
            tally.add("PSI difference p < .05", psi.pValue() < 0.05);
        }
        return tally;
    }

    private static void add(Tally tally, Profile profile) {
        tally.add("mean held", Objects.requireNonNull(profile.queryInterval()).holds(0.4));
        profile.buckets().forEach(bucket -> {
            if (bucket.tInterval() != null && bucket.interval() != null) {
                tally.add("bucket means held, t", bucket.tInterval().holds(0.4));
                tally.add("bucket means held, BCa", bucket.interval().holds(0.4));
            }
        });
        Direction direction = Objects.requireNonNull(profile.direction());
        tally.add("slope p < .05", direction.slope().pValue() < 0.05);
        tally.add(
                "front - back p < .05",
                Objects.requireNonNull(direction.frontMinusBack()).pValue() < 0.05);
        tally.add(
                "middle - ends p < .05",
                Objects.requireNonNull(direction.middleMinusEnds()).pValue() < 0.05);
        tally.add("PSI p < .05", Objects.requireNonNull(profile.psi().pValue()) < 0.05);
        tally.add(
                "PSI's interval holds 0",
                Objects.requireNonNull(profile.psi().interval()).holds(0));
        tally.add("verdict differ", direction.verdict() == Verdict.DIFFER);
    }

    /**
     * How often PSI's test and that of front - back reject with so many queries as
     * {@link Power} says that they reject with 80 %: one benchmark is drawn, and its units are drawn again and again.
     *
     * @param fall of the mean from front to back
     */
    Tally power(double mean, double fall, int benchmarks, int draws, long seed, int threads) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] scores = scores(position -> mean + fall * (0.5 - position), random);
        Power power = Objects.requireNonNull(
                profile(scores, placement(), 2_000, random.nextLong(), threads).power());
        Tally tally = new Tally();
        for (int i = 0; i < benchmarks; i++) {
            tally.add(
                    "PSI rejects",
                    Objects.requireNonNull(redrawn(
                                            scores,
                                            Objects.requireNonNull(power.queriesForPsi()),
                                            random,
                                            draws,
                                            threads)
                                    .psi()
                                    .pValue())
                            < 0.05);
            tally.add(
                    "front - back rejects",
                    Objects.requireNonNull(Objects.requireNonNull(redrawn(
                                                            scores,
                                                            Objects.requireNonNull(power.queriesForFrontMinusBack()),
                                                            random,
                                                            0,
                                                            threads)
                                                    .direction())
                                            .frontMinusBack())
                                    .pValue()
                            < 0.05);
        }
        return tally;
    }

    /** A benchmark of about so many queries, whose units are those of this one, drawn with replacement. */
    private Profile redrawn(double[] scores, int queries, SplittableRandom random, int draws, int threads) {
        Map<Integer, List<Integer>> units = new LinkedHashMap<>();
        for (int query = 0; query < passages.length; query++) {
            units.computeIfAbsent(passages[query], unit -> new ArrayList<>()).add(query);
        }
        List<List<Integer>> all = List.copyOf(units.values());
        int wanted = Math.max(2, (int) Math.round((double) queries * all.size() / passages.length));
        List<Integer> drawn = new ArrayList<>();
        List<Integer> unitOf = new ArrayList<>();
        for (int unit = 0; unit < wanted; unit++) {
            List<Integer> own = all.get(random.nextInt(all.size()));
            drawn.addAll(own);
            for (int i = 0; i < own.size(); i++) {
                unitOf.add(unit);
            }
        }
        ClusterSimulation again = new ClusterSimulation(
                name,
                unitOf.stream().mapToInt(i -> i).toArray(),
                drawn.stream().mapToDouble(query -> positions[query]).toArray(),
                correlation);
        double[] own = drawn.stream().mapToDouble(query -> scores[query]).toArray();
        return profile(own, again.placement(), draws, random.nextLong(), threads);
    }

    private static Profile profile(double[] scores, QueryBuckets placement, int draws, long seed, int threads) {
        List<Query> queries = IntStream.range(0, scores.length)
                .mapToObj(i -> new Query("q" + i, "?", null))
                .toList();
        List<Query> placed = new ArrayList<>();
        for (int i = 0; i < scores.length; i++) {
            placed.add(new Query(
                    queries.get(i).id(),
                    "?",
                    evidence(placement.units().articles().get(i))));
        }
        Scores computed = new Scores(placed, List.of(Measures.parse("nDCG@10")), new double[][] {scores});
        return new Profiler(30, draws, seed, 0.95, threads)
                .profiles(computed, placement)
                .getFirst();
    }

    /** The position of evidence is kept as the article's name, for the queries are made anew from the placement. */
    private static Evidence evidence(String position) {
        int middle = (int) Math.round(Double.parseDouble(position) * TEXT_LENGTH);
        return new Evidence(middle, middle, TEXT_LENGTH, Evidence.UNKNOWN, List.of(), null);
    }

    private QueryBuckets placement() {
        List<Query> queries = IntStream.range(0, passages.length)
                .mapToObj(i -> new Query("q" + i, "?", evidence(String.valueOf(positions[i]))))
                .toList();
        Clustering units = new Clustering(
                Clustering.By.PASSAGE,
                Arrays.stream(passages).mapToObj(passage -> "p" + passage).toList(),
                Arrays.stream(positions).mapToObj(String::valueOf).toList());
        return QueryBuckets.of(queries, Bucketing.parse("relative:" + BUCKETS), units);
    }

    private double[] scores(DoubleUnaryOperator mean, SplittableRandom random) {
        double[] shared = IntStream.rangeClosed(0, Arrays.stream(passages).max().orElseThrow())
                .mapToDouble(passage -> normal(random))
                .toArray();
        double[] scores = new double[passages.length];
        Map<Double, Double> chances = new HashMap<>();
        for (int query = 0; query < scores.length; query++) {
            double own = Math.sqrt(correlation) * shared[passages[query]] + Math.sqrt(1 - correlation) * normal(random);
            double chance = chances.computeIfAbsent(mean.applyAsDouble(positions[query]), Simulation::chance);
            double uniform = Math.clamp(NORMAL.cumulativeProbability(own), 1e-12, 1 - 1e-12);
            int rank = Math.max(1, (int) Math.ceil(Math.log1p(-uniform) / Math.log1p(-chance)));
            scores[query] = rank > RANKS ? 0 : Math.log(2) / Math.log(rank + 1.0);
        }
        return scores;
    }

    private static double normal(SplittableRandom random) {
        return NORMAL.inverseCumulativeProbability(Math.clamp(random.nextDouble(), 1e-15, 1 - 1e-15));
    }

    /** Correlation of scores within a passage, as simulated. */
    double scoreCorrelation(long seed) {
        double[] scores = scores(position -> 0.4, new SplittableRandom(seed));
        double mean = Moments.of(scores).mean();
        double variance = Moments.of(scores).variance();
        double products = 0;
        int pairs = 0;
        for (int i = 0; i < scores.length; i++) {
            for (int j = i + 1; j < scores.length && passages[j] == passages[i]; j++) {
                products += (scores[i] - mean) * (scores[j] - mean);
                pairs++;
            }
        }
        return products / pairs / variance;
    }
}
