package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Effect.BucketSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EffectTest {
    private static final int QUERIES = 400;
    private static final int BUCKETS = 4;
    private static final int LENGTH = 1000;

    /** Query i in bucket i mod 4. */
    private static QueryBuckets placement() {
        List<Query> queries = IntStream.range(0, QUERIES)
                .mapToObj(i -> {
                    int start = (int) ((i % BUCKETS + 0.5) * LENGTH / BUCKETS);
                    return new Query(
                            "q" + i, "?", new Evidence(start, start, LENGTH, Evidence.UNKNOWN, List.of(), null));
                })
                .toList();
        return QueryBuckets.of(queries, Bucketing.parse("relative:" + BUCKETS));
    }

    private static double[] scores(IntToDoubleFunction byBucket) {
        double[] scores = new double[QUERIES];
        // Noise of mean 0 within each bucket, the same for every system but for its sign.
        Arrays.setAll(scores, i -> byBucket.applyAsDouble(i % BUCKETS) + (i / BUCKETS % 2 == 0 ? 0.05 : -0.05));
        return scores;
    }

    private static Effect effect(double[] first, double[] second) {
        return Objects.requireNonNull(
                new Comparer(Settings.USUAL.withDraws(1000).withSeed(7).withConfidence(0.95), 2)
                        .effect("nDCG@10", first, second, placement()));
    }

    private static Effect.Word word(Effect effect) {
        Double psi = effect.psi() == null ? null : (Double) effect.psi().pValue();
        Double shift = effect.shift() == null ? null : (Double) effect.shift().pValue();
        return effect.word(
                new Effect.Criteria(0.95, Effect.Criteria.MARGIN),
                effect.comparison().pValue(),
                psi,
                shift);
    }

    private static double[] primacy() {
        return scores(bucket -> 0.8 - 0.1 * bucket);
    }

    /** Other noise, so that differences vary. */
    private static double[] other(IntToDoubleFunction byBucket) {
        double[] scores = scores(byBucket);
        for (int i = 0; i < QUERIES; i++) {
            scores[i] += i / (2 * BUCKETS) % 2 == 0 ? 0.03 : -0.03;
        }
        return scores;
    }

    private static Double shape(double[] first, double[] second) {
        return Objects.requireNonNull(new Comparer(Settings.USUAL, 1).shape(first, second, placement()));
    }

    /** The hard bucket of a blind model is the third. */
    @Test
    void profilesOfOneShapeDifferInLevelOnly() {
        double[] blind = scores(bucket -> bucket == 2 ? 0.4 : 0.6);
        assertThat(shape(blind, blind)).isOne();
        assertThat(shape(blind, other(bucket -> bucket == 2 ? 0.6 : 0.9))).isGreaterThan(0.5);
        assertThat(shape(blind, other(bucket -> (bucket == 2 ? 0.4 : 0.6) - 0.05 * bucket)))
                .isLessThan(0.001);
        assertThat(shape(blind, other(bucket -> 0.6))).isLessThan(0.001);
    }

    /** One step down in each bucket: the slope has one degree of freedom where Wald's test has three. */
    @Test
    void aStraightLineIsFoundByTheSlope() {
        QueryBuckets placement = placement();
        double[] first = scores(bucket -> 0.6);
        double[] second = other(bucket -> 0.6 - 0.006 * bucket);
        int[][] buckets = IntStream.range(0, BUCKETS)
                .mapToObj(bucket -> IntStream.range(0, QUERIES)
                        .filter(i -> i % BUCKETS == bucket)
                        .toArray())
                .toArray(int[][]::new);
        ClusterRobustEstimates logs = ClusterRobustEstimates.ofMeans(
                        second, buckets, placement.clustering().clusters())
                .log()
                .minus(ClusterRobustEstimates.ofMeans(
                                first, buckets, placement.clustering().clusters())
                        .log());
        double slope = logs.contrast(new double[] {-1.5, -0.5, 0.5, 1.5}, 0.95).pValue();
        assertThat(slope).isLessThan(logs.equal());
        assertThat(shape(first, second)).isCloseTo(2 * slope, within(1e-12));
    }

    /** Two clusters and the gate's Bonferroni: t is 90, and an unclipped bound of a bucket is beyond 4. */
    @Test
    void differencesStayInTheRangeOfScores() {
        List<String> passages =
                IntStream.range(0, QUERIES).mapToObj(i -> "p" + i % 2).toList();
        QueryBuckets ofTwo = new QueryBuckets(
                Bucketing.parse("relative:2"),
                IntStream.range(0, QUERIES).mapToObj(i -> new int[] {i / 2 % 2}).toArray(int[][]::new),
                IntStream.range(0, QUERIES).map(i -> -1).toArray(),
                new Clustering(Clustering.By.PASSAGE, passages, List.of()));
        double[] first = new double[QUERIES];
        double[] second =
                IntStream.range(0, QUERIES).mapToDouble(i -> i % 2 * 0.2).toArray();
        Comparison comparison =
                Objects.requireNonNull(new Comparer(Settings.USUAL.withDraws(0).withConfidence(0.9929), 1)
                        .compare("nDCG@10", "all", first, second, ofTwo));
        assertThat(comparison.difference().interval()).isEqualTo(new Interval(-1, 1));
        comparison
                .buckets()
                .forEach(bucket -> assertThat(
                                Objects.requireNonNull(bucket.difference()).interval())
                        .isEqualTo(new Interval(-1, 1)));
    }

    @Test
    void summariesAreThoseOfTheBucketMeans() {
        Effect effect = effect(primacy(), other(bucket -> 0.7));
        assertThat(effect.worst().first()).isCloseTo(0.5, within(1e-12));
        assertThat(effect.worst().second()).isCloseTo(0.7, within(1e-12));
        double harmonic = 4 / (1 / 0.8 + 1 / 0.7 + 1 / 0.6 + 1 / 0.5);
        assertThat(effect.harmonic().first()).isCloseTo(harmonic, within(1e-12));
        assertThat(effect.harmonic().second() - effect.harmonic().first()).isCloseTo(0.7 - harmonic, within(1e-12));
        assertThat(effect.worstBucket()).isEqualTo("75-100%");
    }

    @Test
    void aDifferenceHasAnIntervalThatHoldsItAndExcludesZeroWhereItIsLarge() {
        Effect.Summary worst = effect(primacy(), other(bucket -> 0.7)).worst();
        assertThat(Objects.requireNonNull(worst.difference()).interval().low())
                .isPositive()
                .isLessThan(0.2);
        assertThat(worst.difference().interval().high()).isGreaterThanOrEqualTo(0.2);
        assertThat(worst.difference().pValue()).isLessThan(0.01);
    }

    @Test
    void aFlatterProfileOfTheSameMeanBalances() {
        assertThat(word(effect(primacy(), other(bucket -> 0.655)))).isEqualTo(Effect.Word.BALANCES);
    }

    @Test
    void aMeanThatRisesImprovesWhereverPsiDoesNotRise() {
        assertThat(word(effect(primacy(), other(bucket -> 0.7)))).isEqualTo(Effect.Word.IMPROVES);
        Effect level = effect(primacy(), other(bucket -> 1.1 * (0.8 - 0.1 * bucket)));
        assertThat(Objects.requireNonNull(level.psi()).pValue()).isGreaterThan(0.05);
        assertThat(word(level)).isEqualTo(Effect.Word.IMPROVES);
        // PSI rises with the mean.
        assertThat(word(effect(primacy(), other(bucket -> 0.9 - 0.12 * bucket))))
                .isEqualTo(Effect.Word.WORSE);
    }

    @Test
    void aFlatterProfileOfALowerMeanIsATradeOff() {
        assertThat(word(effect(primacy(), other(bucket -> 0.5)))).isEqualTo(Effect.Word.TRADE_OFF);
    }

    /** A drop of half a point lies within noise of two, so that the mean may be more than a point lower. */
    @Test
    void aMeanThatIsShownNeitherToHoldNorToFallIsUndetermined() {
        double[] noisy = other(bucket -> 0.645);
        for (int i = 0; i < QUERIES; i++) {
            noisy[i] += i / (4 * BUCKETS) % 2 == 0 ? 0.2 : -0.2;
        }
        // 400 queries are 25 runs of 16: one more of the sign of the first.
        Effect effect = effect(primacy(), noisy);
        assertThat(effect.comparison().pValue()).isGreaterThan(0.05);
        assertThat(effect.comparison().difference().interval().low()).isLessThan(-0.01);
        assertThat(word(effect)).isEqualTo(Effect.Word.MEAN_UNDETERMINED);
        assertThat(effect.word(
                        new Effect.Criteria(0.95, 0.05),
                        effect.comparison().pValue(),
                        Objects.requireNonNull(effect.psi()).pValue(),
                        null))
                .isEqualTo(Effect.Word.BALANCES);
    }

    @Test
    void theMirroredProfileShifts() {
        Effect effect = effect(primacy(), other(bucket -> 0.5 + 0.1 * bucket));
        assertThat(word(effect)).isEqualTo(Effect.Word.SHIFTS);
        assertThat(effect.newWorstBucket()).isEqualTo("0-25%");
        Effect.Shift shift = Objects.requireNonNull(effect.shift());
        assertThat(shift.model().value()).isCloseTo(0.3, within(1e-9));
        assertThat(shift.strategy().value()).isCloseTo(0.3, within(1e-9));
    }

    /** The worst of equal buckets is chosen by noise: the strategy's worst one gained most, and nothing shifted. */
    @Test
    void theWorstBucketOfNoiseDoesNotShift() {
        int shifted = 0;
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] first = random.doubles(QUERIES).toArray();
            double[] second = new double[QUERIES];
            Arrays.setAll(second, i -> 0.5 * first[i] + 0.5 * random.nextDouble());
            Effect effect = Objects.requireNonNull(
                    new Comparer(Settings.USUAL.withDraws(0).withSeed(7).withConfidence(0.95), 1)
                            .effect("nDCG@10", first, second, placement()));
            shifted += effect.shift() != null && effect.shift().pValue() < 0.05 ? 1 : 0;
        }
        assertThat(shifted).isLessThanOrEqualTo(10);
    }

    @Test
    void theShiftHasTheLargerPOfBothProfilesTimesTheOtherBuckets() {
        Estimate sure = new Estimate(0.2, new Interval(0.1, 0.3), 0.002);
        Estimate less = new Estimate(0.1, new Interval(0, 0.2), 0.02);
        assertThat(Effect.Shift.of(sure, less, 4).pValue()).isCloseTo(0.03, within(1e-12));
        Estimate wrong = new Estimate(-0.1, new Interval(-0.2, 0), 0.02);
        assertThat(Effect.Shift.of(sure, wrong, 4).pValue()).isEqualTo(1);
    }

    @Test
    void theSameProfileShowsNoChangeAndASteeperOneIsWorse() {
        assertThat(word(effect(primacy(), other(bucket -> 0.8 - 0.1 * bucket)))).isEqualTo(Effect.Word.NO_CHANGE);
        assertThat(word(effect(primacy(), other(bucket -> 0.9 - 0.2 * bucket)))).isEqualTo(Effect.Word.WORSE);
        assertThat(word(effect(primacy(), other(bucket -> 0.72 - 0.09 * bucket))))
                .isEqualTo(Effect.Word.WORSE);
    }

    /** A bucket of one query, or of scores that vary in neither system, would count as certain. */
    @Test
    void thePsiDifferenceIsNotTestedWithABucketThatCannotVary() {
        double[] constant = primacy();
        double[] same = other(bucket -> 0.65);
        for (int i = 0; i < QUERIES; i += BUCKETS) {
            constant[i] = 0.8;
            same[i] = 0.4;
        }
        Comparison comparison = effect(constant, same).comparison();
        assertThat(Objects.requireNonNull(comparison.psi()).value()).isNotZero();
        assertThat(comparison.psi().difference()).isNull();
        assertThat(comparison.hasTooFewForPsi()).isTrue();
        assertThat(effect(constant, other(bucket -> 0.65)).comparison().hasTooFewForPsi())
                .isFalse();
        int[] one = IntStream.range(0, QUERIES)
                .filter(i -> i % BUCKETS > 0 || i == 0)
                .toArray();
        Effect thin = Objects.requireNonNull(new Comparer(
                        Settings.USUAL.withDraws(1000).withSeed(7).withConfidence(0.95), 2)
                .effect(
                        "nDCG@10",
                        Arrays.stream(one).mapToDouble(i -> primacy()[i]).toArray(),
                        Arrays.stream(one)
                                .mapToDouble(i -> other(bucket -> 0.65)[i])
                                .toArray(),
                        placement().at(one)));
        assertThat(thin.comparison().hasTooFewForPsi()).isTrue();
    }

    @Test
    void someOfTheQueriesKeepTheirPlaces() {
        QueryBuckets placement = placement();
        int[] last = IntStream.range(0, QUERIES).filter(i -> i % BUCKETS == 3).toArray();
        assertThat(placement.at(last).count("all", 3)).isEqualTo(100);
        assertThat(placement.at(last).count("all", 0)).isZero();
    }

    @Test
    void aBucketOfNothingButZerosHasNoHarmonicMean() {
        assertThat(BucketSummary.HARMONIC.of(new double[] {0, 0.5})).isZero();
        assertThat(BucketSummary.WORST.of(new double[] {0.3, 0.2, 0.9})).isEqualTo(0.2);
    }
}
