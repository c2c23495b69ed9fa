package io.posbias.report;

import io.posbias.measure.BucketMean;
import io.posbias.stats.Interval;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as tables print them: measures in points (times 100), PSI as a fraction, as the papers do. */
final class Numbers {
    /** Stands where there is no number. */
    static final String NONE = "-";

    /** Marks the mean of a thin bucket. */
    static final String THIN = "†";

    private Numbers() {}

    /** A fraction as points with two decimals. */
    static String points(@Nullable Double fraction) {
        return fraction == null ? NONE : String.format(Locale.ROOT, "%.2f", 100 * fraction);
    }

    /** The mean of a bucket as points, marked when the bucket is thin. */
    static String points(BucketMean bucket) {
        return points(bucket.mean()) + (isMarked(bucket) ? THIN : "");
    }

    /** Whether a bucket's mean is printed with a mark. */
    static boolean isMarked(BucketMean bucket) {
        return bucket.thin() && bucket.mean() != null;
    }

    /** A fraction with three decimals. */
    static String fraction(@Nullable Double fraction) {
        return fraction == null ? NONE : String.format(Locale.ROOT, "%.3f", fraction);
    }

    /** A difference of fractions as points with two decimals and its sign. */
    static String signedPoints(double fraction) {
        return String.format(Locale.ROOT, "%+.2f", 100 * fraction);
    }

    /** Both ends of an interval as {@link #signedPoints(double)}. */
    static String signedPoints(Interval interval) {
        return "[" + signedPoints(interval.low()) + ", " + signedPoints(interval.high()) + "]";
    }

    /** A difference of fractions with three decimals and its sign. */
    static String signedFraction(double fraction) {
        return String.format(Locale.ROOT, "%+.3f", fraction);
    }

    /** Both ends of an interval as {@link #signedFraction(double)}. */
    static String signedFraction(Interval interval) {
        return "[" + signedFraction(interval.low()) + ", " + signedFraction(interval.high()) + "]";
    }

    /** A confidence as people say it: 95%. */
    static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }

    /** A p-value with three decimals, or that it is smaller. */
    static String pValue(@Nullable Double p) {
        return p != null && p < 0.001 ? "<0.001" : fraction(p);
    }
}
