package io.posbias.score.over;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.table.Meaning;
import io.posbias.score.measure.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A pair with p-values that are adjusted for all pairs; null without a test. */
public record AdjustedPair(
        @JsonUnwrapped Pair pair,

        @JsonProperty("holm_p_value")
        @Meaning("p-value of the randomisation test (t test without draws), adjusted for all comparisons of the table")
        @Nullable
        Double holmPValue,

        @JsonProperty("psi_holm_p_value")
        @Meaning("p-value of `psi_difference`, adjusted for all comparisons of the table")
        @Nullable
        Double psiHolmPValue,

        @JsonProperty("loss_holm_p_value")
        @Meaning("p-value of `content_fixed_loss_difference`, adjusted for all comparisons of the table")
        @Nullable
        Double lossHolmPValue) {
    public Comparison comparison() {
        return pair.comparison();
    }

    /** Adjusts the p-values of each quantity over all pairs: Holm 1979. */
    public static List<AdjustedPair> of(List<Pair> pairs) {
        List<@Nullable Double> means = holm(pairs, pair -> pair.comparison().pValue());
        List<@Nullable Double> psi = holm(pairs, pair -> p(pair.psiDifference()));
        List<@Nullable Double> losses = holm(pairs, pair -> p(pair.lossDifference()));
        return IntStream.range(0, pairs.size())
                .mapToObj(i -> new AdjustedPair(pairs.get(i), means.get(i), psi.get(i), losses.get(i)))
                .toList();
    }

    private static @Nullable Double p(@Nullable Estimate difference) {
        return difference == null ? null : (Double) difference.pValue();
    }

    private static List<@Nullable Double> holm(List<Pair> pairs, Function<Pair, @Nullable Double> pValue) {
        List<@Nullable Double> own = new ArrayList<>();
        pairs.forEach(pair -> own.add(pValue.apply(pair)));
        return Holm.adjustPresent(own);
    }
}
