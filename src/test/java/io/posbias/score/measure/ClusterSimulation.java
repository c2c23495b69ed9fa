package io.posbias.score.measure;

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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;
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
     * How normal variables depend on each other.
     *
     * @param covariance of two variables of a passage by the positions of their evidence
     */
    record Dependence(String name, DoubleBinaryOperator covariance) {
        static final Dependence NONE = exchangeable(0);

        /** A trend along the passage, of its own; with it half of the variance at both ends. */
        static final Dependence TREND = new Dependence("trend", (one, other) -> 2 * (one - 0.5) * (other - 0.5));

        /** One correlation. */
        static Dependence exchangeable(double correlation) {
            return new Dependence(
                    correlation == 0 ? "independent" : "exchangeable " + correlation, (one, other) -> correlation);
        }

        /** A correlation that falls with the distance, as exp(-distance / range). */
        static Dependence local(double correlation, double range) {
            return new Dependence(
                    "local " + correlation + ", " + range,
                    (one, other) -> correlation * Math.exp(-Math.abs(one - other) / range));
        }

        private double of(double one, double other) {
            return covariance.applyAsDouble(one, other);
        }

        @Override
        public String toString() {
            return name;
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
                double sum = i == j ? 1 : dependence.of(places.get(i), places.get(j));
                for (int k = 0; k < j; k++) {
                    sum -= root[i][k] * root[j][k];
                }
                root[i][j] = i == j ? Math.sqrt(sum) : sum / root[j][j];
            }
        }
        return root;
    }

    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
    private static final int TEXT_LENGTH = 10_000;
    private static final int BUCKETS = 5;
    /** With few clusters the ends of PSI's interval are extreme draws, which need many. */
    private static final int FEW_DRAWS = 2_000;

    private static final int FEW = 40;
    private static final int LOOKS = 6;
    private static final int PLACES = 10;
    private static final int RANKS = 10;
    private static final double[] GAINS = IntStream.rangeClosed(1, RANKS)
            .mapToDouble(rank -> Math.log(2) / Math.log(rank + 1.0))
            .toArray();

    static final String PSI_HELD = "PSI interval, truth .29";

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

    /** 600 queries, each of its own passage. */
    static ClusterSimulation independent() {
        return of(
                "independent",
                IntStream.range(0, 600).toArray(),
                IntStream.range(0, 600).mapToDouble(i -> i * 0.618 % 1).toArray(),
                Dependence.NONE);
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

        boolean has(String what) {
            return counts.containsKey(what);
        }

        Set<String> numbers() {
            return counts.keySet();
        }

        @Override
        public String toString() {
            return counts.keySet().stream()
                    .map(what -> String.format(Locale.ROOT, "%s %.1f", what, 100 * share(what)))
                    .collect(Collectors.joining(", "));
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

    /** Mean over all queries of the systems. */
    private static final double MEAN = 0.4;

    private static final double PROFILE_FALL = 0.136;
    private static final double PLACES_FALL = 0.16;

    /** Simulates flat systems of means 0.95 and 0.4, and one whose bucket means fall to a PSI of 0.29. */
    Tally profiles(int benchmarks, int draws, long seed) {
        Tally tally = new Tally();
        SplittableRandom root = new SplittableRandom(seed);
        Benchmark benchmark = benchmark();
        double truth = 1 - (MEAN - PROFILE_FALL / 2) / (MEAN + PROFILE_FALL / 2);
        int least = benchmark.placement().clustering().clusters().count() <= FEW ? FEW_DRAWS : 0;
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            double[] high = scores(query -> 0.95, random);
            double[] low = scores(query -> MEAN, random);
            double[] other = scores(query -> MEAN, random);
            add(tally, benchmark.profile(low, draws, random.nextLong(), 1));
            double[] falling = scores(query -> falling(benchmark.placement().bucketsOf(query)[0]), random);
            tally.add(
                    PSI_HELD,
                    Objects.requireNonNull(benchmark
                                    .profile(falling, Math.max(draws, least), random.nextLong(), 1)
                                    .psi()
                                    .interval())
                            .holds(truth));
            Comparer comparer = new Comparer(settings(draws, random.nextLong()), 1);
            Comparison same =
                    Objects.requireNonNull(comparer.compare("nDCG@10", "all", low, other, benchmark.placement()));
            tally.add("difference of means p", same.difference().pValue() < 0.05);
            tally.add("randomisation p", Objects.requireNonNull(same.randomisationPValue()) < 0.05);
            Comparison.PsiDifference psi = Objects.requireNonNull(
                            comparer.compare("nDCG@10", "all", high, low, benchmark.placement()))
                    .psi();
            tally.add(
                    "difference of PSI p",
                    psi != null && psi.difference() != null && psi.difference().pValue() < 0.05);
        }
        return tally;
    }

    private static double falling(int bucket) {
        return MEAN + PROFILE_FALL * (0.5 - bucket / (BUCKETS - 1.0));
    }

    private static Settings settings(int draws, long seed) {
        return Settings.USUAL.withDraws(draws).withSeed(seed).withConfidence(0.95);
    }

    /**
     * Simulates a flat system of mean 0.4, and one with a loss at the back of 0.27, with the content held fixed. Numbers that are
     * not printed are not counted.
     *
     * @param trend true if passages have trends of their own along the places, false if they have levels
     */
    Tally places(boolean trend, int benchmarks, int draws, long seed) {
        Tally tally = new Tally();
        SplittableRandom root = new SplittableRandom(seed);
        // Thirds of ten places: the mean of k = 0, 1, 2 is that of place 1, of k = 7, 8, 9 that of place 8.
        double front = placed(1, PLACES_FALL);
        double back = placed(8, PLACES_FALL);
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            List<ScoresByPlace> rows = rows(0, trend, random);
            ContentFixed flat = new ContentFixedFit(fixedSettings(draws, random.nextLong()), "rotation", 1)
                    .of(rows, QueryBuckets.of(List.of(), Bucketing.NONE));
            PositionLoss loss = Objects.requireNonNull(flat.loss());
            tally.add("loss p", Objects.requireNonNull(loss.score().loss()).pValue() < 0.05);
            tally.add(
                    "loss interval, truth .27",
                    Objects.requireNonNull(BackLoss.ofPlaces(rows(PLACES_FALL, trend, random), fixedSettings(0, 0)))
                            .loss(0.95)
                            .interval()
                            .holds(1 - back / front));
            if (flat.outcome() != TestOutcome.TOO_FEW) {
                tally.add("W interval, truth 0", loss.worst().interval().holds(0));
            }
            Double cpsi = flat.cpsi().pValue();
            if (cpsi != null) {
                tally.add("cPSI p", cpsi < 0.05);
            }
        }
        return tally;
    }

    /**
     * Simulates a flat system whose user looks more than once: after each sixth of the queries, at five subsamples of half of
     * them, or at a second measure, Recall@10.
     */
    Tally looks(int benchmarks, int draws, long seed) {
        Tally tally = new Tally();
        SplittableRandom root = new SplittableRandom(seed);
        int sixth = passages.length / LOOKS;
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            double[] scores = scores(query -> MEAN, random);
            double[] recall =
                    Arrays.stream(scores).map(score -> score > 0 ? 1 : 0).toArray();
            int[] order = shuffled(random);
            boolean once = differs(scores, order, draws, random);
            tally.add("once", once);
            tally.add("second measure", once || differs(recall, order, draws, random));
            tally.add(
                    "six looks",
                    once
                            || IntStream.range(1, LOOKS)
                                    .anyMatch(look ->
                                            differs(scores, Arrays.copyOf(order, look * sixth), draws, random)));
            tally.add(
                    "best of five subsamples",
                    IntStream.range(0, 5)
                            .anyMatch(sample -> differs(
                                    scores, Arrays.copyOf(shuffled(random), passages.length / 2), draws, random)));
        }
        return tally;
    }

    private int[] shuffled(SplittableRandom random) {
        int[] order = IntStream.range(0, passages.length).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int own = order[i];
            order[i] = order[other];
            order[other] = own;
        }
        return order;
    }

    private boolean differs(double[] scores, int[] queries, int draws, SplittableRandom random) {
        Benchmark all = benchmark();
        Profile profile = new Benchmark(
                        Arrays.stream(queries).mapToObj(all.queries()::get).toList(),
                        all.placement().at(queries))
                .profile(Moments.at(scores, queries), draws, random.nextLong(), 1);
        return Objects.requireNonNull(profile.direction()).outcome() == TestOutcome.DIFFER;
    }

    private static double placed(int place, double fall) {
        return MEAN + fall * (0.5 - place / (PLACES - 1.0));
    }

    /**
     * Queries at ten places each. A third of the variance of what their ranks depend on is the query's own; a third is the
     * passage's, with a trend at both ends only.
     */
    private List<ScoresByPlace> rows(double fall, boolean trend, SplittableRandom random) {
        double[][] limits = IntStream.range(0, PLACES)
                .mapToObj(place -> limits(placed(place, fall)))
                .toArray(double[][]::new);
        List<ScoresByPlace> rows = new ArrayList<>();
        double shared = 0;
        for (int query = 0; query < passages.length; query++) {
            shared = query == 0 || passages[query] != passages[query - 1] ? random.nextGaussian() : shared;
            double own = random.nextGaussian();
            double[] scores = new double[PLACES];
            for (int place = 0; place < PLACES; place++) {
                double share = trend ? 1 - 2 * place / (PLACES - 1.0) : 1;
                double rest = Math.sqrt(2 - share * share) * random.nextGaussian();
                scores[place] = score((share * shared + own + rest) / Math.sqrt(3), limits[place]);
            }
            rows.add(new ScoresByPlace(
                    "q" + query,
                    "p" + passages[query],
                    "",
                    scores[0],
                    scores,
                    new boolean[0],
                    new boolean[PLACES],
                    new int[PLACES],
                    Reads.of(new boolean[PLACES])));
        }
        return rows;
    }

    static Settings fixedSettings(int draws, long seed) {
        return settings(draws, seed)
                .withMeasures(List.of(Measures.parse("nDCG@10")))
                .withCluster(Clustering.By.PASSAGE)
                .with("equivalence", 0.02);
    }

    /** The normal numbers below which ranks from 1 to {@value #RANKS} lie, for scores of a mean. */
    static double[] limits(double mean) {
        double chance = Simulation.chance(mean);
        return IntStream.rangeClosed(1, RANKS)
                .mapToDouble(rank -> NORMAL.inverseCumulativeProbability(1 - Math.pow(1 - chance, rank)))
                .toArray();
    }

    static double score(double normal, double[] limits) {
        for (int rank = 1; rank <= RANKS; rank++) {
            if (normal <= limits[rank - 1]) {
                return GAINS[rank - 1];
            }
        }
        return 0;
    }

    /** How often tests see a mean that falls from front to back. */
    Tally sloped(double mean, double fall, int benchmarks, int draws, long seed, int threads) {
        Tally tally = new Tally();
        SplittableRandom random = new SplittableRandom(seed);
        Benchmark benchmark = benchmark();
        for (int i = 0; i < benchmarks; i++) {
            double[] scores = scores(query -> mean + fall * (0.5 - positions[query]), random);
            Profile profile = benchmark.profile(scores, draws, random.nextLong(), threads);
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
        Direction direction = Objects.requireNonNull(profile.direction());
        tally.add("PSI p", Objects.requireNonNull(profile.psi().pValue()) < 0.05);
        tally.add("verdict differ", direction.outcome() == TestOutcome.DIFFER);
        tally.add("slope p", direction.slope().pValue() < 0.05);
        tally.add(
                "front - back p",
                direction.frontMinusBack() != null && direction.frontMinusBack().pValue() < 0.05);
        tally.add("mean", Objects.requireNonNull(profile.queryInterval()).holds(MEAN));
        if (profile.bucketInterval() != null) {
            tally.add("mean of bucket means", profile.bucketInterval().holds(MEAN));
        }
        profile.buckets().forEach(bucket -> {
            if (bucket.interval() != null) {
                tally.add("bucket means", bucket.interval().holds(MEAN));
            }
        });
    }

    /**
     * How often PSI's test and that of front - back reject with so many queries as
     * {@link Power} says that they reject with 80 %: one benchmark is drawn, and its clusters are drawn again and again.
     *
     * @param fall of the mean from front to back
     */
    Tally power(double mean, double fall, int benchmarks, int draws, long seed, int threads) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] scores = scores(query -> mean + fall * (0.5 - positions[query]), random);
        Power power = Objects.requireNonNull(
                benchmark().profile(scores, 2_000, random.nextLong(), threads).power());
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
        return again.benchmark().profile(own, draws, random.nextLong(), threads);
    }

    /** Queries with evidence, and their buckets. */
    private record Benchmark(List<Query> queries, QueryBuckets placement) {
        Profile profile(double[] scores, int draws, long seed, int threads) {
            return new Profiler(settings(draws, seed).with("thinBelow", 30), threads)
                    .profiles(
                            new Scores(queries, List.of(Measures.parse("nDCG@10")), new double[][] {scores}), placement)
                    .getFirst();
        }
    }

    private Benchmark benchmark() {
        List<Query> queries = IntStream.range(0, passages.length)
                .mapToObj(query -> {
                    int middle = (int) Math.round(positions[query] * TEXT_LENGTH);
                    return new Query(
                            "q" + query,
                            "?",
                            new Evidence(middle, middle, TEXT_LENGTH, Evidence.UNKNOWN, List.of(), null));
                })
                .toList();
        Clustering clusters = new Clustering(
                Clustering.By.PASSAGE,
                Arrays.stream(passages).mapToObj(passage -> "p" + passage).toList(),
                List.of());
        return new Benchmark(queries, QueryBuckets.of(queries, Bucketing.parse("relative:" + BUCKETS), clusters));
    }

    private double[] scores(IntToDoubleFunction mean, SplittableRandom random) {
        double[] scores = new double[passages.length];
        Map<Double, double[]> limits = new HashMap<>();
        double[] variables = new double[0];
        int first = 0;
        for (int query = 0; query < scores.length; query++) {
            if (query == 0 || passages[query] != passages[query - 1]) {
                first = query;
                variables = IntStream.range(0, roots[passages[query]].length)
                        .mapToDouble(i -> random.nextGaussian())
                        .toArray();
            }
            double[] root = roots[passages[query]][query - first];
            double own = 0;
            for (int i = 0; i <= query - first; i++) {
                own += root[i] * variables[i];
            }
            scores[query] = score(own, limits.computeIfAbsent(mean.applyAsDouble(query), ClusterSimulation::limits));
        }
        return scores;
    }

    static double normal(SplittableRandom random) {
        return NORMAL.inverseCumulativeProbability(Math.clamp(random.nextDouble(), 1e-15, 1 - 1e-15));
    }

    /** Correlation of scores within a passage, as simulated. */
    double scoreCorrelation(long seed) {
        double[] scores = scores(query -> MEAN, new SplittableRandom(seed));
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
