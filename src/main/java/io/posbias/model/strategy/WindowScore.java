package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Suggestions;
import io.posbias.rank.Ranking;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Score of a passage from its windows' scores; a window that was not retrieved scores 0.
 *
 * @param kind a recipe's {@code score}
 * @param best number of windows in the mean; null for two, and without a mean
 */
record WindowScore(
        @Setting(usual = "max") @JsonProperty("score") Kind kind,
        @Setting(least = 1) @Nullable Integer best) {
    enum Kind {
        /** The best window's score: MaxP (Dai and Callan 2019, arXiv:1905.09217). */
        MAX,
        /** The sum over all windows: SumP, which favours long passages. */
        SUM,
        /** The mean over the best windows. */
        MEAN
    }

    WindowScore {
        if (kind != Kind.MEAN && best != null) {
            throw new Setting.Wrong("best", "has no meaning with score: " + Suggestions.word(kind), "set score: mean");
        }
    }

    /** Returns true if the first windows determine the first passages. */
    boolean byFirst() {
        return kind == Kind.MAX;
    }

    Ranking passages(Ranking windows, Windows of) {
        int hits = windows.size();
        double[] sums = new double[of.passages()];
        int[] counts = new int[sums.length];
        int[] found = new int[hits];
        int number = 0;
        int several = Objects.requireNonNullElse(best, 2);
        int most = kind == Kind.MAX ? 1 : kind == Kind.SUM ? Integer.MAX_VALUE : several;
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
            int divisor = kind == Kind.MEAN ? Math.min(several, of.count(passages[i])) : 1;
            scores[i] = (float) (sums[passages[i]] / divisor);
        }
        return Ranking.of(passages, scores);
    }
}
