package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Statistics of rows in clusters against numpy and scipy: scripts/tests/clusters_golden.py prints the numbers. */
class ClustersTest {
    private static final Offset<Double> CLOSE = within(1e-9);
    private static final Clusters CLUSTERS = new Clusters(new int[] {0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 5, 5}, 6);
    private static final double[] Y = {1, .5, .63, 0, .43, 1, 1, .39, .5, .36, 0, .33, 1, .63, .5};
    private static final double[] X = {.1, .5, .9, .2, .8, .05, .3, .6, .95, .4, .15, .85, .25, .55, .75};

    private static int[] part(double from, double to) {
        return IntStream.range(0, X.length)
                .filter(i -> X[i] >= from && X[i] < to)
                .toArray();
    }

    private static final int[][] THIRDS = {part(0, 1 / 3.0), part(1 / 3.0, 2 / 3.0), part(2 / 3.0, 2)};

    @Test
    void aMeanHasTheSandwichesError() {
        Moments moments = Moments.of(Y, CLUSTERS);
        assertThat(moments.mean()).isCloseTo(0.5513333333333333, CLOSE);
        assertThat(moments.standardError()).isCloseTo(0.10447430097818106, CLOSE);
        assertThat(moments.clusters()).isEqualTo(6);
        assertThat(moments.effective()).isCloseTo(5.232558139534884, CLOSE);
        assertThat(moments.estimate(0.95).pValue()).isCloseTo(0.005274511732542447, CLOSE);
    }

    @Test
    void aSlopeAndAContrastAreTestedWithOneDegreeLessThanEffectiveClusters() {
        Estimate slope = Estimate.ofSlope(X, Y, CLUSTERS, 0.95);
        assertThat(slope.value()).isCloseTo(-0.2517215568862275, CLOSE);
        assertThat(slope.pValue()).isCloseTo(0.44110183748699977, CLOSE);
        Estimate contrast =
                Estimate.ofContrast(Y, new int[][] {THIRDS[0], THIRDS[2]}, new double[] {1, -1}, CLUSTERS, 0.95);
        assertThat(contrast.value()).isCloseTo(0.1886666666666666, CLOSE);
        assertThat(contrast.pValue()).isCloseTo(0.4067947316104218, CLOSE);
    }

    @Test
    void aCorrelationIsTestedByItsSlope() {
        Correlation pearson = Correlation.pearson(X, Y, CLUSTERS);
        assertThat(pearson.coefficient()).isEqualTo(Correlation.pearson(X, Y).coefficient());
        assertThat(pearson.pValue()).isCloseTo(0.44110183748699977, CLOSE);
        Correlation spearman = Correlation.spearman(X, Y, CLUSTERS);
        assertThat(spearman.coefficient()).isCloseTo(Correlation.spearman(X, Y).coefficient(), CLOSE);
        assertThat(spearman.pValue()).isNotEqualTo(Correlation.spearman(X, Y).pValue());
        assertThat(Correlation.spearman(X, Y, Clusters.single(X.length))).isEqualTo(Correlation.spearman(X, Y));
    }

    @Test
    void equalMeansAreTestedByHotellingsF() {
        assertThat(ClusterRobustEstimates.ofMeans(Y, THIRDS, CLUSTERS).equal()).isCloseTo(0.7184697738787197, CLOSE);
        double[] constant = new double[Y.length];
        assertThat(ClusterRobustEstimates.ofMeans(constant, THIRDS, CLUSTERS).equal())
                .isOne();
        double[] byThird = IntStream.range(0, X.length)
                .mapToDouble(i -> X[i] < 1 / 3.0 ? 1 : 0)
                .toArray();
        assertThat(ClusterRobustEstimates.ofMeans(byThird, THIRDS, CLUSTERS).equal())
                .isZero();
    }

