package io.posbias.base.stats;

import java.util.Arrays;

/**
 * Least squares with a fixed effect for each group of rows, for example a query at several places. Columns that
 * earlier columns determine are dropped, with a coefficient of 0. Covariance by {@link ClusterRobustEstimates}.
 */
public final class WithinRegression {
    /** A column with a smaller undetermined share is dropped. */
    private static final double DETERMINED = 1e-9;

    private final int columns;
    /** Per cluster: products of columns with each other and with y, number of groups, and the sum of their mean y. */
    private final double[][] sums;

    private final double[] total;
    private final boolean[] known;
    private final double[] coefficients;

    /**
     * Fits groups of rows.
     *
     * @param x {@code [group][row][column]}; a group may have no rows
     * @param y {@code [group][row]}
     * @param clusters of the groups
     */
    public WithinRegression(double[][][] x, double[][] y, Clusters clusters) {
        this(columns(x), sums(x, y, clusters));
    }

    private static int columns(double[][][] x) {
        return Arrays.stream(x).flatMap(Arrays::stream).findFirst().orElseThrow().length;
    }

    private WithinRegression(int columns, double[][] sums) {
        this.columns = columns;
        this.sums = sums;
        this.total = new double[sums[0].length];
        for (double[] own : sums) {
            for (int i = 0; i < total.length; i++) {
                total[i] += own[i];
            }
        }
        this.known = new boolean[columns];
        this.coefficients = solve(total, known);
    }

    private static double[][] sums(double[][][] x, double[][] y, Clusters clusters) {
        int columns = columns(x);
        double[][] sums = new double[clusters.count()][columns * columns + columns + 2];
        for (int group = 0; group < x.length; group++) {
            if (x[group].length > 0) {
                add(columns, sums[clusters.of()[group]], x[group], y[group]);
            }
        }
        return sums;
    }

    private static void add(int columns, double[] into, double[][] x, double[] y) {
        double[] mean = mean(x);
        double meanY = Arrays.stream(y).average().orElseThrow();
        for (int row = 0; row < x.length; row++) {
            for (int i = 0; i < columns; i++) {
                double deviation = x[row][i] - mean[i];
                for (int j = 0; j < columns; j++) {
                    into[i * columns + j] += deviation * (x[row][j] - mean[j]);
                }
                into[columns * columns + i] += deviation * (y[row] - meanY);
            }
        }
        into[into.length - 2]++;
        into[into.length - 1] += meanY;
    }

    /** Returns the mean of each column over the rows of a group. */
    public static double[] mean(double[][] x) {
        double[] mean = new double[x[0].length];
        for (double[] row : x) {
            for (int column = 0; column < mean.length; column++) {
                mean[column] += row[column] / x.length;
            }
        }
        return mean;
    }

    /** Sufficient statistics per cluster, for {@link Bootstrap#overClusters}. */
    public double[][] sums() {
        return sums;
    }

    /**
     * The fit of drawn clusters.
     *
     * @param drawn numbers of clusters; one that is drawn twice counts as two
     */
    public WithinRegression at(int[] drawn) {
        return new WithinRegression(
                columns, Arrays.stream(drawn).mapToObj(cluster -> sums[cluster]).toArray(double[][]::new));
    }

    public int groups(int cluster) {
        return (int) sums[cluster][sums[cluster].length - 2];
    }

    public double[] coefficients() {
        return coefficients.clone();
    }

    /** Coefficients of a bootstrap draw. */
    public double[] coefficients(double[] drawn) {
        return solve(drawn, new boolean[columns]);
    }

    /** Mean of y over groups. */
    public double mean() {
        return mean(total);
    }

    /** Mean of y in a bootstrap draw. */
    public double mean(double[] drawn) {
        return drawn[drawn.length - 1] / drawn[drawn.length - 2];
    }

    /** Returns true if the column was not dropped. */
    public boolean isKnown(int column) {
        return known[column];
    }

    /** The coefficients, then the mean of y, with each cluster's error contributions. */
    public ClusterRobustEstimates joint() {
        double[] values = Arrays.copyOf(coefficients, columns + 1);
        values[columns] = mean();
        double[][] parts = Arrays.stream(sums).map(this::part).toArray(double[][]::new);
        int[][] groups = Arrays.stream(sums).map(this::groups).toArray(int[][]::new);
        return new ClusterRobustEstimates(values, parts, groups);
    }

