package io.posbias.retrieve;

import java.util.List;
import java.util.function.Function;

/** Built-in kind of retriever. */
record RetrieverKind(String kind, List<String> options, Function<Recipe, Retriever> maker)
        implements RetrieverProvider {
    static final List<RetrieverKind> ALL = List.of(
            new RetrieverKind("bm25", List.of(), Bm25Retriever::of),
            new RetrieverKind("dense", List.of("precision"), DenseRetriever::of),
            new RetrieverKind("embedding-api", List.of(), DenseRetriever::ofService),
            new RetrieverKind(
                    "late-interaction", List.of("precision", "first-stage", "depth"), LateInteractionRetriever::of),
            new RetrieverKind(
                    "cross-encoder", List.of("precision", "first-stage", "depth"), RerankRetriever::ofCrossEncoder),
            new RetrieverKind(
                    "causal-reranker", List.of("precision", "first-stage", "depth"), RerankRetriever::ofCausal),
            new RetrieverKind("rerank-api", List.of("first-stage", "depth"), RerankRetriever::ofService));

    @Override
    public Retriever create(Recipe recipe) {
        return maker.apply(recipe);
    }
}
