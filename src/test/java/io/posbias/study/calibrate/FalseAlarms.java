package io.posbias.study.calibrate;

import io.posbias.base.stats.Estimate;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.probe.PairTest;
import java.util.List;

/**
 * How often a bias was seen where none is.
 *
 * @param planted what has no such bias
 * @param place on what it was looked for
 * @param count of runs that saw it
 * @param runs of which each sees it by chance in 5 %
 */
public record FalseAlarms(ReferenceSpec planted, String place, int count, int runs) {
    private static final String BENCHMARKS = "benchmarks";

    private static final double LEVEL = 1 - Settings.USUAL.confidence();

    /** False alarms may be so many that chance alone gives more in fewer cases than this. */
    private static final double CHANCE = 0.02;

    static FalseAlarms ofVerdicts(ReferenceSpec planted, List<TestOutcome> verdicts) {
        long count = verdicts.stream()
                .filter(verdict -> verdict == TestOutcome.DIFFER)
                .count();
        return new FalseAlarms(planted, BENCHMARKS, (int) count, verdicts.size());
    }

    static FalseAlarms ofProbes(ReferenceSpec planted, List<List<PairTest>> sets, String probe, String comparison) {
        int count = 0;
        for (List<PairTest> tests : sets) {
            Estimate difference = FoundStrength.test(tests, probe, comparison).difference();
            count += difference == null || difference.pValue() < LEVEL ? 1 : 0;
        }
        return new FalseAlarms(planted, probe + " probes", count, sets.size());
    }

    public boolean areVerdicts() {
        return place.equals(BENCHMARKS);
    }

    boolean passes() {
        return count <= allowed(runs);
    }

    /**
     * How many false alarms pass: the least number that a binomial count at level 5 % exceeds with a probability below
     * 2 %; 5 of 40.
     */
    static int allowed(int runs) {
        double probability = Math.pow(1 - LEVEL, runs);
        double upTo = probability;
        int allowed = 0;
        while (1 - upTo >= CHANCE) {
            probability *= (runs - allowed) * LEVEL / ((allowed + 1) * (1 - LEVEL));
            upTo += probability;
            allowed++;
        }
        return allowed;
    }

    public String note() {
        return "false alarms of " + planted + " on " + runs + " other " + place + ": " + count + "; at most "
                + allowed(runs) + " are allowed";
    }

    String failure() {
        return planted + ": a bias was seen on " + count + " of " + runs + " " + place + "; at most " + allowed(runs)
                + " are allowed";
    }
}
