package io.posbias.score.measure;

import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.WildBootstrap;
import io.posbias.base.stats.WithinRegression;
import io.posbias.base.table.Meaning;
import io.posbias.score.measure.Psi.PsiTest;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the effect of positions with the content held fixed. The scores y of query q at place k are fitted within queries
 * by
 *
 * <pre>y_qk = a_q + theta_k + d1 natural_qk + d2 broken_qk + e_qk</pre>
 *
 * because a model may prefer unchanged text or unbroken sentence order at any place. The mean of a place is m_k = mean y - mean
 * theta + theta_k. Front - back and middle - ends are contrasts of these, tested by {@link ClusterRobustEstimates}; cPSI is 1 -
 * min m_k / max m_k, its interval from bootstrap draws of clusters, its null distribution from the wild cluster bootstrap
 * around equal means, where there are 40 effective clusters.
 *
 * @param settings draws of at least 1; the first measure is the scores'
 * @param method of placing the evidence
 */
public record ContentFixedFit(Settings settings, String method, int threads) {
    /** Half the width of an interval of front - back with which a first look is content, as a score. */
    public static final double KNOWN = 0.03;

    private static final double ROUNDING = 1e-12;

    /** Fit with the means of places in each draw, {@code [place][draw]}. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Fitted(
            WithinRegression regression,
            ClusterRobustEstimates joint,
            ClusterRobustEstimates means,
            double[][] drawn) {}

    Clusters clusters(List<ScoresByPlace> rows) {
        boolean titled = rows.stream().anyMatch(row -> !row.article().isEmpty());
        return new Clustering(
                        Clustering.By.PASSAGE,
                        rows.stream().map(ScoresByPlace::passage).toList(),
                        titled ? rows.stream().map(ScoresByPlace::article).toList() : List.of())
                .by(settings.unit())
                .clusters();
    }

    private Fitted fit(List<ScoresByPlace> rows, boolean drawing) {
        return fit(rows, ScoresByPlace::scores, drawing);
    }

    private Fitted fit(List<ScoresByPlace> rows, Function<ScoresByPlace, double[]> scores, boolean drawing) {
        int places = rows.getFirst().scores().length;
        WithinRegression regression = regression(rows, scores);
        double[][] drawn = new double[places][drawing ? settings.draws() : 0];
        if (drawing) {
            Bootstrap.overClusters(regression.sums(), settings.draws(), settings.seed(), threads, (number, total) -> {
                double[] means = means(regression.coefficients(total), regression.mean(total), places);
                for (int place = 0; place < places; place++) {
                    drawn[place][number] = means[place];
                }
            });
        }
        ClusterRobustEstimates joint = regression.joint();
        return new Fitted(regression, joint, means(joint, places), drawn);
    }

    WithinRegression regression(List<ScoresByPlace> rows, Function<ScoresByPlace, double[]> scores) {
        return new WithinRegression(
                rows.stream().map(ContentFixedFit::columns).toArray(double[][][]::new),
                rows.stream().map(scores).toArray(double[][]::new),
                clusters(rows));
    }

    /** Returns the means of places of a fit with further columns. */
    static double[] means(WithinRegression regression, int places) {
        return means(regression.coefficients(), regression.mean(), places);
    }

    /** The means of places; the columns are those of all places but the first, and two controls. */
    static ClusterRobustEstimates means(WithinRegression regression) {
        return means(regression.joint(), regression.coefficients().length - 1);
    }

    private static ClusterRobustEstimates means(ClusterRobustEstimates joint, int places) {
        return new ClusterRobustEstimates(ofPlaces(joint.values(), places), parts(joint, places), rows(joint, places));
    }

    private static double[][] parts(ClusterRobustEstimates joint, int places) {
        return Arrays.stream(joint.parts()).map(part -> ofPlaces(part, places)).toArray(double[][]::new);
    }

    /** All places are estimated from the same queries. */
    private static int[][] rows(ClusterRobustEstimates joint, int places) {
        return Arrays.stream(joint.rows())
                .map(own -> Arrays.copyOf(own, places))
                .toArray(int[][]::new);
    }

