package io.posbias.table;

import io.posbias.stats.Interval;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the numbers of a column print. Tables print measures in points (times 100) and PSI as a fraction, as the papers do. A
 * number that rounds to 0 has no sign.
 */
public enum NumberFormat {
    /** A fraction as points. */
    POINTS(100, "%.2f", "%.1f"),
    /** A difference of fractions as points. */
    SIGNED_POINTS(100, "%+.2f"),
    /** A difference of shares in points, as the language models' table has it. */
    SIGNED_TENTHS(100, "%+.1f"),
    /** A fraction. */
    FRACTION(1, "%.3f"),
    /** A difference of fractions, a correlation. */
    SIGNED_FRACTION(1, "%+.3f"),
    /** A share in percent. */
    PERCENT(100, "%.1f%%"),
    /** A difference of shares in percent. */
    SIGNED_PERCENT(100, "%+.1f%%"),
    /** A score or a cosine. */
    SCORE(1, "%.4f"),
    /** A difference of cosines. */
    SIGNED_SCORE(1, "%+.4f"),
    /** A difference of scores of any model: cosines lie in hundredths, dot products in tens. */
    ANY_SCORE(1, "%+.4f") {
        @Override
        String format(double value) {
            return Math.abs(value) < 1 ? super.format(value) : "%+.2f";
        }
    },
    /** A difference of scores times 1000, as in Table 4 of the paper on training distributions. */
    THOUSANDTHS(1000, "%+.1f"),
    /** A statistic in its own unit, such as t or Cohen's d. */
    STATISTIC(1, "%+.2f"),
    /** The strength of a planted bias. */
    STRENGTH(1, "%.2f"),
    /** A length in tokens or words; whole numbers as they are. */
    LENGTH(1, "%,.1f") {
        @Override
        String format(double value) {
            return value == Math.rint(value) ? "%,.0f" : super.format(value);
        }
    },
    /** A p-value, or that it is smaller. */
    P(1, "%.3f") {
        @Override
        public String print(@Nullable Double value) {
            return value != null && value < LEAST_P ? "<" + LEAST_P : super.print(value);
        }
    };

    /** Is printed where there is no number. */
    public static final String NONE = "-";

    /** Is printed for a number that too few queries leave untested. */
    public static final String TOO_FEW = "too few";

    /** Marks the mean of a thin bucket. */
    public static final String THIN = "†";

    private static final double LEAST_P = 0.001;

    private static final Pattern SIGNED_ZERO = Pattern.compile("[-+]0(?:\\.0+)?%?");

    private final double scale;
    private final String format;
    private final String ends;

    NumberFormat(double scale, String format) {
        this(scale, format, format);
    }

    /** @param ends format of the ends of an interval */
    NumberFormat(double scale, String format, String ends) {
        this.scale = scale;
        this.format = format;
        this.ends = ends;
    }

    /** What numbers are where they are written in full precision: in CSV. */
    String written() {
        return switch (this) {
            case POINTS, SIGNED_POINTS, SIGNED_TENTHS, FRACTION, SIGNED_FRACTION, PERCENT, SIGNED_PERCENT -> "fraction";
            case SCORE, SIGNED_SCORE, ANY_SCORE, THOUSANDTHS -> "score";
            case STATISTIC, STRENGTH, LENGTH -> "number";
            case P -> "p-value";
        };
    }

    /** The format of a number. */
    String format(double value) {
        return format;
    }

    private String text(String pattern, double value) {
        String text = String.format(Locale.ROOT, pattern, scale * value);
        return SIGNED_ZERO.matcher(text).matches() ? text.substring(1) : text;
    }

    /** A number; {@link #NONE} for none. */
    public String print(@Nullable Double value) {
        return value == null ? NONE : text(format(value), value);
    }

    /** Both ends of an interval; {@link #NONE} for none. */
    public String print(@Nullable Interval interval) {
        return interval == null ? NONE : "[" + end(interval.low()) + ", " + end(interval.high()) + "]";
    }

    private String end(double value) {
        return text(this == ANY_SCORE ? format(value) : ends, value);
    }

    /** A confidence as people say it: 95%. */
    public static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
