package io.posbias.score.plan;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Simulation;
import io.posbias.score.measure.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Finds the smallest sample with which a test finds a planted effect with a wanted probability. Samples are clusters of the
 * pilot, drawn with replacement (Efron and Tibshirani 1993, chapter 25: power by the bootstrap). Sizes are doubled until the
 * power is reached; between the last two, shares of simulations are fitted by a line of their probit against the root of the
 * size, as power is Phi(effect sqrt(size) / spread - z).
 *
 * @param power wanted, between 0.5 and 1
 * @param simulations of a size
 */
public record Planner(double power, int simulations, long seed, int threads) {
    /** Largest size, as a multiple of the pilot's. */
    public static final int MOST = 50;

    private static final double SMALLEST = 0.05;
    private static final int ROUGH = 200;
    private static final int STEPS = 5;
    private static final double MARGIN = 1.25;
    private static final double NEAR = 1.2;
    private static final double ROUNDING = 1e-9;
    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

    /**
     * Power at a size.
     *
     * @param power share of simulations in which the test finds the effect
     * @param error its standard error
     * @param runs simulations
     */
    public record Size(int clusters, int queries, double power, double error, int runs) {}

    /**
     * A plan.
     *
     * @param pilot at the size of the pilot
     * @param needed smallest size with the power; null if {@value Planner#MOST} times the pilot is too small
     * @param neededError standard error of its number of queries, by simulation alone; null without
     * @param least true if the needed size is the smallest that was simulated
     * @param simulated all sizes, ascending
     */
    public record Sizes(
            Size pilot, @Nullable Size needed, @Nullable Double neededError, boolean least, List<Size> simulated) {
        public Sizes {
            simulated = List.copyOf(simulated);
        }
    }

    public Sizes plan(Trial trial) {
        Clusters clusters = trial.clusters();
        int pilot = clusters.count();
        Size own = size(trial, pilot, simulations);
        int least = Math.min(pilot * MOST, Math.max(trial.least(), (int) Math.ceil(SMALLEST * pilot)));
        int before = least;
        int now = least;
        while (size(trial, now, Math.min(ROUGH, simulations)).power() < power) {
            if (now == pilot * MOST) {
                return new Sizes(own, null, null, false, List.of(own, size(trial, now, simulations)));
            }
            before = now;
            now = Math.min(pilot * MOST, 2 * now);
        }
        if (now == least) {
            Size smallest = size(trial, least, simulations);
            return new Sizes(own, smallest, null, true, sorted(own, smallest, List.of()));
        }
        double low = Math.max(least, before / MARGIN);
        double high = Math.min((double) pilot * MOST, now * MARGIN);
        double rough = root(Line.of(simulated(trial, low, high, Math.min(ROUGH, simulations))));
        double near = Math.clamp(rough * rough, low, high);
        low = Math.max(least, near / NEAR);
        high = Math.min((double) pilot * MOST, near * NEAR);
        List<Size> simulated = simulated(trial, low, high, simulations);
        Line line = Line.of(simulated);
        double root = root(line);
        Size needed = size(trial, (int) Math.ceil(Math.clamp(root * root, low, high) - ROUNDING), simulations);
        double perCluster = (double) clusters.of().length / pilot;
        Double error = line.slope() > 0 ? (Double) (2 * root * line.rootError(root) * perCluster) : null;
        return new Sizes(own, needed, error, false, sorted(own, needed, simulated));
    }

    /** Root of the size at which the line has the power. */
    private double root(Line line) {
        double probit = NORMAL.inverseCumulativeProbability(power);
        return line.slope() > 0 ? Math.max(0, (probit - line.intercept()) / line.slope()) : Double.MAX_VALUE;
    }

    private List<Size> simulated(Trial trial, double low, double high, int runs) {
        List<Size> sizes = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            double at = low * Math.pow(high / low, (double) step / (STEPS - 1));
            sizes.add(size(trial, (int) Math.round(at), runs));
        }
        return sizes;
    }

    private static List<Size> sorted(Size own, Size needed, List<Size> others) {
        List<Size> all = new ArrayList<>(others);
        all.add(own);
        all.add(needed);
        return all.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Size::clusters))
                .toList();
    }

    /** Sizes have generators of their own: the error of the line counts them as independent. */
    private Size size(Trial trial, int size, int runs) {
        int clusters = trial.clusters().count();
        long found = Simulation.count(
                runs, seed + size, threads, random -> trial.finds(Simulation.draw(size, clusters, random), random));
        double share = (double) found / runs;
        // Of Agresti and Coull's estimate: a share of 1 has an error, too.
        double near = (found + 2) / (runs + 4.0);
        return new Size(
                size,
                (int) Math.round((double) size * trial.clusters().of().length / clusters),
                share,
                Math.sqrt(near * (1 - near) / (runs + 4)),
                runs);
    }

    /** Weighted least squares of probits against the root of the size (Finney 1971). */
    private record Line(double intercept, double slope, double varIntercept, double covariance, double varSlope) {
        static Line of(List<Size> sizes) {
            double weight = 0;
            double x = 0;
            double y = 0;
            double xx = 0;
            double xy = 0;
            for (Size size : sizes) {
                int runs = size.runs();
                double share = (size.power() * runs + 0.5) / (runs + 1);
                double probit = NORMAL.inverseCumulativeProbability(share);
                double density = NORMAL.density(probit);
                double own = runs * density * density / (share * (1 - share));
                double root = Math.sqrt(size.clusters());
                weight += own;
                x += own * root;
                y += own * probit;
                xx += own * root * root;
                xy += own * root * probit;
            }
            double determinant = weight * xx - x * x;
            double slope = (weight * xy - x * y) / determinant;
            return new Line((y - slope * x) / weight, slope, xx / determinant, -x / determinant, weight / determinant);
        }

        double rootError(double root) {
            return Math.sqrt(varIntercept + 2 * root * covariance + root * root * varSlope) / slope;
        }
    }
}
