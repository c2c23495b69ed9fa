package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Plural;
import io.posbias.inside.BiasShares;
import org.jspecify.annotations.Nullable;

/**
 * How saliency is found.
 *
 * @param unit what documents are cut into, for example "word"
 * @param window words left out at a time; null where none are
 * @param stride words from one window to the next; null likewise
 * @param biases how biases are shared by tokens; null with other methods than DecompX
 * @param minWords the fewest words of a document
 * @param minTokens the fewest tokens of a document, as the benchmark counts them; null where tokens do not matter
 * @param scale what each document is divided by in points, bins and curves
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SaliencySettings(
        SaliencyMethod method,
        String unit,
        @Nullable Integer window,
        @Nullable Integer stride,
        @Nullable BiasShares biases,
        int minWords,
        @Nullable Integer minTokens,
        SaliencyScale scale) {
    /**
     * Those of a method, which takes of these what it has a use for.
     *
     * @param window words left out at a time
     */
    public static SaliencySettings of(
            SaliencyMethod method,
            int window,
            int stride,
            BiasShares biases,
            SaliencyPairs.SaliencyChoice choice,
            SaliencyScale scale) {
        boolean windows = method == SaliencyMethod.OCCLUSION;
        return new SaliencySettings(
                method,
                method.unit(),
                windows ? (Integer) window : null,
                windows ? (Integer) stride : null,
                method == SaliencyMethod.DECOMPX ? biases : null,
                choice.minWords(),
                choice.minTokens(),
                scale);
    }

    /** Whether values have no unit. */
    boolean isScaled() {
        return scale != SaliencyScale.NONE;
    }

    /** In words, for titles. */
    String describe() {
        if (window == null || stride == null) {
            return method == SaliencyMethod.GRADIENT ? "gradient, norm per token" : method.toString();
        }
        return method + ", windows of " + Plural.of(window, "word") + (stride < window ? ", one every " + stride : "");
    }
}