    /** Indicators of all places but the first, natural text, and the number of broken joins. */
    static double[][] columns(ScoresByPlace row) {
        int places = row.scores().length;
        double[][] columns = new double[places][places + 1];
        for (int place = 0; place < places; place++) {
            if (place > 0) {
                columns[place][place - 1] = 1;
            }
            columns[place][places - 1] = row.natural()[place] ? 1 : 0;
            columns[place][places] = row.broken()[place];
        }
        return columns;
    }

    /** Means of places, or their errors, from coefficients followed by the mean. */
    private static double[] ofPlaces(double[] coefficients, int places) {
        return means(coefficients, coefficients[coefficients.length - 1], places);
    }

    private static double[] means(double[] coefficients, double mean, int places) {
        double sum = 0;
        for (int place = 1; place < places; place++) {
            sum += coefficients[place - 1];
        }
        double[] means = new double[places];
        for (int place = 0; place < places; place++) {
            means[place] = mean - sum / places + (place == 0 ? 0 : coefficients[place - 1]);
        }
        return means;
    }

    private Estimate contrast(ClusterRobustEstimates means, double[] weights) {
        return means.contrast(weights, settings.confidence()).ofScores();
    }

    /** Weights of front minus back. */
    static double[] ends(int places) {
        double end = 1.0 / ContentFixed.ends(places);
        return weights(places, end, 0, -end);
    }

    /** Weights of the places between minus both ends. */
    static double[] middle(int places) {
        int ends = ContentFixed.ends(places);
        return weights(places, -0.5 / ends, 1.0 / (places - 2 * ends), -0.5 / ends);
    }

    private static double[] weights(int places, double front, double middle, double back) {
        int ends = ContentFixed.ends(places);
        return IntStream.range(0, places)
                .mapToDouble(place -> place < ends ? front : place < places - ends ? middle : back)
                .toArray();
    }

    /**
     * Fits the scores.
     *
     * @param rows of at least two clusters and an equal number of places, at least 3
     * @param placement of the same queries
     */
    public ContentFixed of(List<ScoresByPlace> rows, QueryBuckets placement) {
        Fitted fitted = fit(rows, true);
        ClusterRobustEstimates means = fitted.means();
        int k = means.values().length;
        Clusters clusters = clusters(rows);
        double[][] errors = WildBootstrap.errors(means.corrected(), settings.draws(), settings.seed(), threads);
        Estimate front = contrast(means, ends(k));
        Psi cpsi = cpsi(
                fitted,
                clusters,
                // With fewer clusters its test rejects too often (docs/statistics.md).
                clusters.effective() < Clusters.MANY_EFFECTIVE
                        ? new double[0]
                        : Psi.around(Arrays.stream(means.values()).average().orElseThrow(), errors));
        PositionLoss loss = loss(rows, means, WildBootstrap.studentised(errors, clusters.freedom(), settings.seed()));
        return new ContentFixed(
                settings.measure().toString(),
                method,
                rows.size(),
                clusters.count(),
                clusters.effective(),
                rows.stream().mapToDouble(ScoresByPlace::observed).average().orElseThrow(),
                cpsi,
                loss,
                front,
                contrast(means, middle(k)),
                control(fitted, k - 1),
                control(fitted, k),
                clusters.areFew()
                        ? TestOutcome.TOO_FEW
                        : TestOutcome.ofLoss(loss.score().loss(), front, loss.equivalence(), settings.confidence()),
                rows.stream().allMatch(ScoresByPlace::isReadEverywhere) ? null : LossPartsFit.of(rows, this),
                Power.of(
                        means.values(),
                        fitted.drawn(),
                        cpsi,
                        front,
                        rows.size(),
                        1 - settings.confidence(),
                        settings.confidence()),
                places(rows, means),
                buckets(rows, placement, clusters, fitted));
    }

