package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.Suggestions;
import io.posbias.retrieve.Ranking;
import java.util.Arrays;
import java.util.List;

/**
 * What a passage scores by its windows; a window that was not found scores 0.
 *
 * @param best of the mean: how many of the best windows it is over, or all where there are fewer
 */
record WindowScore(Kind kind, int best) {
    static final List<String> FIELDS = List.of("score", "best");

    /** The ways. */
    enum Kind {
        /** The best window's: MaxP (Dai and Callan 2019, arXiv:1905.09217). */
        MAX,
        /** All of them together: SumP, which favours long passages. */
        SUM,
        /** The mean of the best. */
        MEAN
    }

    static WindowScore of(Fields fields) {
        Kind kind = fields.oneOf("score", Kind.MAX, List.of(Kind.values()));
        if (kind != Kind.MEAN && fields.has("best")) {
            throw fields.bad("best", "has no meaning with score: " + Suggestions.word(kind), "say score: mean");
        }
        return new WindowScore(kind, fields.positive("best", 2));
    }

    /** Whether the first hits of a ranking settle the first passages. */
    boolean byFirst() {
        return kind == Kind.MAX;
    }

    /** The passages of windows. */
    Ranking passages(Ranking windows, Windows of) {
        int hits = windows.size();
        double[] sums = new double[of.passages()];
        int[] counts = new int[sums.length];
        int[] found = new int[hits];
        int number = 0;
        int most = kind == Kind.MAX ? 1 : kind == Kind.SUM ? Integer.MAX_VALUE : best;
        for (int rank = 0; rank < hits; rank++) {
            int passage = of.owner(windows.passage(rank));
            if (counts[passage] == 0) {
                found[number++] = passage;
            }
            if (counts[passage] < most) {
                sums[passage] += windows.score(rank);
                counts[passage]++;
            }
        }
        int[] passages = Arrays.copyOf(found, number);
        float[] scores = new float[number];
        for (int i = 0; i < number; i++) {
            int divisor = kind == Kind.MEAN ? Math.min(best, of.count(passages[i])) : 1;
            scores[i] = (float) (sums[passages[i]] / divisor);
        }
        return Ranking.of(passages, scores);
    }
}
