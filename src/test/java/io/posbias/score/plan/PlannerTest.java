package io.posbias.score.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.DifferenceTrial;
import io.posbias.score.measure.LossTrial;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.ProfileTrial;
import io.posbias.score.measure.Profiler;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Reads;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Trial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
    private static final int QUERIES = 600;
    private static final int BUCKETS = 6;
    private static final int PLACES = 10;
    private static final Planner PLANNER = new Planner(0.8, 2_000, 7, 2);
    /** For tests that take longer, and have wider bounds. */
    private static final Planner ROUGH = new Planner(0.8, 500, 7, 2);

    /** Quantiles of the normal distribution in random order, scaled to a standard deviation of 1. */
    private static double[] normal(long seed) {
        NormalDistribution distribution = new NormalDistribution(null, 0, 1);
        double[] values = IntStream.range(0, QUERIES)
                .mapToDouble(i -> distribution.inverseCumulativeProbability((i + 0.5) / QUERIES))
                .toArray();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = QUERIES - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            double own = values[i];
            values[i] = values[other];
            values[other] = own;
        }
        double root =
                Math.sqrt(Arrays.stream(values).map(own -> own * own).average().orElseThrow());
        return Arrays.stream(values).map(own -> own / root).toArray();
    }

    private static QueryBuckets unplaced() {
        return QueryBuckets.of(queries(), Bucketing.NONE);
    }

    private static List<Query> queries() {
        return IntStream.range(0, QUERIES)
                .mapToObj(i -> {
                    int start = (int) ((i % BUCKETS + 0.5) * 1000 / BUCKETS);
                    return new Query("q" + i, "?", new Evidence(start, start, 1000, Evidence.UNKNOWN, List.of(), null));
                })
                .toList();
    }

    private static int needed(Planner.Sizes sizes) {
        return Objects.requireNonNull(sizes.needed()).queries();
    }

    /** Expected numbers: scripts/tests/plan_golden.py. */
    @ParameterizedTest
    @CsvSource({"0.1, 0.8, 787", "0.1, 0.9, 1053", "0.15, 0.8, 351", "0.15, 0.9, 469", "0.3, 0.8, 90", "0.3, 0.9, 119"})
    void aDifferenceNeedsWhatTheNoncentralTSays(double effect, double power, int expected) {
        Trial trial = new DifferenceTrial(new double[QUERIES], normal(1), unplaced(), effect, 0.95);
        Planner.Sizes sizes = new Planner(power, 2_000, 7, 2).plan(trial);
        double error = Objects.requireNonNull(sizes.neededError());
        assertThat(error).isLessThan(0.03 * expected);
        assertThat((double) needed(sizes)).isCloseTo(expected, within(3.5 * error + 1));
        assertThat(Objects.requireNonNull(sizes.needed()).power()).isCloseTo(power, within(0.035));
    }

    /** Twelve queries of a cluster with one difference count as one. */
    @Test
    void clustersOfEqualDifferencesCountAsOneQuery() {
        double[] single = normal(2);
        double[] differences = IntStream.range(0, QUERIES)
                .mapToDouble(query -> single[query / 12])
                .toArray();
        List<String> passages =
                IntStream.range(0, QUERIES).mapToObj(query -> "p" + query / 12).toList();
        Clustering clustering = new Clustering(Clustering.By.PASSAGE, passages, List.of());
        QueryBuckets placement = QueryBuckets.of(queries(), Bucketing.NONE, clustering);
        double[] first = Arrays.copyOf(single, QUERIES / 12);
        double mean = Arrays.stream(first).average().orElseThrow();
        double spread = Math.sqrt(Arrays.stream(first)
                .map(own -> (own - mean) * (own - mean))
                .average()
                .orElseThrow());
        Planner.Sizes sizes =
                PLANNER.plan(new DifferenceTrial(new double[QUERIES], differences, placement, 0.1 * spread, 0.95));
        assertThat((double) Objects.requireNonNull(sizes.needed()).clusters()).isCloseTo(787, within(60.0));
        assertThat(needed(sizes)).isEqualTo(12 * sizes.needed().clusters());
    }

    @Tag("slow")
    @Test
    void powerGrowsWithTheEffectAndTheQueriesAndNeedsMoreOfThem() {
        int before = Integer.MAX_VALUE;
        for (double effect : new double[] {0.05, 0.1, 0.2}) {
            Planner.Sizes sizes =
                    PLANNER.plan(new DifferenceTrial(new double[QUERIES], normal(1), unplaced(), effect, 0.95));
            assertThat(needed(sizes)).isLessThan(before);
            before = needed(sizes);
            assertThat(sizes.simulated()).isSortedAccordingTo((one, other) -> {
                int order = Double.compare(one.power(), other.power());
                return Math.abs(one.power() - other.power()) < 3 * (one.error() + other.error()) ? 0 : order;
            });
        }
        Trial trial = new DifferenceTrial(new double[QUERIES], normal(1), unplaced(), 0.1, 0.95);
        assertThat(needed(new Planner(0.9, 2_000, 7, 2).plan(trial)))
                .isGreaterThan(needed(new Planner(0.7, 2_000, 7, 2).plan(trial)));
    }

    @Tag("slow")
    @Test
    void theNumberOfThreadsChangesNothing() {
        Trial trial = new ProfileTrial(queries(), profileScores(3), placed(), 0.2, 0.95);
        assertThat(new Planner(0.8, 200, 7, 1).plan(trial))
                .isEqualTo(new Planner(0.8, 200, 7, 3).plan(trial))
                .isNotEqualTo(new Planner(0.8, 200, 8, 3).plan(trial));
    }

    @Test
    void fiftyTimesThePilotMayBeTooFew() {
        Trial trial = new DifferenceTrial(new double[QUERIES], normal(1), unplaced(), 0.005, 0.95);
        Planner.Sizes sizes = new Planner(0.8, 200, 7, 2).plan(trial);
        assertThat(sizes.needed()).isNull();
        assertThat(sizes.simulated()).last().extracting(Planner.Size::queries).isEqualTo(50 * QUERIES);
    }

    private static QueryBuckets placed() {
        return QueryBuckets.of(queries(), Bucketing.parse("relative:" + BUCKETS));
    }

    private static double[] profileScores(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, QUERIES)
                .mapToDouble(query -> random.nextInt(5) / 4.0)
                .toArray();
    }

    /** What `undecided` prints is near the simulation. */
    @Tag("slow")
    @Test
    void theApproximationOfAProfileAgreesWithinAQuarter() {
        double[] scores = profileScores(3);
        Settings settings = Settings.USUAL.withBuckets(placed().bucketing()).withDraws(2_000);
        Profile profile = new Profiler(settings, 2)
                .profiles(new Scores(queries(), settings.measures(), new double[][] {scores}), placed())
                .getFirst();
        for (double loss : new double[] {0.1, 0.2}) {
            Integer approximate = profile.queriesFor(loss, 0.95);
            int simulated = needed(ROUGH.plan(new ProfileTrial(queries(), scores, placed(), loss, 0.95)));
            assertThat((double) Objects.requireNonNull(approximate) / simulated)
                    .as("%s, %s", approximate, simulated)
                    .isBetween(0.75, 1.25);
        }
    }

    /** Three queries of a passage share a level and a fall. */
    private static List<ScoresByPlace> rows(int queries, long seed, double fall) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ScoresByPlace> rows = new ArrayList<>();
        double level = 0;
        double slope = 0;
        for (int query = 0; query < queries; query++) {
            if (query % 3 == 0) {
                level = 0.3 + 0.6 * random.nextDouble();
                slope = fall + 0.4 * (random.nextDouble() - 0.5);
            }
            double[] scores = new double[PLACES];
            boolean[] natural = new boolean[PLACES];
            int[] broken = new int[PLACES];
            int own = random.nextInt(PLACES);
            for (int place = 0; place < PLACES; place++) {
                double noise = 0.3 * (random.nextDouble() - 0.5);
                scores[place] = Math.clamp(level - slope * place / (PLACES - 1) + noise, 0, 1);
                natural[place] = place == own;
                broken[place] = place == own ? 0 : 1;
            }
            rows.add(new ScoresByPlace(
                    "q" + query,
                    "p" + query / 3,
                    "",
                    scores[own],
                    scores,
                    new boolean[0],
                    natural,
                    broken,
                    Reads.of(new boolean[PLACES])));
        }
        return rows;
    }

    private static ContentFixed fit(List<ScoresByPlace> rows) {
        List<Query> queries =
                rows.stream().map(row -> new Query(row.query(), "?", null)).toList();
        return new ContentFixedFit(Settings.USUAL.withDraws(20), "rotation", 1)
                .of(rows, QueryBuckets.of(queries, Bucketing.NONE));
    }

    @ParameterizedTest
    @CsvSource({"0.05, 0.02", "0.05, 0.1", "-0.1, 0.02"})
    void theApproximationOfALossAgreesWithin15Percent(double loss, double own) {
        List<ScoresByPlace> rows = rows(300, 5, own);
        Integer approximate = fit(rows).queriesFor(loss, 0.95);
        int simulated = needed(ROUGH.plan(new LossTrial(rows, null, Settings.USUAL, loss)));
        assertThat((double) Objects.requireNonNull(approximate) / simulated)
                .as("%s, %s", approximate, simulated)
                .isBetween(0.85, 1.15);
    }

    /** The interval of a true loss of 0 lies within the bounds: Phi must be at 0.9 on each side. */
    @Tag("slow")
    @Test
    void theVerdictNoneNeedsTwoOneSidedTests() {
        List<ScoresByPlace> rows = rows(300, 5, 0.02);
        int direction = Objects.requireNonNull(fit(rows).queriesFor(0.02, 0.95));
        double expected = direction * Math.pow((1.96 + 1.2816) / (1.96 + 0.8416), 2);
        int simulated = needed(ROUGH.plan(new LossTrial(rows, null, Settings.USUAL, 0)));
        assertThat(simulated / expected).isBetween(0.85, 1.15);
    }

    @Tag("slow")
    @Test
    void aDifferenceOfLossesIsPlantedBesideAnEqualModel() {
        List<ScoresByPlace> rows = rows(300, 5, 0.02);
        Planner.Sizes one = ROUGH.plan(new LossTrial(rows, rows(300, 6, 0.1), Settings.USUAL, 0.05));
        Planner.Sizes two = ROUGH.plan(new LossTrial(rows, rows(300, 6, 0.1), Settings.USUAL, 0.1));
        // Twice the effect needs about a quarter of the queries.
        assertThat((double) needed(one) / needed(two)).isBetween(3.2, 5.0);
    }

    @Test
    void whatCannotBePlannedIsRefused() {
        List<ScoresByPlace> flat = rows(60, 5, 0).stream()
                .map(row -> new ScoresByPlace(
                        row.query(),
                        row.passage(),
                        "",
                        row.observed(),
                        IntStream.range(0, PLACES)
                                .mapToDouble(place -> row.observed())
                                .toArray(),
                        row.found(),
                        row.natural(),
                        row.broken(),
                        row.read()))
                .toList();
        assertThatThrownBy(() -> new LossTrial(flat, null, Settings.USUAL, 0.05))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new LossTrial(rows(60, 5, 0), null, Settings.USUAL, 0.02))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new ProfileTrial(queries(), new double[QUERIES], placed(), 0.05, 0.95))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new ProfileTrial(queries(), profileScores(1), unplaced(), 0.05, 0.95))
                .isInstanceOf(UsageException.class);
    }

    @Test
    void fewClustersNeedMoreForAVerdict() {
        assertThat(Power.enough(50, 100, 10, 8.0)).isEqualTo(200);
        assertThat(Power.enough(50, 100, 40, 4.0)).isEqualTo(250);
        assertThat(Power.enough(900, 100, 40, 4.0)).isEqualTo(900);
        assertThat(Power.enough(null, 100, 40, 4.0)).isNull();
    }
}
