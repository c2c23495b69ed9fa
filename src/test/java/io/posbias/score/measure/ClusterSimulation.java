package io.posbias.score.measure;

import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
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
 * @param passages of each query, those of one together
 * @param positions of its evidence, 0 to 1
 * @param dependence of the normal variables behind the ranks of one passage
 * @param roots of their covariance, {@code [passage][query][variable]}
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record ClusterSimulation(String name, int[] passages, double[] positions, Dependence dependence, double[][][] roots) {
    /**
     * How normal variables depend on each other: their correlation, times exp(-distance / range) of the evidence.
     *
     * @param range infinite where all queries of a passage depend on each other as much
     */
    record Dependence(double correlation, double range) {
        static final Dependence NONE = exchangeable(0);

        static Dependence exchangeable(double correlation) {
            return new Dependence(correlation, Double.POSITIVE_INFINITY);
        }

        private double of(double distance) {
            return correlation * Math.exp(-distance / range);
        }

        @Override
        public String toString() {
            return correlation == 0
                    ? "independent"
                    : Double.isInfinite(range) ? "exchangeable " + correlation : "local " + correlation + ", " + range;
        }
    }

    static ClusterSimulation of(String name, int[] passages, double[] positions, Dependence dependence) {
        Map<Integer, List<Double>> places = new LinkedHashMap<>();
        for (int query = 0; query < passages.length; query++) {
            places.computeIfAbsent(passages[query], passage -> new ArrayList<>())
                    .add(positions[query]);
        }
        double[][][] roots =
                places.values().stream().map(own -> root(own, dependence)).toArray(double[][][]::new);
        return new ClusterSimulation(name, passages, positions, dependence, roots);
    }

    /** Cholesky's. */
    private static double[][] root(List<Double> places, Dependence dependence) {
        double[][] root = new double[places.size()][places.size()];
        for (int i = 0; i < root.length; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = i == j ? 1 : dependence.of(Math.abs(places.get(i) - places.get(j)));
                for (int k = 0; k < j; k++) {
                    sum -= root[i][k] * root[j][k];
                }
                root[i][j] = i == j ? Math.sqrt(sum) : sum / root[j][j];
            }
        }
        return root;
    }

    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
    private static final int TET_LENGTH = 10_000;
    private static final int BUCKETS = 5;
    private static final int RANKS = 10;

    /** Places of a passage's five queries spread over it. */
    static ClusterSimulation spread(Dependence dependence) {
        return made("120 passages x 5, spread", dependence, (passage, query) -> (query + 0.5) / 5);
    }

    /** Places near each other. */
    static ClusterSimulation neighbours(Dependence dependence) {
        return made(
                "120 passages x 5, neighbours",
                dependence,
                (passage, query) -> Math.floorMod(Math.round(1000 * (passage * 0.618 + 0.03 * query)), 1000) / 1000.0);
    }

    /** All at one place. */
    static ClusterSimulation together(Dependence dependence) {
        return made("120 passages x 5, same place", dependence, (passage, query) -> passage * 0.618 % 1);
    }

    /** 330 to 769 queries of clusters whose sizes are log-normal: the largest holds a fifth to a half of them. */
    static ClusterSimulation unequal(int clusters, Dependence dependence) {
        SplittableRandom random = new SplittableRandom(clusters);
        List<Integer> passages = new ArrayList<>();
        for (int cluster = 0; cluster < clusters; cluster++) {
            int size = (int) Math.max(2, Math.round(Math.exp(2.5 + normal(random))));
            for (int i = 0; i < size; i++) {
                passages.add(cluster);
            }
        }
        return of(
                clusters + " unequal clusters",
                passages.stream().mapToInt(i -> i).toArray(),
                passages.stream().mapToDouble(i -> random.nextDouble()).toArray(),
                dependence);
    }

    private interface Layout {
        double position(int passage, int query);
    }

    private static ClusterSimulation made(String name, Dependence dependence, Layout layout) {
        int[] passages = IntStream.range(0, 600).map(i -> i / 5).toArray();
        double[] positions = IntStream.range(0, 600)
                .mapToDouble(i -> layout.position(i / 5, i % 5))
                .toArray();
        return of(name, passages, positions, dependence);
    }

    /** How often intervals held the truth, and tests rejected it. */
    static final class Tally {
        private final Map<String, double[]> counts = new LinkedHashMap<>();

        void add(String what, boolean yes) {
            double[] count = counts.computeIfAbsent(what, key -> new double[2]);
            count[0] += yes ? 1 : 0;
            count[1]++;
        }

        double share(String what) {
            double[] count = Objects.requireNonNull(counts.get(what), what);
            return count[0] / count[1];
        }

        static String header(Tally any) {
            return "| layout | dependence | " + String.join(" | ", any.counts.keySet()) + " |\n|:--|--:|"
                    + "--:|".repeat(any.counts.size()) + "\n";
        }

        String row(ClusterSimulation simulation) {
            return "| " + simulation.name + " | " + simulation.dependence + " | "
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
            Comparer comparer = new Comparer(
                    Settings.USUAL.withDraws(draws).withSeed(random.nextLong()).withConfidence(0.95), threads);
            Comparison same = Objects.requireNonNull(comparer.compare("nDCG@10", "all", low, other, placement));
            tally.add("difference of means p < .05", same.difference().pValue() < 0.05);
            tally.add("randomisation p < .05", Objects.requireNonNull(same.randomisationPValue()) < 0.05);
            Comparison.PsiDifference psi = Objects.requireNonNull(
                            comparer.compare("nDCG@10", "all", high, low, placement))
                    .psi();
            tally.add(
                    "PSI difference p < .05",
                    psi != null && psi.difference() != null && psi.difference().pValue() < 0.05);
        }
        return tally;
    }

    /** Simulates a flat system of mean 0.4, and one whose mean falls by 0.1, with the content held fixed. */
    Tally moved(int benchmarks, int draws, long seed, int threads) {
        Tally tally = new Tally();
        SplittableRandom root = new SplittableRandom(seed);
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            ContentFixed flat = fixed(0.4, 0, random, draws, threads);
            tally.add("loss p < .05", lossOf(flat).pValue() < 0.05);
            Double cpsi = flat.cpsi().pValue();
            tally.add("cPSI p < .05", cpsi != null && cpsi < 0.05);
            tally.add("worst place held, none", worst(flat).holds(0));
            ContentFixed falling = fixed(0.4, 0.1, random, draws, threads);
            // Thirds of ten places: 0.4 + 0.1 (0.5 - k / 9) on average of k = 0, 1, 2 and of 7, 8, 9.
            double front = 0.45 - 0.1 / 9;
            double back = 0.35 + 0.1 / 9;
            tally.add("loss held", lossOf(falling).interval().holds(1 - back / front));
            tally.add("worst place held", worst(falling).holds(0.05));
        }
        return tally;
    }

    private static Interval worst(ContentFixed found) {
        return Objects.requireNonNull(found.loss()).worst().interval();
    }

    private static Estimate lossOf(ContentFixed found) {
        return Objects.requireNonNull(
                Objects.requireNonNull(found.loss()).score().loss());
    }

    /** Queries at ten places each; a third of what their ranks depend on is the passage's, a third the query's own. */
    private ContentFixed fixed(double mean, double fall, SplittableRandom random, int draws, int threads) {
        int places = 10;
        double[] chances = IntStream.range(0, places)
                .mapToDouble(place -> Simulation.chance(mean + fall * (0.5 - place / (places - 1.0))))
                .toArray();
        List<ScoresByPlace> rows = new ArrayList<>();
        double shared = 0;
        for (int query = 0; query < passages.length; query++) {
            shared = query == 0 || passages[query] != passages[query - 1] ? normal(random) : shared;
            double own = normal(random);
            double[] scores = new double[places];
            for (int place = 0; place < places; place++) {
                scores[place] = score((shared + own + normal(random)) / Math.sqrt(3), chances[place]);
            }
            rows.add(new ScoresByPlace(
                    "q" + query,
                    "p" + passages[query],
                    "",
                    scores[0],
                    scores,
                    new boolean[0],
                    new boolean[places],
                    new int[places],
                    new boolean[0]));
        }
        return new ContentFixedFit(
                        Settings.USUAL
                                .withMeasures(List.of(Measures.parse("nDCG@10")))
                                .withCluster(Clustering.By.PASSAGE)
                                .withDraws(draws)
                                .withSeed(random.nextLong())
                                .withConfidence(0.95)
                                .with("equivalence", 0.02),
                        "rotation",
                        threads)
                .of(rows, QueryBuckets.of(List.of(), Bucketing.NONE));
    }

    private static double score(double normal, double chance) {
        double uniform = Math.clamp(NORMAL.cumulativeProbability(normal), 1e-12, 1 - 1e-12);
        int rank = Math.max(1, (int) Math.ceil(Math.log1p(-uniform) / Math.log1p(-chance)));
        return rank > RANKS ? 0 : Math.log(2) / Math.log(rank + 1.0);
    }

    /** How often tests see a mean that falls from front to back. */
    Tally sloped(double mean, double fall, int benchmarks, int draws, long seed, int threads) {
        Tally tally = new Tally();
        SplittableRandom random = new SplittableRandom(seed);
        QueryBuckets placement = placement();
        for (int i = 0; i < benchmarks; i++) {
            double[] scores = scores(position -> mean + fall * (0.5 - position), random);
            Profile profile = profile(scores, placement, draws, random.nextLong(), threads);
            Direction direction = Objects.requireNonNull(profile.direction());
            tally.add("PSI p < .05", Objects.requireNonNull(profile.psi().pValue()) < 0.05);
            tally.add("slope p < .05", direction.slope().pValue() < 0.05);
            tally.add(
                    "front - back p < .05",
                    direction.frontMinusBack() != null
                            && direction.frontMinusBack().pValue() < 0.05);
        }
        return tally;
    }

    private static void add(Tally tally, Profile profile) {
        tally.add("mean held", Objects.requireNonNull(profile.queryInterval()).holds(0.4));
        profile.buckets().forEach(bucket -> {
            if (bucket.tInterval() != null && bucket.interval() != null) {
                tally.add("bucket means held", bucket.interval().holds(0.4));
            }
        });
        Direction direction = Objects.requireNonNull(profile.direction());
        tally.add("slope p < .05", direction.slope().pValue() < 0.05);
        tally.add(
                "front - back p < .05",
                direction.frontMinusBack() != null && direction.frontMinusBack().pValue() < 0.05);
        tally.add("PSI p < .05", Objects.requireNonNull(profile.psi().pValue()) < 0.05);
        tally.add("verdict differ", direction.outcome() == ProfileOutcome.DIFFER);
    }

    /**
     * How often PSI's test and that of front - back reject with so many queries as
     * {@link Power} says that they reject with 80 %: one benchmark is drawn, and its clusters are drawn again and again.
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

    /** A benchmark of about so many queries, whose clusters are those of this one, drawn with replacement. */
    private Profile redrawn(double[] scores, int queries, SplittableRandom random, int draws, int threads) {
        Map<Integer, List<Integer>> clusters = new LinkedHashMap<>();
        for (int query = 0; query < passages.length; query++) {
            clusters.computeIfAbsent(passages[query], cluster -> new ArrayList<>())
                    .add(query);
        }
        List<List<Integer>> all = List.copyOf(clusters.values());
        int wanted = Math.max(2, (int) Math.round((double) queries * all.size() / passages.length));
        List<Integer> drawn = new ArrayList<>();
        List<Integer> unitOf = new ArrayList<>();
        for (int cluster = 0; cluster < wanted; cluster++) {
            List<Integer> own = all.get(random.nextInt(all.size()));
            drawn.addAll(own);
            for (int i = 0; i < own.size(); i++) {
                unitOf.add(cluster);
            }
        }
        ClusterSimulation again = of(
                name,
                unitOf.stream().mapToInt(i -> i).toArray(),
                drawn.stream().mapToDouble(query -> positions[query]).toArray(),
                dependence);
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
                    evidence(placement.clustering().articles().get(i))));
        }
        Scores computed = new Scores(placed, List.of(Measures.parse("nDCG@10")), new double[][] {scores});
        return new Profiler(
                        Settings.USUAL
                                .with("thinBelow", 30)
                                .withDraws(draws)
                                .withSeed(seed)
                                .withConfidence(0.95),
                        threads)
                .profiles(computed, placement)
                .getFirst();
    }

    /** The position of evidence is kept as the article's name, for the queries are made anew from the placement. */
    private static Evidence evidence(String position) {
        int middle = (int) Math.round(Double.parseDouble(position) * TET_LENGTH);
        return new Evidence(middle, middle, TET_LENGTH, Evidence.UNKNOWN, List.of(), null);
    }

    private QueryBuckets placement() {
        List<Query> queries = IntStream.range(0, passages.length)
                .mapToObj(i -> new Query("q" + i, "?", evidence(String.valueOf(positions[i]))))
                .toList();
        Clustering clusters = new Clustering(
                Clustering.By.PASSAGE,
                Arrays.stream(passages).mapToObj(passage -> "p" + passage).toList(),
                Arrays.stream(positions).mapToObj(String::valueOf).toList());
        return QueryBuckets.of(queries, Bucketing.parse("relative:" + BUCKETS), clusters);
    }

    private double[] scores(DoubleUnaryOperator mean, SplittableRandom random) {
        double[] scores = new double[passages.length];
        Map<Double, Double> chances = new HashMap<>();
        double[] variables = new double[0];
        int first = 0;
        for (int query = 0; query < scores.length; query++) {
            if (query == 0 || passages[query] != passages[query - 1]) {
                first = query;
                variables = IntStream.range(0, roots[passages[query]].length)
                        .mapToDouble(i -> normal(random))
                        .toArray();
            }
            double[] root = roots[passages[query]][query - first];
            double own = 0;
            for (int i = 0; i <= query - first; i++) {
                own += root[i] * variables[i];
            }
            double chance = chances.computeIfAbsent(mean.applyAsDouble(positions[query]), Simulation::chance);
            scores[query] = score(own, chance);
        }
        return scores;
    }

    static double normal(SplittableRandom random) {
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
