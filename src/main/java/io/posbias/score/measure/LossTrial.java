package io.posbias.score.measure;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.WithinRegression;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A loss at the back with the content held fixed: the pilot's scores, times a factor for each place that levels their curve,
 * and one for the places at the back that plants the loss. The test is the {@link TestOutcome} verdict: a direction, or {@code none}
 * where the planted loss is within the equivalence bounds. Truncation is not considered. With a second model the loss is
 * planted there, and the test is the paired t test of {@link PositionLoss.Change}.
 */
public final class LossTrial implements Trial {
    private static final int STEPS = 100;
    private static final double LEVEL = 1e-13;
    private static final double CONSTANT = 1e-3;

    private final Settings settings;
    private final double loss;
    private final Clusters clusters;
    private final WithinRegression first;
    private final @Nullable WithinRegression second;

    /**
     * @param rows of a pilot, see {@link ContentFixedFit}
     * @param other of another model at the same places; null for none
     * @param settings with the pilot's clusters, confidence and equivalence bounds
     * @param loss planted, below 1, as a fraction
     * @throws UsageException if no loss can be planted, or its size is the bound
     */
    public LossTrial(List<ScoresByPlace> rows, @Nullable List<ScoresByPlace> other, Settings settings, double loss) {
        ContentFixedFit fit = new ContentFixedFit(settings, "", 1);
        this.settings = settings;
        this.loss = loss;
        this.clusters = fit.clusters(rows);
        this.first = planted(fit, rows, other == null ? loss : 0);
        this.second = other == null ? null : planted(fit, other, loss);
        if (other == null && Math.abs(loss) == settings.equivalence()) {
            throw new UsageException(
                    "--loss is the bound of equivalence, which no number of queries tells from a loss: "
                            + "give a larger one, or a smaller one for the verdict even");
        }
    }

    private static WithinRegression planted(ContentFixedFit fit, List<ScoresByPlace> rows, double loss) {
        double[] factors = new double[rows.getFirst().scores().length];
        Arrays.fill(factors, 1);
        for (int step = 0; step < STEPS; step++) {
            double[] means = means(fit, rows, factors);
            double mean = Arrays.stream(means).average().orElseThrow();
            if (Arrays.stream(means).anyMatch(own -> own <= 0)) {
                throw new UsageException("--pilot: the mean at a place is 0, so that no loss can be planted");
            }
            double largest = 0;
            for (int place = 0; place < factors.length; place++) {
                factors[place] *= mean / means[place];
                largest = Math.max(largest, Math.abs(mean / means[place] - 1));
            }
            if (largest < LEVEL) {
                break;
            }
        }
        double factor = backFactor(means(fit, rows, factors), means(fit, rows, scaled(factors, 0)), loss);
        WithinRegression planted = fit.regression(rows, row -> scores(row, scaled(factors, factor)));
        refuseConstant(planted);
        return planted;
    }

    /** Means are linear in the factor of the back: those at 1 and at 0 give the factor with the loss. */
    private static double backFactor(double[] one, double[] zero, double loss) {
        double front = PositionLoss.EndLoss.mean(zero, true);
        double back = PositionLoss.EndLoss.mean(zero, false);
        double moreFront = PositionLoss.EndLoss.mean(one, true) - front;
        double moreBack = PositionLoss.EndLoss.mean(one, false) - back;
        return ((1 - loss) * front - back) / (moreBack - (1 - loss) * moreFront);
    }

    /** Rounding and rare ties move a few scores of a model that sees no positions. */
    private static void refuseConstant(WithinRegression planted) {
        Estimate found = PositionLoss.EndLoss.of(ContentFixedFit.means(planted), Settings.USUAL.confidence())
                .loss();
        if (found == null || found.interval().high() - found.interval().low() < CONSTANT) {
            throw new UsageException("--pilot: the scores do not vary with the place, as those of a model that counts "
                    + "words: give a result of a model whose scores do");
        }
    }

    private static double[] scaled(double[] factors, double factor) {
        double[] scaled = factors.clone();
        for (int place = factors.length - ContentFixed.ends(factors.length); place < factors.length; place++) {
            scaled[place] *= factor;
        }
        return scaled;
    }

    private static double[] scores(ScoresByPlace row, double[] factors) {
        double[] scores = row.scores().clone();
        for (int place = 0; place < scores.length; place++) {
            scores[place] *= factors[place];
        }
        return scores;
    }

    private static double[] means(ContentFixedFit fit, List<ScoresByPlace> rows, double[] factors) {
        return ContentFixedFit.means(fit.regression(rows, row -> scores(row, factors)))
                .values();
    }

    @Override
    public Clusters clusters() {
        return clusters;
    }

    @Override
    public int least() {
        return second == null ? Clusters.FEW : 2;
    }

    @Override
    public String test() {
        return second == null
                ? "verdict " + (wanted() == TestOutcome.EVEN ? Verdict.EVEN : Verdict.POSITION)
                        + " of diagnose position"
                : "difference of losses of compare";
    }

    private TestOutcome wanted() {
        return Math.abs(loss) < settings.equivalence()
                ? TestOutcome.EVEN
                : loss > 0 ? TestOutcome.PRIMACY : TestOutcome.RECENCY;
    }

    @Override
    public boolean finds(int[] drawn, SplittableRandom random) {
        Estimate found = found(drawn);
        if (found == null) {
            return false;
        }
        if (second != null) {
            return found.pValue() < 1 - settings.confidence() && found.value() * loss > 0;
        }
        int[] sizes = Arrays.stream(drawn).map(cluster -> first.groups(cluster)).toArray();
        return !Clusters.ofSizes(sizes).areFew()
                && TestOutcome.ofLoss(found, found, settings.equivalence(), settings.confidence()) == wanted();
    }

    /**
     * The loss in a sample, or its difference, as the test sees it; null if a mean is 0.
     *
     * @param drawn numbers of clusters; one that is drawn twice counts as two
     */
    public @Nullable Estimate found(int[] drawn) {
        return change(first.at(drawn), second == null ? null : second.at(drawn));
    }

    private @Nullable Estimate change(WithinRegression one, @Nullable WithinRegression other) {
        ClusterRobustEstimates means = ContentFixedFit.means(one);
        if (other == null) {
            return PositionLoss.EndLoss.of(means, settings.confidence()).loss();
        }
        PositionLoss.Change change = PositionLoss.Change.of(means, ContentFixedFit.means(other), settings.confidence());
        return change == null ? null : change.difference();
    }
}