    private PositionLoss loss(List<ScoresByPlace> rows, ClusterRobustEstimates means, double[][] errors) {
        boolean known = rows.stream().allMatch(row -> row.found().length > 0);
        return new PositionLoss(
                PositionLoss.EndLoss.of(means, settings.confidence()),
                known
                        ? PositionLoss.EndLoss.of(
                                fit(rows, ContentFixedFit::recall, false).means(), settings.confidence())
                        : null,
                PositionLoss.WorstPlace.of(means, errors, settings.confidence()),
                PositionLoss.Flips.of(rows),
                settings.equivalence());
    }

    private static double[] recall(ScoresByPlace row) {
        return IntStream.range(0, row.found().length)
                .mapToDouble(place -> row.found()[place] ? 1 : 0)
                .toArray();
    }

    /** @param noise cPSI in draws without an effect of places; none for no p-value */
    private Psi cpsi(Fitted fitted, Clusters clusters, double[] noise) {
        double value = Psi.of(fitted.means().values());
        if (Double.isNaN(value)) {
            return Psi.undefined("all places score 0");
        }
        Psi psi = Psi.of(value).withNoise(noise);
        double effective = clusters.areSingle() ? Double.POSITIVE_INFINITY : clusters.effective();
        return psi.with(Psi.interval(value, psi.pValue(), Psi.drawn(fitted.drawn()), effective, settings.confidence()));
    }

    private @Nullable Estimate control(Fitted fitted, int column) {
        return fitted.regression().isKnown(column) ? fitted.joint().estimate(column, settings.confidence()) : null;
    }

    private List<ContentFixed.Place> places(List<ScoresByPlace> rows, ClusterRobustEstimates means) {
        int k = means.values().length;
        boolean told = rows.stream().anyMatch(row -> !Arrays.asList(row.read()).contains(Read.UNKNOWN));
        return IntStream.range(0, k)
                .mapToObj(place -> {
                    double[] weights = new double[k];
                    Arrays.fill(weights, -1.0 / k);
                    weights[place] += 1;
                    Estimate departure = means.contrast(weights, settings.confidence());
                    double mean = means.values()[place];
                    double shift = mean - departure.value();
                    Interval interval = new Interval(
                                    shift + departure.interval().low(),
                                    shift + departure.interval().high())
                            .within(0, 1)
                            .holding(mean);
                    return new ContentFixed.Place(place + 1, mean, interval, told ? unread(rows, place) : null);
                })
                .toList();
    }

    private static Double unread(List<ScoresByPlace> rows, int place) {
        return (double) rows.stream()
                        .filter(row -> row.read()[place] == Read.NONE)
                        .count()
                / rows.size();
    }

    /** Content is the mean score over places, adjusted to the unchanged passage. */
    private List<ContentFixed.Bucket> buckets(
            List<ScoresByPlace> rows, QueryBuckets placement, Clusters clusters, Fitted fitted) {
        double[] coefficients = fitted.regression().coefficients();
        double natural = coefficients[coefficients.length - 2];
        double broken = coefficients[coefficients.length - 1];
        double[] observed = rows.stream().mapToDouble(ScoresByPlace::observed).toArray();
        double[] content = rows.stream()
                .mapToDouble(row -> IntStream.range(0, row.scores().length)
                        .mapToDouble(place -> row.scores()[place]
                                + natural * (row.natural()[place] ? 0 : 1)
                                - broken * row.broken()[place])
                        .average()
                        .orElseThrow())
                .toArray();
        double[] position = IntStream.range(0, observed.length)
                .mapToDouble(row -> observed[row] - content[row])
                // What rounding of a mean leaves is no position.
                .map(part -> Math.abs(part) < ROUNDING ? 0 : part)
                .toArray();
        int[] all = IntStream.range(0, observed.length).toArray();
        return IntStream.range(0, placement.bucketNames().size())
                .mapToObj(bucket -> {
                    int[] own = placement.members(bucket, all);
                    Moments moments = Moments.of(position, own, clusters);
                    return new ContentFixed.Bucket(
                            placement.bucketNames().get(bucket),
                            own.length,
                            own.length == 0
                                    ? null
                                    : (Double) Moments.of(observed, own).mean(),
                            own.length == 0
                                    ? null
                                    : (Double) Moments.of(content, own).mean(),
                            moments.isEstimable()
                                    ? moments.estimate(settings.confidence()).ofScores()
                                    : null);
                })
                .toList();
    }

