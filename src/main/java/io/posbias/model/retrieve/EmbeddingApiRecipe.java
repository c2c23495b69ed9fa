package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.model.encode.api.ApiEncoder;
import io.posbias.model.encode.api.EmbeddingSettings;
import java.util.Objects;

/** Recipe of a service's embeddings. */
record EmbeddingApiRecipe(
        @JsonUnwrapped RecipeCard card,
        @JsonUnwrapped EmbeddingSettings service,
        @JsonUnwrapped VectorSettings search) implements Recipe {
    @Override
    public int maxTokens() {
        return Objects.requireNonNullElse(service.text().maxTokens(), 0);
    }

    @Override
    public int dimension() {
        return service.output().dimension();
    }

    @Override
    public VectorRetriever retriever() {
        Attribution none = new Attribution.None("is a service that gives no vectors of tokens");
        return VectorRetriever.dense(
                        this, service.files(), engine -> new ApiEncoder(service, engine), service.reader(), none)
                .with(search);
    }
}
