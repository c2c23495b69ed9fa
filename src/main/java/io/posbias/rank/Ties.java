package io.posbias.rank;

import io.posbias.base.process.PosbiasException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Scores that are equal up to rounding. A model that gives all passages one vector or score ranks them by their identifiers;
 * its measures look like those of a model.
 */
public final class Ties {
    /** Largest relative difference that rounding explains: sums of 32-bit floats depend on the batch. */
    private static final float ROUNDING = 1e-5f;

    /** Minimum ranked passages of a query; fewer may have equal scores by chance. */
    private static final int FEW = 3;

    /** Minimum queries of a run that is refused; the words of a few may fit all passages alike. */
    private static final int MANY = 5;

    private Ties() {}

    /** Returns true if all numbers from the least to the most are equal up to rounding. */
    public static boolean areTied(float least, float most) {
        return most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most));
    }

    /** Counts the queries of several ranked passages that all have one score. */
    public static int tied(Run run) {
        return (int) ranked(run, 2).stream().filter(Ties::isTied).count();
    }

    /**
     * Refuses a run that gives all passages of each query one score.
     *
     * @param model in the error
     * @throws PosbiasException for at least {@value #MANY} queries of at least three ranked passages; fewer may tie by
     *     their words
     */
    public static void refuseAll(String model, Run run) {
        List<Ranking> ranked = ranked(run, FEW);
        if (ranked.size() >= MANY && ranked.stream().allMatch(Ties::isTied)) {
            throw new PosbiasException(model + " gives all passages of a query the same score, for all " + ranked.size()
                    + " queries: identifiers would rank them; check the model ('posbias models check'), or the scores of"
                    + " the run (--by-rank scores by its ranks)");
        }
    }

    /**
     * Counts the queries of a run that gives all queries the same passages with the same scores.
     *
     * @return 0 for a run in which one query differs, and for fewer than two queries of at least three ranked passages
     */
    public static int alike(Run run) {
        List<Ranking> ranked = ranked(run, FEW);
        return ranked.size() > 1 && ranked.stream().allMatch(ranking -> isSame(ranking, ranked.getFirst()))
                ? ranked.size()
                : 0;
    }

    private static List<Ranking> ranked(Run run, int least) {
        return IntStream.range(0, run.queries().size())
                .mapToObj(run::ranking)
                .filter(ranking -> ranking.size() >= least)
                .toList();
    }

    private static boolean isTied(Ranking ranking) {
        return areTied(ranking.score(ranking.size() - 1), ranking.score(0));
    }

    private static boolean isSame(Ranking one, Ranking other) {
        return Arrays.equals(one.passages(), other.passages())
                && IntStream.range(0, one.size())
                        .allMatch(rank -> areTied(
                                Math.min(one.score(rank), other.score(rank)),
                                Math.max(one.score(rank), other.score(rank))));
    }
}
