package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.UsageException;
import io.posbias.inside.TokenDecomposition;
import io.posbias.inside.WhiteBoxEngine;
import io.posbias.retrieve.Attribution;
import io.posbias.retrieve.Recipe;
import java.util.Locale;
import java.util.Optional;

/** Method of finding what a part of a document adds to a score. */
public enum SaliencyMethod {
    /** By leaving it out: any model. */
    OCCLUSION,
    /** By splitting the score, where it is a sum over tokens. */
    CONTRIBUTION {
        @Override
        public Optional<String> unfit(Recipe recipe) {
            return Attribution.of(recipe) instanceof Attribution.None none ? Optional.of(none.why()) : Optional.empty();
        }
    },
    /** By splitting the score over pairs of a query's and a document's token, as DecompX does. */
    DECOMPX {
        @Override
        public Optional<String> unfit(Recipe recipe) {
            return TokenDecomposition.unfit(recipe);
        }
    },
    /** By differentiating the score, where the model can be looked into. */
    GRADIENT {
        @Override
        public Optional<String> unfit(Recipe recipe) {
            return WhiteBoxEngine.unfit(recipe);
        }
    };

    /** Why it does not take a model, to be behind the model's name; empty where it does. Nothing is loaded. */
    public Optional<String> unfit(Recipe recipe) {
        return Optional.empty();
    }

    /**
     * Refuses a model that it does not take, before anything is loaded.
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

    /** Whether the model's weights are needed. */
    boolean looksInside() {
        return this == GRADIENT || this == DECOMPX;
    }

    /** What documents are split into. */
    String unit() {
        return this == OCCLUSION ? "word" : "token";
    }

    /** Whether a value below 0 has a meaning: the score is higher without. */
    boolean isSigned() {
        return this != GRADIENT;
    }

    /** The word on the command line and in results. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
