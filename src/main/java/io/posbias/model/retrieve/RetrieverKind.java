package io.posbias.model.retrieve;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.util.List;

/** Built-in kind of retriever. */
record RetrieverKind(String kind, List<String> options, Class<? extends Recipe> type) implements RetrieverProvider {
    private static final List<String> TWO_STAGES = List.of("precision", "first-stage", "depth");

    static final List<RetrieverKind> ALL = List.of(
            new RetrieverKind("bm25", List.of(), Bm25Retriever.Bm25Recipe.class),
            new RetrieverKind("dense", List.of("precision"), DenseRecipe.class),
            new RetrieverKind("embedding-api", List.of(), DenseRetriever.ServiceRecipe.class),
            new RetrieverKind("late-interaction", TWO_STAGES, LateInteractionRetriever.LateRecipe.class),
            new RetrieverKind("cross-encoder", TWO_STAGES, RerankRetriever.CrossEncoderRecipe.class),
            new RetrieverKind("causal-reranker", TWO_STAGES, RerankRetriever.CausalRecipe.class),
            new RetrieverKind("rerank-api", List.of("first-stage", "depth"), RerankRetriever.ServiceRecipe.class),
            new RetrieverKind(
                    "worker", List.of("first-stage", "depth", "workers", "trust-remote-code"), WorkerRecipe.class));

    @Override
    public Recipe bind(Fields recipe) {
        FirstStage.refuseSecond(recipe);
        return Json.settings(recipe, type);
    }
}
