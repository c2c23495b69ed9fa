package io.posbias.study.calibrate;

import io.posbias.study.probe.PairTest;
import java.util.List;
import java.util.Objects;

/**
 * The strength of a bias, reckoned back from the mean scores of a probe: in the unit in which it was planted, so that both
 * can be side by side. Matches alone are reckoned with; noise, and the maxima of late interaction above all, lifts low
 * scores and so makes strengths look smaller.
 */
public final class FoundStrength {
    /** Words of a sentence, and the last token of a text of five, counted from [CLS], which is 0. */
    private static final int STEP = PlantedProbes.SENTENCE;

    private static final double LAST_TOKEN = PlantedProbes.PLACES * STEP + 1;
    private static final int MIDDLE = (PlantedProbes.PLACES + 1) / 2;

    private FoundStrength() {}

    /** From what moves with what was planted; blind encoders are asked for a fall from the front. */
    public static double of(ReferenceSpec planted, List<PairTest> probes) {
        PairTest last = test(probes, "moving", PlantedProbes.PLACES + " - 1");
        PairTest middle = test(probes, "moving", MIDDLE + " - 1");
        return switch (planted.kind()) {
            case FLAT, MAX_P, LATE_FLAT, PRIMACY, LATE_PRIMACY ->
                -slope(last, centre(PlantedProbes.PLACES) - centre(1));
            case RECENCY, LATE_RECENCY -> slope(last, centre(PlantedProbes.PLACES) - centre(1));
            case MIDDLE -> slope(middle, fromMiddle(1) - fromMiddle(MIDDLE));
            case NEUTRAL, SHORT -> brevity(probes);
            case LONG -> -brevity(probes);
            case LITERAL -> literalness(probes);
        };
    }

    /** What a weight exp(strength * distance) makes of a distance, solved for the strength. */
    private static double slope(PairTest test, double distance) {
        return Math.log(test.firstMean() / test.secondMean()) / distance;
    }

    /** Where the words of a place lie on average, 0 to 1. */
    private static double centre(int place) {
        return ((place - 1) * STEP + (STEP + 1) / 2.0) / LAST_TOKEN;
    }

    /** How far they are on average from the middle, which is 0, and the ends, which are 1. */
    private static double fromMiddle(int place) {
        double sum = 0;
        for (int word = 1; word <= STEP; word++) {
            sum += Math.abs(2 * ((place - 1) * STEP + word) / LAST_TOKEN - 1);
        }
        return sum / STEP;
    }

    /** The exponent b of n^-b that makes the score of one sentence so much that of five. */
    private static double brevity(List<PairTest> probes) {
        PairTest test = test(probes, "brevity", "text1 - text2");
        return slope(test, Math.log(PlantedProbes.PLACES));
    }

    /** All three words match in LL, two and a share of the third in LS. */
    private static double literalness(List<PairTest> probes) {
        PairTest test = test(probes, "literal", "LL - LS");
        return PlantedProbes.ASKED * (1 - test.secondMean() / test.firstMean());
    }

    static PairTest test(List<PairTest> probes, String probe, String comparison) {
        return Objects.requireNonNull(
                probes.stream()
                        .filter(test -> test.probe().name().equals(probe)
                                && test.comparison().equals(comparison))
                        .findFirst()
                        .orElse(null),
                probe + " " + comparison);
    }
}
