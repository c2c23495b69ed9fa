package io.posbias.base.table;

import io.posbias.base.stats.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Formats of numbers: measures in points (times 100), PSI as a fraction, as the papers print them. */
public enum NumberFormat {
    /** A fraction as points. */
    POINTS(100, "%.1f"),
    /** A difference of fractions as points. */
    SIGNED_POINTS(100, "%+.1f"),
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
    /** A statistic in its own unit, like t or Cohen's d. */
    STATISTIC(1, "%+.2f"),
    /** The strength of a planted bias. */
    STRENGTH(1, "%.2f"),
    /** A length in tokens or words; whole numbers without decimals. */
    LENGTH(1, "%,.1f") {
        @Override
        String format(double value) {
            return value == Math.rint(value) ? "%,.0f" : super.format(value);
        }
    },
    /** A p-value, or {@code <0.001}. */
    P(1, "%.3f") {
        @Override
        public String print(@Nullable Double value, int digits) {
            return value != null && value < LEAST_P ? "<" + LEAST_P : super.print(value, digits);
        }
    };

    /** Printed for a missing number. */
    public static final String NONE = "-";
    /** Printed for a number that is untested for lack of queries. */
    public static final String TOO_FEW = "too few";
    /** Marks the mean of a thin bucket. */
    public static final String THIN = "†";
    /** Marks a verdict with the content held fixed. */
    public static final String FIXED = "‡";

    private static final double LEAST_P = 0.001;
    private static final int DIGITS = 4;
    private static final int LEVEL_DIGITS = 3;
    private static final Pattern SIGNED_ZERO = Pattern.compile("[-+]0(?:\\.0+)?%?");

    private final double scale;
    private final String format;

    NumberFormat(double scale, String format) {
        this.scale = scale;
        this.format = format;
    }

    /** The format of differences. */
    public NumberFormat signed() {
        return valueOf("SIGNED_" + name());
    }

    String format(double value) {
        return format;
    }

    private String text(double value, int digits) {
        String pattern = switch (this) {
            case POINTS, SIGNED_POINTS, PERCENT, SIGNED_PERCENT -> format.replace(".1", "." + digits);
            case FRACTION, SIGNED_FRACTION -> format.replace(".3", "." + Math.max(3, digits + 1));
            default -> format(value);
        };
        String text = String.format(Locale.ROOT, pattern, scale * value);
        return SIGNED_ZERO.matcher(text).matches() ? text.substring(1) : text;
    }

    /** Formats a number; {@link #NONE} for null. */
    public String print(@Nullable Double value) {
        return print(value, Detail.USUAL.digits());
    }

    /** Formats a number with the decimals of {@link Detail#digits}; {@link #NONE} for null. */
    public String print(@Nullable Double value, int digits) {
        return value == null ? NONE : text(value, digits);
    }

    /** Formats an interval; {@link #NONE} for null. */
    public String print(@Nullable Interval interval) {
        return print(interval, Detail.USUAL.digits());
    }

    /** Formats an interval with the decimals of {@link Detail#digits}; {@link #NONE} for null. */
    public String print(@Nullable Interval interval, int digits) {
        return interval == null
                ? NONE
                : "[" + text(interval.low(), digits) + ", " + text(interval.high(), digits) + "]";
    }

    /** Prints the level of tests, 1 - confidence, without binary fractions. */
    public static String level(double confidence) {
        return plain(BigDecimal.valueOf(1 - confidence), LEVEL_DIGITS);
    }

    /** Formats a number for a sentence: at most four significant digits, as many as needed. */
    public static String significant(double number) {
        return Double.isFinite(number) ? plain(new BigDecimal(number), DIGITS) : String.valueOf(number);
    }

    private static String plain(BigDecimal number, int digits) {
        return number.round(new MathContext(digits)).stripTrailingZeros().toPlainString();
    }

    /** Formats a confidence: 95%. */
    public static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
