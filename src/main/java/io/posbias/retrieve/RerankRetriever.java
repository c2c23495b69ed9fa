package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.PairScorer;
import io.posbias.encode.api.ApiReranker;
import io.posbias.encode.cache.CachedScorer;
import io.posbias.encode.check.ScorerCheck;
import io.posbias.encode.model.CausalReranker;
import io.posbias.encode.model.CrossEncoder;
import io.posbias.encode.model.GraphScorer;
import io.posbias.encode.onnx.ModelFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Orders what a first stage finds anew, by reading query and passage together. */
final class RerankRetriever implements Retriever {
    /** The papers' first stage where nothing else is said. */
    private static final String FIRST = "bm25";

    private final Recipe recipe;
    private final List<ModelFiles> files;
    private final FirstStage firstStage;
    private final Opener opener;

    /** Loads the scorer. */
    private interface Opener {
        PairScorer open(Engine engine);
    }

    private RerankRetriever(Recipe recipe, List<String> fields, List<ModelFiles> files, Opener opener) {
        recipe.refuseOthers(FirstStage.FIELDS, fields);
        this.recipe = recipe;
        this.files = files;
        this.firstStage = FirstStage.of(recipe, FIRST);
        this.opener = opener;
    }

    @Override
    public List<ModelFiles> files() {
        List<ModelFiles> all = new ArrayList<>(files);
        all.addAll(firstStage.retriever().files());
        return all;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        CachedScorer scorer = new CachedScorer(opener.open(engine), recipe.name(), engine);
        try {
            Searcher first = firstStage.retriever().open(dataset, engine);
            return new RerankSearcher(recipe, dataset, scorer, firstStage, first, engine);
        } catch (RuntimeException | Error failure) {
            scorer.close();
            throw failure;
        }
    }

    @Override
    public ScoredPool score(Dataset dataset, Run pool, Engine engine) {
        CachedScorer scorer = new CachedScorer(opener.open(engine), recipe.name(), engine);
        try (Searcher searcher =
                new RerankSearcher(recipe, dataset, scorer, firstStage, new Pool.Found(pool), engine)) {
            return ScoredPool.of(searcher, Pool.queries(dataset, pool));
        }
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        try (PairScorer scorer = opener.open(engine)) {
            if (scorer instanceof GraphScorer graph) {
                return Optional.of(ScorerCheck.of(graph, engine));
            }
            engine.say(recipe.name() + ": one call of its service, with a query and two short texts");
            return Optional.of(ScorerCheck.ofService(scorer));
        }
    }

    /** Makes it from recipes of kind {@code cross-encoder}. */
    public static final class CrossEncoderProvider implements RetrieverProvider {
        @Override
        public String kind() {
            return "cross-encoder";
        }

        @Override
        public List<String> options() {
            return List.of("precision", "first-stage", "depth");
        }

        @Override
        public Retriever create(Recipe recipe) {
            Fields fields = recipe.settings();
            return new RerankRetriever(
                    recipe,
                    CrossEncoder.FIELDS,
                    List.of(CrossEncoder.check(recipe.name(), fields)),
                    engine -> CrossEncoder.open(recipe.name(), fields, engine));
        }
    }

    /** Makes it from recipes of kind {@code causal-reranker}. */
    public static final class CausalProvider implements RetrieverProvider {
        @Override
        public String kind() {
            return "causal-reranker";
        }

        @Override
        public List<String> options() {
            return List.of("precision", "first-stage", "depth");
        }

        @Override
        public Retriever create(Recipe recipe) {
            Fields fields = recipe.settings();
            return new RerankRetriever(
                    recipe,
                    CausalReranker.FIELDS,
                    List.of(CausalReranker.check(recipe.name(), fields)),
                    engine -> CausalReranker.open(recipe.name(), fields, engine));
        }
    }

    /** Makes it from recipes of kind {@code rerank-api}. */
    public static final class ApiProvider implements RetrieverProvider {
        @Override
        public String kind() {
            return "rerank-api";
        }

        @Override
        public List<String> options() {
            return List.of("first-stage", "depth");
        }

        @Override
        public Retriever create(Recipe recipe) {
            Fields fields = recipe.settings();
            ApiReranker.check(fields);
            return new RerankRetriever(
                    recipe, ApiReranker.FIELDS, List.of(), engine -> new ApiReranker(fields, engine));
        }
    }
}
