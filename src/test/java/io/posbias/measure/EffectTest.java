package io.posbias.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.position.Bucketing;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a strategy does to the buckets, by hand. */
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
        return Objects.requireNonNull(new Comparer(1000, 7, 0.95, 2).effect("nDCG@10", first, second, placement()));
    }

    private static Effect.Word word(Effect effect) {
        Double psi = effect.psi() == null ? null : (Double) effect.psi().pValue();
        Double shift = effect.shift() == null ? null : (Double) effect.shift().pValue();
        return effect.word(0.05, effect.meanP(), psi, shift);
    }

    /** A model whose scores fall from 0.8 to 0.5. */
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

    @Test
    void summariesAreThoseOfTheBucketMeans() {
        Effect effect = effect(primacy(), other(bucket -> 0.7));
        assertThat(effect.worst().first()).isCloseTo(0.5, within(1e-12));
        assertThat(effect.worst().second()).isCloseTo(0.7, within(1e-12));
        double harmonic = 4 / (1 / 0.8 + 1 / 0.7 + 1 / 0.6 + 1 / 0.5);
        assertThat(effect.harmonic().first()).isCloseTo(harmonic, within(1e-12));
        assertThat(effect.harmonic().value()).isCloseTo(0.7 - harmonic, within(1e-12));
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
    void aFlatterProfileOfTheSameMeanCures() {
        assertThat(word(effect(primacy(), other(bucket -> 0.65)))).isEqualTo(Effect.Word.CURES);
    }

    @Test
    void aFlatterProfileOfALowerMeanTrades() {
        assertThat(word(effect(primacy(), other(bucket -> 0.5)))).isEqualTo(Effect.Word.TRADES);
    }

    @Test
    void theMirroredProfileMoves() {
        Effect effect = effect(primacy(), other(bucket -> 0.5 + 0.1 * bucket));
        assertThat(word(effect)).isEqualTo(Effect.Word.MOVES);
        assertThat(effect.newWorstBucket()).isEqualTo("0-25%");
        assertThat(Objects.requireNonNull(effect.shift()).value()).isCloseTo(0.6, within(1e-9));
    }

    @Test
    void theSameProfileIsNothingAndASteeperOneIsWorse() {
        assertThat(word(effect(primacy(), other(bucket -> 0.8 - 0.1 * bucket)))).isEqualTo(Effect.Word.NOTHING);
        assertThat(word(effect(primacy(), other(bucket -> 0.9 - 0.2 * bucket)))).isEqualTo(Effect.Word.WORSE);
        assertThat(word(effect(primacy(), other(bucket -> 0.72 - 0.09 * bucket))))
                .isEqualTo(Effect.Word.WORSE);
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