    /**
     * Returns true if front - back is known to {@link #KNOWN}. It looks at the width of the interval alone: a condition on its
     * place would find effects that are not there (docs/adr/0057-enough-questions.md).
     */
    public boolean isKnown(List<ScoresByPlace> rows) {
        if (clusters(rows).count() < 2) {
            return false;
        }
        ClusterRobustEstimates means = fit(rows, false).means();
        return isKnown(contrast(means, ends(means.values().length)));
    }

    static boolean isKnown(Estimate frontMinusBack) {
        Interval found = frontMinusBack.interval();
        return found.high() - found.low() < 2 * KNOWN;
    }

    /** The loss at the back alone, without draws; null if it is undefined, or for fewer than two clusters. */
    @Nullable
    BackLoss loss(List<ScoresByPlace> rows) {
        Clusters clusters = clusters(rows);
        ClusterRobustEstimates log = clusters.count() < 2
                ? null
                : PositionLoss.EndLoss.log(fit(rows, false).means());
        return log == null ? null : new BackLoss(rows.size(), clusters, log, new double[] {1});
    }

    /** Difference of two systems on the same queries, second minus first. */
    public record Difference(
            @Meaning("name of the measure") String measure,

            @Meaning("queries whose evidence was moved for both")
            int queries,

            @Meaning("clusters of these queries") int clusters,

            @Meaning(value = "cPSI of both, and its difference; empty if one is undefined", unit = "fraction")
            Comparison.@Nullable PsiDifference cpsi,

            @Meaning("difference of front - back") Estimate frontMinusBack,
            @Meaning("difference of middle - ends") Estimate middleMinusEnds,

            @Meaning(
                    value =
                            "net loss at the back of both, and the differences of both and of their absolute values by the"
                                    + " paired t test over clusters; empty if one is undefined",
                    unit = "fraction")
            PositionLoss.@Nullable Change loss) {}

    /**
     * Compares two systems on the same queries and places.
     *
     * @param second may have the queries in another order
     * @return null for fewer than two clusters, and for other queries or places
     */
    public @Nullable Difference compare(List<ScoresByPlace> first, List<ScoresByPlace> second) {
        Map<String, ScoresByPlace> others = second.stream().collect(Collectors.toMap(ScoresByPlace::query, row -> row));
        List<ScoresByPlace> paired = first.stream()
                .map(row -> others.get(row.query()))
                .filter(Objects::nonNull)
                .toList();
        boolean isSame = paired.size() == Math.max(first.size(), second.size())
                && first.getFirst().scores().length == second.getFirst().scores().length;
        if (!isSame || clusters(first).count() < 2) {
            return null;
        }
        List<Fitted> fits =
                Stream.of(first, paired).map(rows -> fit(rows, true)).toList();
        ClusterRobustEstimates before = fits.getFirst().means();
        ClusterRobustEstimates after = fits.getLast().means();
        ClusterRobustEstimates change = after.minus(before);
        int k = change.values().length;
        double was = Psi.of(before.values());
        double is = Psi.of(after.values());
        // Both are drawn with one seed over the same clusters: the same draws.
        Comparison.PsiDifference cpsi = Double.isNaN(was) || Double.isNaN(is)
                ? null
                : new Comparison.PsiDifference(
                        was,
                        is,
                        PsiTest.of(
                                before,
                                after,
                                PsiTest.differences(
                                        fits.getFirst().drawn(), fits.getLast().drawn()),
                                settings.confidence()));
        return new Difference(
                settings.measure().toString(),
                first.size(),
                change.clusters(),
                cpsi,
                contrast(change, ends(k)),
                contrast(change, middle(k)),
                PositionLoss.Change.of(before, after, settings.confidence()));
    }
}
