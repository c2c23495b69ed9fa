package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Plural;
import io.posbias.inside.BiasShares;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a saliency method.
 *
 * @param unit word or token
 * @param window words removed at a time; null for methods other than occlusion
 * @param stride null for methods other than occlusion
 * @param biases null for methods other than DecompX
 * @param minTokens null for no limit
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
    /** Keeps the settings that apply to the method. */
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

    boolean isScaled() {
        return scale != SaliencyScale.NONE;
    }

    String describe() {
        if (window == null || stride == null) {
            return method == SaliencyMethod.GRADIENT ? "gradient, norm per token" : method.toString();
        }
        return method + ", windows of " + Plural.of(window, "word") + (stride < window ? ", one every " + stride : "");
    }
}
