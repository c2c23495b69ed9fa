package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.model.encode.model.TokenVectors;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Recipe of late interaction.
 *
 * @param score of a passage over the query's tokens
 * @param firstStage null for a search of the whole corpus
 * @param depth of the first stage; null for the usual one
 */
record LateInteractionRecipe(
        @JsonUnwrapped RecipeCard card,
        @JsonUnwrapped TokenEncoder.TokenSettings model,
        @Setting(words = {"sum", "mean"}) String score,
        @Nullable Recipe firstStage,
        @Setting(least = 1) @Nullable Integer depth)
        implements Recipe {
    LateInteractionRecipe {
        if (firstStage == null && depth != null) {
            throw new Setting.Wrong("depth", "has no meaning without first-stage", "remove it, or name one");
        }
        stage(firstStage, depth);
    }

    static @Nullable FirstStage stage(@Nullable Recipe first, @Nullable Integer depth) {
        return first == null ? null : new FirstStage(first, Objects.requireNonNullElse(depth, FirstStage.DEPTH));
    }

    private boolean isMean() {
        return score.equals("mean");
    }

    @Override
    public int maxTokens() {
        return model.graph().maxTokens();
    }

    @Override
    public VectorRetriever retriever() {
        VectorCache.VectorFormat number = model.shape().format();
        boolean half = number == VectorCache.VectorFormat.FLOAT16;
        Attribution.Exact exact = engine -> {
            TokenEncoder encoder = new TokenEncoder(model, engine);
            return new Attributor(
                    passage -> encoder.tokens(passage).rounded(half),
                    query -> TokenVectors.rounded(encoder.query(query), half),
                    Attributor.byMaximum(isMean()),
                    encoder::close);
        };
        Model.Encoder encoder = new Model.Encoder(
                List.of(model.graph().files()),
                false,
                engine -> new TokenEncoder(model, engine),
                null,
                model::reader,
                exact,
                0);
        return new VectorRetriever(this, encoder, new MaxSim.Late(number, isMean()), stage(firstStage, depth));
    }
}