    @Test
    void rowsByThemselvesAreAsWithoutClusters() {
        Clusters single = Clusters.single(Y.length);
        assertThat(Moments.of(Y, single)).isEqualTo(Moments.of(Y));
        assertThat(Estimate.ofSlope(X, Y, single, 0.9)).isEqualTo(Estimate.ofSlope(X, Y, 0.9));
        Moments[] parts = {Moments.of(Y, THIRDS[0]), Moments.of(Y, THIRDS[2])};
        assertThat(Estimate.ofContrast(Y, new int[][] {THIRDS[0], THIRDS[2]}, new double[] {1, -1}, single, 0.9))
                .isEqualTo(Moments.contrast(parts, new double[] {1, -1}, 0.9));
        double[][] y = {Y};
        assertThat(Bootstrap.means(y, THIRDS, single, 50, 7, 1)).isDeepEqualTo(Bootstrap.means(y, THIRDS, 50, 7, 2));
    }

    @Test
    void wholeClustersAreDrawn() {
        // Within a cluster values sum to 0, so a draw's mean is 0 over all rows whatever is drawn.
        double[] balanced = {1, 0, -1, 2, -2, 1, 1, -1, -1, 0, 3, -3, 2, -1, -1};
        int[][] all = {IntStream.range(0, Y.length).toArray()};
        double[][][] drawn = Bootstrap.means(new double[][] {balanced, Y}, all, CLUSTERS, 2_000, 3, 2);
        assertThat(drawn[0][0]).containsOnly(0.0);
        double spread = Math.sqrt(Moments.of(drawn[1][0]).variance());
        // The bootstrap's error is the sandwich's without its correction, here for a ratio of sums.
        assertThat(spread).isCloseTo(0.1035 * Math.sqrt(5 / 6.0), within(0.012));
        assertThat(Bootstrap.means(new double[][] {balanced, Y}, all, CLUSTERS, 2_000, 3, 1))
                .isDeepEqualTo(drawn);
    }

    /** Few places are added four at a time, many with few numbers one by one: both as one after another, to the bit. */
    @Test
    void sumsOfDrawsAreThoseOfTheirClustersInOrder() {
        Random random = new Random(5);
        for (int width : new int[] {1, 3, 4, 6, 11, 90}) {
            double[][] sums = new double[40][width];
            for (double[] cluster : sums) {
                for (int place = 0; place < width; place += width == 90 ? 1 + random.nextInt(40) : 1) {
                    cluster[place] = random.nextDouble() - 0.3;
                }
            }
            double[][] drawn = new double[250][];
            Bootstrap.overClusters(sums, drawn.length, 9, 2, (number, total) -> drawn[number] = total.clone());
            double[][] expected = new double[drawn.length][width];
            SeededStreams.run(drawn.length, 9, 1, () -> (number, stream) -> {
                for (int i = 0; i < sums.length; i++) {
                    double[] cluster = sums[SeededStreams.below(sums.length, stream)];
                    for (int place = 0; place < width; place++) {
                        expected[number][place] += cluster[place];
                    }
                }
            });
            assertThat(drawn).isDeepEqualTo(expected);
        }
    }

    @Test
    void aDrawWithoutAGroupHasNoMean() {
        int[][] groups = {{9}, {0, 3, 5}};
        double[] drawn = Bootstrap.means(new double[][] {Y}, groups, CLUSTERS, 500, 1, 1)[0][0];
        assertThat(Arrays.stream(drawn).filter(Double::isNaN).count()).isBetween(100L, 220L);
        assertThat(Bootstrap.percentile(drawn, 0.9))
                .satisfies(
                        interval -> assertThat(interval.high() - interval.low()).isLessThan(1e-12));
    }

    @Test
    void namesMakeClusters() {
        Clusters named = Clusters.named(List.of("a", "b", "a", "c"));
        assertThat(named.of()).containsExactly(0, 1, 0, 2);
        assertThat(named.at(new int[] {3, 1}).of()).containsExactly(0, 1);
        assertThat(named.areSingle()).isFalse();
    }
}
