package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.onnx.ModelFiles;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
        return retriever(this, model.files(), engine -> new DenseEncoder(model, engine));
    }

    /**
     * Returns the retriever by the graphs with calibrated attention that this names.
     *
     * @param around recipe around this one
     */
    public VectorRetriever calibrated(Recipe around) {
        return retriever(around, model.calibratedFiles(), engine -> DenseEncoder.calibrated(model, engine));
    }

    private VectorRetriever retriever(Recipe of, List<ModelFiles> files, Function<Engine, DenseEncoder> opener) {
        Attribution.Exact exact = engine -> {
            DenseEncoder encoder = opener.apply(engine);
            return new Attributor(encoder::tokens, encoder::query, Attributor::byProduct, encoder::close);
        };
        return VectorRetriever.dense(
                        of,
                        files,
                        opener::apply,
                        model::reader,
                        model.notASum().<Attribution>map(Attribution.None::new).orElse(exact))
                .with(search);
    }
}
