package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.UsageException;
import io.posbias.inside.TokenDecomposition;
import io.posbias.inside.WhiteBoxEngine;
import io.posbias.retrieve.Attribution;
import io.posbias.retrieve.Recipe;
import java.util.Locale;
import java.util.Optional;

/** Method of attributing a score to parts of a document. */
public enum SaliencyMethod {
    /** Removes windows of words; any model. */
    OCCLUSION,
    /** Splits the score over the document's tokens, for scores that are sums over tokens. */
    CONTRIBUTION {
        @Override
        public Optional<String> unfit(Recipe recipe) {
            return Attribution.of(recipe) instanceof Attribution.None none ? Optional.of(none.why()) : Optional.empty();
        }
    },
    /** Splits the score over pairs of query and document tokens (DecompX). */
    DECOMPX {
        @Override
        public Optional<String> unfit(Recipe recipe) {
            return TokenDecomposition.unfit(recipe);
        }
    },
    /** Differentiates the score; white-box models. */
    GRADIENT {
        @Override
        public Optional<String> unfit(Recipe recipe) {
            return WhiteBoxEngine.unfit(recipe);
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
    public void check(Recipe recipe) {
        unfit(recipe).ifPresent(why -> {
            throw new UsageException(
                    "--method " + this + ": " + recipe.name() + " " + why + "; --method occlusion takes every model");
        });
        if (looksInside()) {
            WhiteBoxEngine.check(recipe);
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

    /** Returns true if negative saliency has a meaning. */
    boolean isSigned() {
        return this != GRADIENT;
    }

    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
