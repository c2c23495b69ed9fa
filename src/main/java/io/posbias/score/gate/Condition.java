package io.posbias.score.gate;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Interval;
import io.posbias.base.text.Printable;
import io.posbias.score.measure.Measures;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change that fails the gate, like {@code psi>+0.01} or {@code nDCG@10<-0.005}: its whole interval lies beyond the
 * threshold.
 *
 * @param measure empty for the first measure of a result
 * @param rise true to fail on a rise, not a fall
 * @param threshold largest change allowed, as a signed fraction
 */
public record Condition(String measure, Quantity quantity, boolean rise, BigDecimal threshold) {
    private static final Pattern SHAPE =
            Pattern.compile("(psi(?:\\((.+)\\))?|cpsi|loss|[^<>]+)([<>])([+-]?[0-9.]+)(%?)");

    /** Quantities that may change. */
    public enum Quantity {
        /** The query mean and the mean of each bucket. */
        MEANS,
        PSI,
        /** PSI with the content held fixed. */
        CPSI,
        /** Net loss at the back, with the content held fixed. */
        LOSS,
        /** Every mean and PSI of each measure and band of length, and every query's score: any other number fails. */
        ANY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads conditions separated by commas: {@code psi}, {@code psi(MEASURE)}, {@code cpsi}, {@code loss} or {@code
     * MEASURE}, {@code <} or {@code >}, and a fraction or percentage with its sign; or {@code any} alone.
     *
     * @throws UsageException on an invalid condition, or one that fails without any change
     */
    public static List<Condition> parseAll(String text) {
        if (text.strip().equals("any")) {
            return List.of(new Condition("", Quantity.ANY, true, BigDecimal.ZERO));
        }
        List<Condition> conditions = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            conditions.add(parse(one.strip()));
        }
        return conditions;
    }

    private static Condition parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            throw new UsageException("--fail-on " + Printable.quoted(text)
                    + ": expected a number, < or >, and a change, like psi>+0.01, loss>+2% or nDCG@10<-0.005;"
                    + " or any alone");
        }
        Quantity fixed =
                parts.group(1).equals("cpsi") ? Quantity.CPSI : parts.group(1).equals("loss") ? Quantity.LOSS : null;
        boolean psi = parts.group(1).startsWith("psi");
        String measure = fixed != null ? null : psi ? parts.group(2) : parts.group(1);
        boolean rise = parts.group(3).equals(">");
        BigDecimal threshold;
        try {
            BigDecimal number = new BigDecimal(parts.group(4));
            threshold = parts.group(5).isEmpty() ? number : number.movePointLeft(2);
        } catch (NumberFormatException notNumber) {
            throw new UsageException(
                    "--fail-on " + Printable.quoted(text) + ": " + parts.group(4) + " is not a number");
        }
        if (!parts.group(4).startsWith("+") && !parts.group(4).startsWith("-")) {
            throw new UsageException("--fail-on " + Printable.quoted(text) + ": a condition is of a change, which has a"
                    + " sign: write " + parts.group(1) + (rise ? ">+" : "<-") + parts.group(4) + parts.group(5));
        }
        if (rise ? threshold.signum() < 0 : threshold.signum() > 0) {
            throw new UsageException("--fail-on " + Printable.quoted(text) + " fails where nothing changed: write "
                    + (rise ? ">+" : "<-") + threshold.abs().toPlainString());
        }
        return new Condition(
                measure == null ? "" : Measures.parse(measure).toString(),
                fixed != null ? fixed : psi ? Quantity.PSI : Quantity.MEANS,
                rise,
                threshold);
    }

    boolean holds(Interval change) {
        return rise ? change.low() > threshold.doubleValue() : change.high() < threshold.doubleValue();
    }

    /** Returns true if no change in the interval is beyond the threshold. */
    boolean isExcludedBy(Interval change) {
        return rise ? change.high() <= threshold.doubleValue() : change.low() >= threshold.doubleValue();
    }

    String limit() {
        return (rise ? "above +" : "below -") + threshold.abs().toPlainString();
    }
}
