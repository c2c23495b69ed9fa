package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against scipy's chisquare, kstest and binomtest. */
class UniformityTest {
    @Test
    void chiSquareEqualsScipy() {
        double[] values = new double[60];
        Uniformity uniformity = Uniformity.of(new int[] {25, 10, 8, 7, 10}, values);
        assertThat(uniformity.chiSquare().degreesOfFreedom()).isEqualTo(4);
        assertThat(uniformity.chiSquare().statistic()).isCloseTo(18.166666666666668, within(1e-12));
        assertThat(uniformity.chiSquare().pValue()).isCloseTo(0.0011448868846845222, within(1e-12));
    }

    /** kstest([(i*i*7919 % 1009 / 1009)**2 for i in range(1, 61)], "uniform"). */
    @Test
    void kolmogorovAndSmirnovEqualScipy() {
        double[] values = IntStream.rangeClosed(1, 60)
                .mapToDouble(i -> Math.pow(7919L * i * i % 1009 / 1009.0, 2))
                .toArray();
        Uniformity uniformity = Uniformity.of(new int[] {30, 30}, values);
        assertThat(uniformity.kolmogorovSmirnov().statistic()).isCloseTo(0.316934261615726, within(1e-12));
        assertThat(uniformity.kolmogorovSmirnov().pValue()).isCloseTo(7.390362489561892e-06, within(1e-10));
    }

    /** kstest([(i*7919 % 10007 / 10007)**1.1 for i in range(500)], "uniform"). */
    @Test
    void beyondTheExactSizesTheSeriesAgrees() {
        double[] values = IntStream.range(0, 500)
                .mapToDouble(i -> Math.pow(i * 7919L % 10007 / 10007.0, 1.1))
                .toArray();
        Uniformity uniformity = Uniformity.of(new int[] {250, 250}, values);
        assertThat(uniformity.kolmogorovSmirnov().statistic()).isCloseTo(0.03745170389175456, within(1e-12));
        assertThat(uniformity.kolmogorovSmirnov().pValue()).isCloseTo(0.4732635816924349, within(1e-5));
    }

    private static void interval(Proportion share, double low, double high) {
        assertThat(share.interval().low()).isCloseTo(low, within(1e-12));
        assertThat(share.interval().high()).isCloseTo(high, within(1e-12));
    }

    @Test
    void wilsonsIntervalEqualsScipy() {
        interval(Proportion.of(25, 60, 0.95), 0.3006427855834161, 0.5427191897735989);
        interval(Proportion.of(0, 10, 0.95), 0, 0.27753279986288926);
        interval(Proportion.of(10, 10, 0.9), 0.787058029916593, 1);
    }
}
