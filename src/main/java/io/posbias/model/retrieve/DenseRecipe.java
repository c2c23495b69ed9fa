package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.model.DenseSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recipe of a dense encoder.
 *
 * @param transformer for white-box analysis, read by {@code io.posbias.model.inside.Architecture}; null for none
 */
public record DenseRecipe(
        @JsonUnwrapped RecipeCard card,
        @JsonUnwrapped DenseSettings model,
        @JsonUnwrapped VectorSettings search,
        @Nullable Map<String, Object> transformer)
        implements Recipe {
    @Override
    public int maxTokens() {
        return model.graph().maxTokens();
    }

    @Override
    public int dimension() {
        return model.graph().dimension();
    }

    @Override
    public VectorRetriever retriever() {
        return VectorRetriever.dense(
                        this, model.files(), engine -> new DenseEncoder(model, engine), model::reader, attribution())
                .with(search);
    }

    private Attribution attribution() {
        Attribution.Exact exact = engine -> {
            DenseEncoder encoder = new DenseEncoder(model, engine);
            return new Attributor(encoder::tokens, encoder::query, Attributor::byProduct, encoder::close);
        };
        return model.notASum().<Attribution>map(Attribution.None::new).orElse(exact);
    }
}
