package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.posbias.stats.Clusters;
import io.posbias.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a profile says of positions, in one word. Queries at other positions ask for other content, so it names no bias of a
 * model: {@link Bias} does.
 *
 * <p>With a = 1 - confidence it is {@code differ} when PSI's test rejects at a, or the slope's at a / {@value #SLOPE_PART};
 * {@code none} when neither p is below a and PSI's noise floor is at most {@value #SEEN}, because a real PSI of that size
 * would have been seen; else {@code undecided}. PSI's interval is above 0 exactly where its test rejects at a, and at 0.95
 * that is exactly where PSI is above its noise floor, so value, interval, p and verdict say the same. PSI of many buckets hardly sees a straight
 * line, which the slope does; its small part of the level leaves the error of both together at about a (unequal
 * allocation, Moy&eacute; 2000). Of {@linkplain Clusters#areFew too few} units there is no verdict.
 */
public enum Verdict {
    /** Results of earlier versions name directions, which this test cannot. */
    @JsonAlias({"primacy", "recency", "middle", "edges", "uneven"})
    DIFFER,
    NONE,
    UNDECIDED,
    TOO_FEW;

    /** The PSI that must be seen for its absence to count. */
    public static final double SEEN = 0.1;

    private static final int SLOPE_PART = 10;

    /**
     * The verdict of a profile.
     *
     * @param psi of the profile's buckets, with its noise
     * @param slope of the score on the position
     * @param clusters of the queries in a bucket
     * @param confidence of PSI's interval
     * @return null when no draws were made
     */
    static @Nullable Verdict of(Psi psi, Estimate slope, Clusters clusters, double confidence) {
        if (psi.undefined() != null) {
            return UNDECIDED;
        }
        Double p = psi.pValue();
        Double noise = psi.noise95();
        if (p == null || noise == null) {
            return null;
        }
        if (clusters.areFew()) {
            return TOO_FEW;
        }
        double level = 1 - confidence;
        if (p < level || slope.pValue() < level / SLOPE_PART) {
            return DIFFER;
        }
        return slope.pValue() >= level && noise <= SEEN ? NONE : UNDECIDED;
    }

    /** What it says, with its thresholds, for people. */
    public String meaning(double confidence) {
        String level = print(1 - confidence);
        String slopeLevel = print((1 - confidence) / SLOPE_PART);
        return switch (this) {
            case DIFFER ->
                "positions differ (p of PSI below " + level + ", or of the slope below " + slopeLevel
                        + "); whether by position or by content is unknown (eval --content-fixed tells)";
            case NONE ->
                "no difference between positions beyond noise (p of PSI and of the slope at least " + level
                        + ", noise95 at most " + print(SEEN) + ")";
            case UNDECIDED ->
                "too few queries to tell (p of PSI at least " + level + ", and noise95 above " + print(SEEN)
                        + " or p of the slope from " + slopeLevel + " to " + level + ")";
            case TOO_FEW -> "no verdict: queries of too few units";
        };
    }

    /** A level or threshold without the digits that binary fractions add. */
    static String print(double number) {
        String plain = BigDecimal.valueOf(number)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
        return plain.matches("0\\.\\d") ? plain + "0" : plain;
    }

    /** The word. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