    /** All groups of a cluster are behind each coefficient. */
    private int[] groups(double[] own) {
        int[] groups = new int[columns + 1];
        Arrays.fill(groups, (int) own[own.length - 2]);
        return groups;
    }

    /** A cluster's error contributions to coefficients and mean. */
    private double[] part(double[] own) {
        double[] system = total.clone();
        for (int i = 0; i < columns; i++) {
            double score = own[columns * columns + i];
            for (int j = 0; j < columns; j++) {
                score -= own[i * columns + j] * coefficients[j];
            }
            system[columns * columns + i] = score;
        }
        double[] part = Arrays.copyOf(solve(system, new boolean[columns]), columns + 1);
        part[columns] = (own[own.length - 1] - own[own.length - 2] * mean()) / total[total.length - 2];
        return part;
    }

    /**
     * A weighted sum of coefficients. With a = M^-1 c for weights c, a cluster contributes a's_g to its error, divided by the
     * root of 1 - h_g, its leverage on this sum: h_g = a'M_g M^-1 M_g a / v_g with v_g = a'M_g a (CR2 of one contrast, Bell and
     * McCaffrey 2002). A cluster that alone determines the sum has no measurable error and contributes 0.
     *
     * @param weights of the coefficients; those of dropped columns are ignored
     */
    public LinearEstimate sum(double[] weights) {
        double[] direction = solved(weights);
        double[] parts = new double[sums.length];
        double[] variances = new double[sums.length];
        for (int cluster = 0; cluster < sums.length; cluster++) {
            double[] own = sums[cluster];
            double[] loaded = new double[columns];
            for (int i = 0; i < columns; i++) {
                double score = own[columns * columns + i];
                for (int j = 0; j < columns; j++) {
                    score -= own[i * columns + j] * coefficients[j];
                    loaded[i] += own[i * columns + j] * direction[j];
                }
                parts[cluster] += direction[i] * score;
            }
            variances[cluster] = product(direction, loaded);
            double free = variances[cluster] == 0 ? 1 : 1 - product(loaded, solved(loaded)) / variances[cluster];
            parts[cluster] = free < DETERMINED ? 0 : parts[cluster] / Math.sqrt(free);
        }
        return new LinearEstimate(product(direction, right(total)), parts, variances, direction);
    }

    /** M^-1 times a vector. */
    private double[] solved(double[] right) {
        double[] system = total.clone();
        System.arraycopy(right, 0, system, columns * columns, columns);
        return solve(system, new boolean[columns]);
    }

    private double[] right(double[] system) {
        return Arrays.copyOfRange(system, columns * columns, columns * columns + columns);
    }

    private static double product(double[] first, double[] second) {
        double sum = 0;
        for (int i = 0; i < first.length; i++) {
            sum += first[i] * second[i];
        }
        return sum;
    }

    /** Gauss-Jordan elimination. */
    private double[] solve(double[] system, boolean[] used) {
        double[][] rows = new double[columns][columns + 1];
        for (int i = 0; i < columns; i++) {
            System.arraycopy(system, i * columns, rows[i], 0, columns);
            rows[i][columns] = system[columns * columns + i];
        }
        for (int pivot = 0; pivot < columns; pivot++) {
            used[pivot] = rows[pivot][pivot] > DETERMINED * system[pivot * columns + pivot];
            if (used[pivot]) {
                eliminate(rows, pivot);
            }
        }
        double[] solution = new double[columns];
        for (int i = 0; i < columns; i++) {
            solution[i] = used[i] ? rows[i][columns] : 0;
        }
        return solution;
    }

    private void eliminate(double[][] rows, int pivot) {
        double[] own = rows[pivot];
        double scale = own[pivot];
        for (int j = 0; j <= columns; j++) {
            own[j] /= scale;
        }
        for (int i = 0; i < columns; i++) {
            double factor = rows[i][pivot];
            if (i != pivot && factor != 0) {
                for (int j = 0; j <= columns; j++) {
                    rows[i][j] -= factor * own[j];
                }
            }
        }
    }
}
