package io.posbias.report;

import io.posbias.measure.BucketMean;
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

    /** A p-value with three decimals, or that it is smaller. */
    static String pValue(@Nullable Double p) {
        return p != null && p < 0.001 ? "<0.001" : fraction(p);
    }
}
