package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.stats.Permutation.Randomisation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Against scipy, whose outputs lie in scipy.json (scripts/tests/scipy_golden.py writes them; the slope's are numpy's): ties,
 * small and large samples, and SQuAD-PosQ's number of queries.
 */
class ScipyTest {
    private static final Fields GOLDEN = Json.readJson(Path.of("src/test/resources/scipy.json"));
    private static final double CONFIDENCE = 0.95;

    /** The same numbers as scipy_golden.py makes. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Data(double[] x, double[] y, double[] z) {
        static Data of(int n) {
            double[] x = new double[n];
            double[] y = new double[n];
            double[] z = new double[n];
            for (int i = 0; i < n; i++) {
                long square = (long) i * i;
                x[i] = i * 7919L % 1009 / 1009.0;
                long k = (square % 10007 * 31 + i * 17L) % 29;
                y[i] = score((int) (k * (0.3 + x[i]) / 6));
                z[i] = score((int) ((k * 13 + 5) % 29 * (0.3 + 0.5 * x[i]) / 6));
            }
            return new Data(x, y, z);
        }

        /** nDCG@10 of one relevant passage at a rank, 0 beyond the tenth. */
        private static double score(int ranksDown) {
            return ranksDown > 9 ? 0 : 1 / (Math.log(ranksDown + 2) / Math.log(2));
        }

        double[] differences() {
            return IntStream.range(0, y.length).mapToDouble(i -> y[i] - z[i]).toArray();
        }
    }

    private static void same(Fields expected, String name, double... actual) {
        List<?> numbers = (List<?>) Objects.requireNonNull(expected.raw(name));
        assertThat(actual).hasSize(numbers.size());
        for (int i = 0; i < actual.length; i++) {
            double number = ((Number) Objects.requireNonNull(numbers.get(i))).doubleValue();
            Offset<Double> near = within(1e-9 * Math.max(1e-3, Math.abs(number)));
            assertThat(actual[i]).as("%s[%d] of %s", name, i, expected.raw("n")).isCloseTo(number, near);
        }
    }

    @TestFactory
    List<DynamicTest> equalsScipy() {
        return GOLDEN.records("cases").stream()
                .map(expected -> DynamicTest.dynamicTest("n = " + expected.integer("n"), () -> check(expected)))
                .toList();
    }

    private static void check(Fields expected) {
        Data data = Data.of(expected.integer("n"));
        correlation(expected, "pearson", Correlation.pearson(data.x, data.y));
        correlation(expected, "spearman", Correlation.spearman(data.x, data.y));
        correlation(expected, "kendall", Correlation.kendall(data.x, data.y));
        Estimate slope = Estimate.ofSlope(data.x, data.y, CONFIDENCE);
        same(
                expected,
                "slope",
                slope.value(),
                slope.interval().low(),
                slope.interval().high(),
                slope.pValue());
        Moments paired = Moments.of(data.differences());
        Estimate t = paired.estimate(CONFIDENCE);
        double statistic = paired.mean() / paired.standardError();
        same(expected, "paired_t", t.value(), t.interval().low(), t.interval().high(), statistic, t.pValue());
        Estimate mean = Moments.of(data.y).estimate(CONFIDENCE);
        same(
                expected,
                "mean_t",
                mean.value(),
                mean.interval().low(),
                mean.interval().high());
        if (expected.has("welch")) {
            int third = data.y.length / 3;
            Moments front = Moments.of(Arrays.copyOf(data.y, third));
            Moments back = Moments.of(Arrays.copyOfRange(data.z, third, data.z.length));
            Estimate welch = Moments.contrast(new Moments[] {front, back}, new double[] {1, -1}, CONFIDENCE);
            same(
                    expected,
                    "welch",
                    welch.value(),
                    welch.interval().low(),
                    welch.interval().high(),
                    welch.pValue());
        }
    }

    private static void correlation(Fields expected, String name, Correlation actual) {
        same(expected, name, actual.coefficient(), Objects.requireNonNull(actual.pValue()));
    }

    /** Both draw 10,000 or more times: ends of intervals agree to about a hundredth of their width. */
    @Test
    void bootstrapIntervalsAreScipysWithinTheNoiseOfDraws() {
        double[] y = Data.of(200).y;
        int[][] all = {IntStream.range(0, 200).toArray()};
        double[] drawn = Bootstrap.means(new double[][] {y}, all, 100_000, 42, 2)[0][0];
        near("bca200", Bootstrap.bca(Moments.of(y), drawn, CONFIDENCE));
        near("percentile200", Bootstrap.percentile(drawn, CONFIDENCE));
    }

    private static void near(String name, Interval actual) {
        List<?> ends = (List<?>) Objects.requireNonNull(GOLDEN.raw(name));
        assertThat(actual.low()).isCloseTo(((Number) ends.getFirst()).doubleValue(), within(6e-4));
        assertThat(actual.high()).isCloseTo(((Number) ends.getLast()).doubleValue(), within(6e-4));
    }

    @Test
    void theRandomisationTestIsScipys() {
        assertThat(randomisation(12)).isCloseTo(GOLDEN.number("randomisation12"), within(0.003));
        assertThat(randomisation(57)).isCloseTo(GOLDEN.number("randomisation57"), within(0.002));
    }

    private static double randomisation(int n) {
        double[] differences = Data.of(n).differences();
        int[][] all = {IntStream.range(0, n).toArray()};
        return Randomisation.pValue(differences, Randomisation.randomisedSums(differences, all, 100_000, 42, 2)[0]);
    }
}
