package io.posbias.report;

import io.posbias.measure.BucketMean;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.math.BigDecimal;
import java.util.List;
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

    /** Whether a bucket's mean is printed with a mark. */
    static boolean isMarked(BucketMean bucket) {
        return bucket.thin() && bucket.mean() != null;
    }

    /** A fraction with three decimals. */
    static String fraction(@Nullable Double fraction) {
        return fraction == null ? NONE : String.format(Locale.ROOT, "%.3f", fraction);
    }

    /** A difference of fractions as points with its sign. */
    static String signedPoints(@Nullable Double fraction) {
        return fraction == null ? NONE : String.format(Locale.ROOT, "%+.2f", 100 * fraction);
    }

    /** A difference of fractions with its sign. */
    static String signedFraction(@Nullable Double fraction) {
        return fraction == null ? NONE : String.format(Locale.ROOT, "%+.3f", fraction);
    }

    /** An interval of fractions as points with one decimal. */
    static String points(Interval interval) {
        return String.format(Locale.ROOT, "[%.1f, %.1f]", 100 * interval.low(), 100 * interval.high());
    }

    /** An interval of fractions. */
    static String fraction(Interval interval) {
        return String.format(Locale.ROOT, "[%.3f, %.3f]", interval.low(), interval.high());
    }

    /** A difference, its interval and its p-value, in points; {@link #NONE} where there is none. */
    static List<String> difference(@Nullable Estimate estimate) {
        return estimate == null
                ? List.of(NONE, NONE, NONE)
                : List.of(signedPoints(estimate.value()), signedPoints(estimate.interval()), pValue(estimate.pValue()));
    }

    /** Both ends of an interval as {@link #signedPoints(Double)}. */
    static String signedPoints(Interval interval) {
        return "[" + signedPoints(interval.low()) + ", " + signedPoints(interval.high()) + "]";
    }

    /** Both ends of an interval as {@link #signedFraction(Double)}. */
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
