package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.LinearEstimate;
import io.posbias.base.stats.WithinRegression;
import io.posbias.score.measure.LossParts.Basis;
import io.posbias.score.measure.LossParts.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Splits the loss at the back into {@link LossParts} by fits of scores within questions on places and controls, as {@link
 * ContentFixedFit}: over all cells; over the cells that are read whole, at places where enough questions are; and over these
 * with a slope over places for the questions that are not read whole everywhere. The second predicts what the other cells would
 * score if they were read; what they score less, averaged over all questions, is due to not reading (the imputation estimator of
 * Borusyak, Jaravel and Spiess 2024). A coefficient of not reading would weight the cells unequally, and leave to position what
 * not reading costs at the last places (docs/statistics.md).
 */
final class LossPartsFit {
    private final List<ScoresByPlace> rows;
    private final Clusters clusters;
    private final int places;
    private final int ends;
    private final double confidence;

    /** True for places where enough questions are read whole. */
    private final boolean[] comparable;

    private LossPartsFit(List<ScoresByPlace> rows, Clusters clusters, double confidence, Least least) {
        this.rows = rows;
        this.clusters = clusters;
        this.confidence = confidence;
        places = rows.getFirst().scores().length;
        ends = ContentFixed.ends(places);
        comparable = new boolean[places];
        for (int place = 0; place < places; place++) {
            int own = place;
            Clusters read = clusters.at(rows(row -> rows.get(row).isReadAt(own)));
            comparable[place] = read.count() >= least.clusters && read.effective() >= least.effective;
        }
    }

    /** Clusters, and G*, of the questions that are read whole at a place, from which it is comparable. */
    record Least(int clusters, double effective) {
        static final Least USUAL = new Least(LossParts.CLUSTERS, LossParts.EFFECTIVE);
    }

    /** Fits the scores, with the usual thresholds. */
    static @Nullable LossParts of(List<ScoresByPlace> all, ContentFixedFit fit) {
        return of(all, fit, Least.USUAL);
    }

    /**
     * Fits the scores.
     *
     * @param fit of all cells, for its clusters and settings
     * @return null for fewer than two clusters of questions whose reading is known, and which are read whole at a place
     */
    static @Nullable LossParts of(List<ScoresByPlace> all, ContentFixedFit fit, Least least) {
        List<ScoresByPlace> known =
                all.stream().filter(ScoresByPlace::isReadKnown).toList();
        List<ScoresByPlace> rows =
                known.stream().filter(ScoresByPlace::isReadSomewhere).toList();
        if (rows.isEmpty()) {
            return null;
        }
        Clusters clusters = fit.clusters(rows);
        return clusters.count() < 2
                ? null
                : new LossPartsFit(rows, clusters, fit.settings().confidence(), least)
                        .parts(all.size() - known.size(), known.size() - rows.size());
    }

    /**
     * Compares the loss of a model with that of another system at the same places of the same questions.
     *
     * @return as shares of the model's front; null for fewer than two clusters
     */
    static @Nullable Relief relief(List<ScoresByPlace> model, List<ScoresByPlace> other, ContentFixedFit fit) {
        Map<String, double[]> others =
                other.stream().collect(Collectors.toMap(ScoresByPlace::query, ScoresByPlace::scores));
        List<ScoresByPlace> rows =
                model.stream().filter(row -> others.containsKey(row.query())).toList();
        List<ScoresByPlace> differences = rows.stream()
                .map(row -> row.minus(Objects.requireNonNull(others.get(row.query()))))
                .toList();
        Clusters clusters = fit.clusters(rows);
        if (clusters.count() < 2) {
            return null;
        }
        double confidence = fit.settings().confidence();
        LossPartsFit own = new LossPartsFit(rows, clusters, confidence, Least.USUAL);
        Cells all = own.new Cells(false, false);
        LinearEstimate loss = all.drop(own.back(place -> true), 1);
        LinearEstimate less = new LossPartsFit(differences, clusters, confidence, Least.USUAL).new Cells(false, false)
                .drop(own.back(place -> true), 1);
        double scale =
                Math.signum(loss.value()) / PositionLoss.EndLoss.mean(ContentFixedFit.means(all.fit, own.places), true);
        return new Relief(
                less.estimate(confidence).times(scale),
                less.minus(loss.times(0.5), less.variances())
                        .estimate(confidence)
                        .times(scale));
    }

