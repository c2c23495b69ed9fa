package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A strategy repairs a loss if at least half of it is gone, by the interval. */
class ReliefTest {
    private static final int QUESTIONS = 200;

    private static Estimate of(double value, double half) {
        return new Estimate(value, new Interval(value - half, value + half), Double.NaN);
    }

    @Test
    void answersMustGainHalfOfWhatNotReadingCosts() {
        Estimate cost = of(0.1, 0.01);
        assertThat(Relief.ofReading(of(0.1, 0.02), cost).repairs()).isTrue();
        Relief small = Relief.ofReading(of(0.06, 0.04), cost);
        assertThat(small.helps()).isTrue();
        assertThat(small.repairs()).isFalse();
        assertThat(Relief.ofReading(of(0.06, 0.08), cost).helps()).isFalse();
        // The cost may be 20 points.
        assertThat(Relief.ofReading(of(0.1, 0.02), of(0.1, 0.1)).repairs()).isFalse();
    }

    /** Every other question is not read, where the model loses .4 more than the blind one. */
    private static Relief unread(double withStrategy) {
        List<IntToDoubleFunction> rows =
                List.of(i -> i % 2 == 0 ? 0.8 : 0.4, i -> 0.5, i -> i % 2 == 0 ? 0.8 : withStrategy);
        double[][] scores = rows.stream()
                .map(row -> IntStream.range(0, QUESTIONS)
                        .mapToDouble(i -> row.applyAsDouble(i) + 0.01 * (i * 7 % 11))
                        .toArray())
                .toArray(double[][]::new);
        List<@Nullable Read> reads = IntStream.range(0, QUESTIONS)
                .<@Nullable Read>mapToObj(i -> i % 2 == 0 ? Read.WHOLE : Read.NONE)
                .toList();
        return Objects.requireNonNull(Relief.unread(scores, EvidenceCuts.of(reads), Clusters.single(QUESTIONS), 0.95));
    }

    @Test
    void besideABlindModelHalfOfTheContrastMustBeGone() {
        assertThat(unread(0.8).less().value()).isCloseTo(0.4, within(1e-12));
        assertThat(unread(0.8).repairs()).isTrue();
        assertThat(unread(0.5).helps()).isTrue();
        assertThat(unread(0.5).repairs()).isFalse();
        assertThat(unread(0.3).helps()).isFalse();
    }
}
