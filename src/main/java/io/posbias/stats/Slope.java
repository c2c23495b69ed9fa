package io.posbias.stats;

/** The slope of a straight line through points, by least squares. */
public final class Slope {
    private static final int LEAST = 3;

    private Slope() {}

    /**
     * The slope of y on x. Its standard error allows for a spread of y that depends on x (HC3, MacKinnon and White 1985):
     * scores near 1 spread less than others. Interval and p-value by the t distribution with n - 2 degrees of freedom;
     * null hypothesis: the slope is 0.
     *
     * @throws IllegalArgumentException if the arrays differ in length, hold fewer than three points, or all x are equal
     */
    public static Estimate of(double[] x, double[] y, double confidence) {
        int n = x.length;
        if (n != y.length || n < LEAST) {
            throw new IllegalArgumentException("at least three points are needed: " + n + ", " + y.length);
        }
        Moments xs = Moments.of(x);
        double meanY = Moments.of(y).mean();
        if (xs.squares() == 0) {
            throw new IllegalArgumentException("all x are equal");
        }
        double products = 0;
        for (int i = 0; i < n; i++) {
            products += (x[i] - xs.mean()) * (y[i] - meanY);
        }
        double slope = products / xs.squares();
        double meat = 0;
        for (int i = 0; i < n; i++) {
            double deviation = x[i] - xs.mean();
            double leverage = 1.0 / n + deviation * deviation / xs.squares();
            // A point with all the leverage is fitted exactly and leaves no residual to scale.
            double residual = leverage < 1 ? (y[i] - meanY - slope * deviation) / (1 - leverage) : 0;
            meat += deviation * deviation * residual * residual;
        }
        return Estimate.ofT(slope, Math.sqrt(meat) / xs.squares(), n - 2, confidence);
    }
}