    private LossParts parts(int unknown, int nowhere) {
        Cells all = new Cells(false, false);
        LinearEstimate loss = all.drop(back(place -> true), 1);
        int[] back = back(place -> comparable[place]);
        int[] behind =
                IntStream.range(ends, places).filter(place -> comparable[place]).toArray();
        boolean isFrontRead = IntStream.range(0, ends).allMatch(place -> comparable[place]);
        LinearEstimate position = null;
        LinearEstimate notReading = null;
        LinearEstimate guarded = null;
        LinearEstimate remainder = null;
        if (rows.stream().allMatch(ScoresByPlace::isReadEverywhere)) {
            position = loss;
        } else if (isFrontRead && back.length > 0) {
            double share = (double) back.length / ends;
            LinearEstimate both = all.drop(back, share);
            Cells read = new Cells(true, false);
            position = read.drop(back, share);
            notReading = all.minus(both, read, position);
            Cells guard = new Cells(true, true);
            guarded = all.minus(both, guard, guard.drop(back, share));
            remainder = back.length == ends ? null : all.drop(back(place -> !comparable[place]), 1 - share);
        } else if (isFrontRead && behind.length > 0) {
            // What is lost behind the last place that is read is both parts.
            Cells read = new Cells(true, false);
            position = read.drop(Arrays.copyOfRange(behind, Math.max(0, behind.length - ends), behind.length), 1);
            remainder = all.minus(loss, read, position);
        }
        return new LossParts(
                new Basis(
                        rows.size(),
                        unknown,
                        nowhere,
                        behind.length == 0 ? 0 : behind[behind.length - 1] + 1,
                        clusters.at(rows(row -> Arrays.stream(back)
                                        .anyMatch(place -> !rows.get(row).isReadAt(place))))
                                .count(),
                        unreadShare(back)),
                PositionLoss.EndLoss.mean(ContentFixedFit.means(all.fit, places), true),
                loss.estimate(confidence),
                part(position),
                part(notReading),
                guarded == null ? null : guarded.estimate(confidence),
                remainder == null ? null : remainder.estimate(confidence));
    }

    /** Returns the weight of cells that are not read whole in the part by not reading. */
    private double unreadShare(int[] back) {
        double front = IntStream.range(0, ends).mapToDouble(this::unread).sum() * back.length / (ends * ends);
        return Arrays.stream(back).mapToDouble(this::unread).sum() / ends - front;
    }

    private double unread(int place) {
        return (double) rows(row -> !rows.get(row).isReadAt(place)).length / rows.size();
    }

    private @Nullable Part part(@Nullable LinearEstimate estimate) {
        return estimate == null ? null : new Part(estimate.estimate(confidence), estimate.effective());
    }

    private int[] back(IntPredicate which) {
        return IntStream.range(places - ends, places).filter(which).toArray();
    }

    private int[] rows(IntPredicate which) {
        return IntStream.range(0, rows.size()).filter(which).toArray();
    }

    /** Scores of the questions at some places, fitted. */
    private final class Cells {
        /** Places of each question. */
        private final int[][] in;

        private final double[][][] columns;
        private final WithinRegression fit;
        private final double cutShare;

        /**
         * @param onlyRead true for cells that are read whole at comparable places, false for all
         * @param isGuarded true for a slope of the questions that are not read whole everywhere
         */
        Cells(boolean onlyRead, boolean isGuarded) {
            in = new int[rows.size()][];
            columns = new double[rows.size()][][];
            double[][] scores = new double[rows.size()][];
            for (int row = 0; row < in.length; row++) {
                ScoresByPlace own = rows.get(row);
                boolean isSloped = isGuarded && !own.isReadEverywhere();
                double[][] all = ContentFixedFit.columns(own);
                in[row] = IntStream.range(0, places)
                        .filter(place -> !onlyRead || (own.isReadAt(place) && comparable[place]))
                        .toArray();
                columns[row] = Arrays.stream(in[row])
                        .mapToObj(place -> with(all[place], isSloped ? slope(place) : 0))
                        .toArray(double[][]::new);
                scores[row] = Arrays.stream(in[row])
                        .mapToDouble(place -> own.scores()[place])
                        .toArray();
            }
            fit = new WithinRegression(columns, scores, clusters);
            cutShare = (double) rows(row -> !rows.get(row).isReadEverywhere()).length / rows.size();
        }

        private double slope(int place) {
            return place / (places - 1.0);
        }

        private static double[] with(double[] columns, double last) {
            double[] longer = Arrays.copyOf(columns, columns.length + 1);
            longer[columns.length] = last;
            return longer;
        }

        /** Returns the front minus places behind it, times a share; with a slope, averaged over all questions. */
        LinearEstimate drop(int[] behind, double share) {
            double[] weights = new double[places + 2];
            for (int place = 0; place < ends; place++) {
                add(weights, place, share / ends);
            }
            for (int place : behind) {
                add(weights, place, -share / behind.length);
            }
            return fit.sum(weights);
        }

        /** The columns are those of places but the first, two controls, and the slope. */
        private void add(double[] weights, int place, double weight) {
            if (place > 0) {
                weights[place - 1] += weight;
            }
            weights[places + 1] += cutShare * weight * slope(place);
        }

        /** Subtracts a sum of other cells; its G* is that of the differences of the cells' weights. */
        LinearEstimate minus(LinearEstimate sum, Cells other, LinearEstimate otherSum) {
            double[] variances = new double[clusters.count()];
            for (int row = 0; row < in.length; row++) {
                double[] one = weights(row, sum);
                double[] two = other.weights(row, otherSum);
                for (int place = 0; place < places; place++) {
                    variances[clusters.of()[row]] += (one[place] - two[place]) * (one[place] - two[place]);
                }
            }
            return sum.minus(otherSum, variances);
        }

        /** Returns the weights of a question's scores in a sum; 0 for places that are not among the cells. */
        private double[] weights(int row, LinearEstimate sum) {
            double[] weights = new double[places];
            if (in[row].length > 0) {
                double[] mean = WithinRegression.mean(columns[row]);
                for (int i = 0; i < in[row].length; i++) {
                    for (int column = 0; column < mean.length; column++) {
                        weights[in[row][i]] += sum.direction()[column] * (columns[row][i][column] - mean[column]);
                    }
                }
            }
            return weights;
        }
    }
}
