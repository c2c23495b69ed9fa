package io.posbias.score.over;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Meaning;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.PositionLoss;
import org.jspecify.annotations.Nullable;

/** A pair of systems; differences are second minus first. */
public record Pair(
        String dataset,
        @Meaning("name of the first system") String first,

        @Meaning("name of the second system; differences are second minus first")
        String second,

        @JsonUnwrapped Comparison comparison,
        ContentFixedFit.@Nullable Difference contentFixed) {
    public String names() {
        return first + " / " + second;
    }

    /** The change of the loss at the back; null without places. */
    public PositionLoss.@Nullable Change loss() {
        return contentFixed == null ? null : contentFixed.loss();
    }

    /** The difference of PSI; null without one or without a test. */
    public @Nullable Estimate psiDifference() {
        Comparison.PsiDifference psi = comparison.psi();
        return psi == null ? null : psi.difference();
    }

    /** The difference of the loss at the back; null without places. */
    public @Nullable Estimate lossDifference() {
        PositionLoss.Change loss = loss();
        return loss == null ? null : loss.difference();
    }

    /** Benchmark and stratum. */
    public String group() {
        return dataset + (comparison.stratum().equals(Strata.ALL) ? "" : " " + comparison.stratum());
    }
}
