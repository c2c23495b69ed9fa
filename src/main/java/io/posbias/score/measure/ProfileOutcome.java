package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of the tests on the positions of a profile. Queries at different positions differ in content, so it does not name a bias of the
 * model; {@link Bias} does.
 *
 * <p>With a = 1 - confidence it is {@code differ} if PSI's test rejects at a, or the slope's at a / {@value #SLOPE_PART};
 * {@code none} if neither p is below a and PSI's noise floor is at most {@value #SEEN}; otherwise {@code undecided}. PSI's interval is above 0 exactly if its test rejects at a, and at 0.95 exactly
 * if PSI is above its noise floor. PSI of many buckets has little power against a straight line, which the slope detects; its
 * small part of the level keeps the overall error at about a (unequal allocation, Moy&eacute; 2000). With {@linkplain
 * Clusters#areFew too few} clusters verdicts are withheld.
 */
public enum ProfileOutcome {
    /** Results of earlier versions name directions, which this test cannot. */
    @JsonAlias({"primacy", "recency", "middle", "edges", "uneven"})
    DIFFER,
    NONE,
    UNDECIDED,
    TOO_FEW;

    /** Largest noise floor of PSI for {@code none}. */
    public static final double SEEN = 0.1;

    static final int SLOPE_PART = 10;

    /**
     * The verdict of a profile.
     *
     * @param clusters of the queries in a bucket
     * @return null without draws
     */
    static @Nullable ProfileOutcome of(Psi psi, Estimate slope, Clusters clusters, double confidence) {
        if (psi.undefined() != null) {
            return clusters.areFew() ? TOO_FEW : UNDECIDED;
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

    /** Explains the verdict with its thresholds. */
    public String meaning(double confidence) {
        String level = print(1 - confidence);
        String slopeLevel = print((1 - confidence) / SLOPE_PART);
        return switch (this) {
            case DIFFER ->
                "positions differ (p of PSI below " + level + ", or of the slope below " + slopeLevel
                        + "); by position or by content: run eval --content-fixed";
            case NONE ->
                "no difference between positions beyond noise (p of PSI and of the slope at least " + level
                        + ", noise95 at most " + print(SEEN) + ")";
            case UNDECIDED ->
                "more queries are needed, posbias plan says how many (p of PSI at least " + level
                        + ", and noise95 above " + print(SEEN) + " or p of the slope from " + slopeLevel + " to "
                        + level + ")";
            case TOO_FEW -> "no verdict: too few clusters, posbias plan says how many are needed";
        };
    }

    /** Formats a level without binary fractions. */
    static String print(double number) {
        String plain = BigDecimal.valueOf(number)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
        return plain.matches("0\\.\\d") ? plain + "0" : plain;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
