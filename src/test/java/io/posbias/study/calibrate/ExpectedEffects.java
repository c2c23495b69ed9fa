package io.posbias.study.calibrate;

import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import java.util.List;

/**
 * What each reference encoder must do on each planted probe, from how both are made and from no measurement. Words'
 * vectors are orthogonal but for noise of mean 0, so a text scores by the weights of the asked words in it: their sum w,
 * over the vector's length for cosines; the sum of their greatest weights for late interaction, where noise is no matter
 * as long as it stays below a match.
 *
 * <ul>
 *   <li>{@code answer}: text1 holds two asked words more, weighed above 0 by all.
 *   <li>{@code position}, {@code moving}, {@code insertion}: the same words in another order. Flat weights do not see it:
 *       zero. Otherwise the evidence comes to weigh more or less; between the first place and the last, and with the
 *       irrelevant sentence before or behind, the middle's weights are mirror images: zero in expectation.
 *   <li>{@code literal}: another name matches by 1 - literalness, which is 1 for all but the literal encoders: the same
 *       name scores more; but for literalness 0, whose names have one vector. Both sides of LL - SS match in all words,
 *       by different vectors: noise, and exactly zero for late interaction.
 *   <li>{@code brevity}: four more sentences leave w as it is and make the vector longer: less by cosine. (With weights
 *       that fall from the front w also grows, as the evidence takes the first fifth of the places: by less than the
 *       vector's sqrt(5) up to strength 2.5.) Products n^-brevity have its sign, and noise for 0. Late interaction: no
 *       change if flat; the front weighs more than the average of all places, the back less.
 *   <li>{@code repetition}: two more words asked for, among as many others: more. Late interaction takes the best one, the
 *       first if flat or falling, a later one if rising.
 *   <li>{@code foil}: 3 asked words among 130 against the head 3 times among 12. By cosine w/length is far greater for the
 *       foil. Products: 3 * 130^-brevity against 3 * 12^-brevity. Late interaction misses two words in the foil.
 *   <li>Windows, of at most 32 words: those of the first and the last place are mirror images, so their difference is noise;
 *       more of them hold the evidence at the places between, of which the best is better by chance, and nothing is foretold.
 *       Texts of up to 30 words are one window, as by cosine; of the donated ones it holds 3 asked words among 32.
 *   <li>{@code poison}: against the head 4 times and both others among 22 words. Products: 3 * 130^-brevity against
 *       6 * 22^-brevity. Late interaction finds all three in both: zero if flat; the poisoned text ends with them, so less
 *       if rising; if falling, its heads at the front speak against the others at its end, and nothing is foretold.
 * </ul>
 */
public final class ExpectedEffects {
    private static final int DONATED =
            2 * PlantedProbes.DONATED * PlantedProbes.DONOR_SENTENCE + PlantedProbes.SENTENCE;

    private static final int FOIL = 2 + PlantedProbes.SENTENCE;
    private static final int POISON = FOIL + PlantedProbes.SENTENCE;

    public enum Effect {
        MORE("+", "above 0"),
        LESS("-", "below 0"),
        ZERO("0", "0"),
        /** 0 in expectation: not beyond noise. */
        NOISE("~", "noise about 0"),
        OPEN("?", "anything");

        private final String symbol;
        private final String words;

        Effect(String symbol, String words) {
            this.symbol = symbol;
            this.words = words;
        }

        String words() {
            return words;
        }

        public static Effect of(double sign) {
            return sign > 0 ? MORE : sign < 0 ? LESS : NOISE;
        }

        @Override
        public String toString() {
            return symbol;
        }
    }

    private ExpectedEffects() {}

    public static Effect of(ReferenceSpec planted, String probe, String comparison) {
        return switch (probe) {
            case "answer" -> Effect.MORE;
            case "position", "insertion" -> forFront(planted);
            case "moving" -> moving(planted, Integer.parseInt(comparison.substring(0, comparison.indexOf(' '))));
            case "literal" -> literal(planted, comparison);
            default ->
                other(
                        planted,
                        List.of("brevity", "repetition", "foil", "poison").indexOf(probe),
                        probe);
        };
    }

    /**
     * The evidence further in front against further behind: also the contrast of {@link io.posbias.study.diagnose.Reversal},
     * evidence that came to the front against the contrary.
     */
    public static Effect forFront(ReferenceSpec planted) {
        if (planted.kind() == ReferenceKind.MAX_P) {
            return Effect.NOISE;
        }
        return switch (planted.kind().shape()) {
            case FLAT -> Effect.ZERO;
            case PRIMACY -> Effect.MORE;
            case RECENCY -> Effect.LESS;
            case MIDDLE -> Effect.NOISE;
        };
    }

    private static Effect moving(ReferenceSpec planted, int place) {
        if (planted.kind() == ReferenceKind.MAX_P) {
            return place == PlantedProbes.PLACES ? Effect.NOISE : Effect.OPEN;
        }
        return switch (planted.kind().shape()) {
            case FLAT -> Effect.ZERO;
            case PRIMACY -> Effect.LESS;
            case RECENCY -> Effect.MORE;
            case MIDDLE -> place == PlantedProbes.PLACES ? Effect.NOISE : Effect.MORE;
        };
    }

    private static Effect literal(ReferenceSpec planted, String comparison) {
        if (planted.kind() == ReferenceKind.LITERAL && planted.strength() == 0) {
            return Effect.ZERO;
        }
        if (comparison.equals("LL - SS")) {
            return planted.kind().name().startsWith("LATE_") ? Effect.ZERO : Effect.NOISE;
        }
        return Effect.MORE;
    }

    private static Effect other(ReferenceSpec planted, int number, String probe) {
        if (number < 0) {
            throw new IllegalArgumentException(probe);
        }
        List<Effect> effects = switch (planted.kind()) {
            case FLAT, PRIMACY, RECENCY, MIDDLE, LITERAL, MAX_P ->
                List.of(Effect.MORE, Effect.MORE, Effect.LESS, Effect.LESS);
            case NEUTRAL, SHORT, LONG ->
                List.of(
                        Effect.of(planted.brevity()),
                        Effect.MORE,
                        product(planted, 3, DONATED, 3, FOIL),
                        product(planted, 3, DONATED, 6, POISON));
            case LATE_FLAT -> List.of(Effect.ZERO, Effect.ZERO, Effect.MORE, Effect.ZERO);
            case LATE_PRIMACY -> List.of(Effect.LESS, Effect.ZERO, Effect.MORE, Effect.OPEN);
            case LATE_RECENCY -> List.of(Effect.MORE, Effect.MORE, Effect.MORE, Effect.LESS);
        };
        return effects.get(number);
    }

    private static Effect product(ReferenceSpec planted, int matches1, int tokens1, int matches2, int tokens2) {
        double brevity = planted.brevity();
        return Effect.of(matches1 * Math.pow(tokens1, -brevity) - matches2 * Math.pow(tokens2, -brevity));
    }
}
