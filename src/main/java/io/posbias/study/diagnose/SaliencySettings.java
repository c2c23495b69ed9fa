package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.inside.InsideModel;
import io.posbias.model.retrieve.Attribution;
import io.posbias.model.retrieve.Recipe;
import java.util.Locale;
import java.util.Optional;
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

    /** Divisor of a document's saliency before averaging over documents. */
    public enum SaliencyScale {
        /** The 99th percentile of absolute values, clipped to -1..1, as in PosIR's script. */
        P99("p99", "1: the 99th percentile of the document, clipped"),
        /** The largest absolute value, as in PosIR's text. */
        MAXIMUM("maximum", "1: the maximum of the document"),
        /** None: values stay in the score's unit. */
        NONE("none", "the unit of the score");

        private static final double CLIP = 0.99;

        private final String word;
        private final String meaning;

        SaliencyScale(String word, String meaning) {
            this.word = word;
            this.meaning = meaning;
        }

        /** Meaning of the value 1. */
        public String meaning() {
            return meaning;
        }

        /** Quantile of the divisor among the absolute values. */
        double place() {
            return this == P99 ? CLIP : 1;
        }

        @Override
        @JsonValue
        public String toString() {
            return word;
        }
    }

    /** Method of attributing a score to parts of a document. */
    public enum SaliencyMethod {
        /** Removes windows of words; any model. */
        OCCLUSION,
        /** Splits the score over the document's tokens, for scores that are sums over tokens. */
        CONTRIBUTION {
            @Override
            public Optional<String> unfit(Recipe recipe) {
                return Attribution.of(recipe) instanceof Attribution.None none
                        ? Optional.of(none.why())
                        : Optional.empty();
            }
        },
        /** Splits the score over pairs of query and document tokens (DecompX). */
        DECOMPX {
            @Override
            public Optional<String> unfit(Recipe recipe) {
                return InsideModel.unfitForParts(recipe);
            }
        },
        /** Differentiates the score; white-box models. */
        GRADIENT {
            @Override
            public Optional<String> unfit(Recipe recipe) {
                return InsideModel.unfit(recipe);
            }
        };

        /** Explains why the method does not support a model, to follow the model's name; empty if it does. Loads nothing. */
        public Optional<String> unfit(Recipe recipe) {
            return Optional.empty();
        }

        /**
         * Refuses an unsupported model before anything is loaded.
         *
         * @throws UsageException in one line
         */
        public void check(Recipe recipe, Session session) {
            unfit(recipe).ifPresent(why -> {
                throw new UsageException("--method " + this + ": " + recipe.name() + " " + why
                        + "; --method occlusion takes every model");
            });
            if (looksInside()) {
                InsideModel.check(recipe, session);
            }
        }

        /** Returns true if the method needs the model's weights. */
        boolean looksInside() {
            return this == GRADIENT || this == DECOMPX;
        }

        /** Part of a document: word or token. */
        String unit() {
            return this == OCCLUSION ? "word" : "token";
        }

        boolean isSigned() {
            return this != GRADIENT;
        }

        @Override
        @JsonValue
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
