package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.process.Closing;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.api.ApiEncoder;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.api.EmbeddingSettings;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Single-vector retriever: passages by inner product with the query, with vectors of a graph, of a service, or derived
 * from other vectors.
 */
public record DenseRetriever(Recipe recipe, Model.Encoder encoder, VectorSettings settings) implements Retriever {
    /** Number of queries for the recall of an approximate index. */
    private static final int SAMPLE = 1_000;

    /** Recipe of a service's embeddings. */
    record ServiceRecipe(
            @JsonUnwrapped RecipeCard card,
            @JsonUnwrapped EmbeddingSettings service,
            @JsonUnwrapped VectorSettings search)
            implements Recipe {
        @Override
        public int maxTokens() {
            return Objects.requireNonNullElse(service.text().maxTokens(), 0);
        }

        @Override
        public int dimension() {
            return service.output().dimension();
        }

        @Override
        public DenseRetriever retriever() {
            Attribution none = new Attribution.None("is a service that gives no vectors of tokens");
            return own(this, service.files(), engine -> new ApiEncoder(service, engine), service.reader(), none)
                    .with(search);
        }
    }

    /**
     * Creates a retriever of an encoder, with exact search.
     *
     * @param files required before opening; empty without files
     * @param opener loads the encoder; its vectors are cached by space and text
     * @param reader opens the truncation probe; null if truncation is unknown
     */
    public static DenseRetriever own(
            Recipe recipe,
            List<ModelFiles> files,
            Function<Engine, TextEncoder> opener,
            @Nullable Function<Engine, TextReader> reader,
            Attribution attribution) {
        double bytes = recipe.dimension() * (double) Float.BYTES;
        boolean service = recipe instanceof ServiceRecipe;
        boolean here = service || files.isEmpty();
        Model.Encoder encoder = new Model.Encoder(
                files,
                service,
                opener,
                engine -> SpreadEncoder.cached(recipe, here, opener, VectorCache.Shape.ONE, engine),
                reader,
                attribution,
                bytes);
        return new DenseRetriever(recipe, encoder, VectorSettings.USUAL);
    }

    DenseRetriever with(VectorSettings search) {
        return new DenseRetriever(recipe, encoder, search);
    }

    /**
     * Creates a retriever whose vectors are computed from another model's.
     *
     * @param recipe that wraps the other
     * @param bytes of a vector in an index
     * @param vectors opens the computed vectors, without encoding twice
     */
    public static DenseRetriever derived(
            Recipe recipe, Model.Encoder inner, double bytes, Function<Engine, VectorSource> vectors) {
        return new DenseRetriever(
                recipe,
                new Model.Encoder(
                        inner.files(),
                        inner.isService(),
                        inner.opener(),
                        vectors,
                        inner.reader(),
                        Attribution.WRAPPED,
                        bytes),
                of(recipe.innermost())
                        .map(DenseRetriever::settings)
                        .orElse(VectorSettings.USUAL)
                        .byProduct());
    }

    /** Returns true if the vectors of a recipe's innermost model are scaled to length 1. */
    public static boolean normalises(Recipe recipe) {
        return of(recipe.innermost()).map(dense -> dense.settings.normalise()).orElse(true);
    }

    private static Optional<DenseRetriever> of(Recipe recipe) {
        return recipe.retriever() instanceof DenseRetriever dense ? Optional.of(dense) : Optional.empty();
    }

    /** Returns the retriever of a recipe around this one's, with another encoder. */
    public DenseRetriever with(Recipe around, Function<Engine, TextEncoder> opener) {
        return new DenseRetriever(
                around,
                new Model.Encoder(
                        encoder.files(),
                        encoder.isService(),
                        opener,
                        engine -> SpreadEncoder.cached(
                                around, encoder.isHere(), opener, VectorCache.Shape.SEVERAL, engine),
                        encoder.reader(),
                        new Attribution.None("has several vectors of a passage"),
                        encoder.bytes()),
                settings);
    }

    public DenseRetriever from(Function<Engine, VectorSource> view) {
        return new DenseRetriever(recipe, encoder.withVectors(view), settings);
    }

    /** Returns this with another truncation probe. */
    public DenseRetriever reading(UnaryOperator<Function<Engine, TextReader>> change) {
        return new DenseRetriever(recipe, encoder.withTruncationProbe(change), settings);
    }

    private static OnnxRuntime runtime(Engine engine) {
        return OnnxRuntime.on(engine.device(), engine.session().quiet());
    }

    private Vectors queries(List<Query> queries, VectorSource vectors) {
        try {
            return vectors.encode(
                    queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
        } catch (ApiException refusal) {
            throw queries.stream()
                    .filter(query -> refusal.isOf(query.text()))
                    .findFirst()
                    .map(query -> refusal.named("query " + query.id()))
                    .orElse(refusal);
        }
    }

    private EncodedPassages passages(Dataset dataset, VectorSource vectors) {
        return encoder.isService()
                ? EncodedPassages.ofWritten(dataset, vectors)
                : EncodedPassages.ofAll(dataset, vectors);
    }

    private Map<String, Double> stats(EncodedPassages passages, Vectors asked) {
        Map<String, Double> stats = new LinkedHashMap<>();
        SearchStat.BLANK.put(passages.missing(), stats);
        if (recipe.innermost() instanceof ServiceRecipe own && own.service.cuts()) {
            SearchStat cut = own.service.hasTokenizer() ? SearchStat.CUT_BY_TOKENIZER : SearchStat.CUT_BY_ESTIMATE;
            cut.put(passages.vectors().cut() + asked.cut(), stats);
        }
        return passages.withZeros(stats, asked);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        VectorSource vectors = encoder.open(engine);
        return Closing.onFailure(() -> new Corpus(dataset, vectors, engine), vectors::close);
    }

    /** Multiplies candidates only, exactly: scores equal those of an exact search. */
    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        VectorSource vectors = encoder.open(engine);
        ExactSearch exact = Closing.onFailure(
                () -> new ExactSearch(runtime(engine), engine.threads(), vectors.dimension(), false), vectors::close);
        return new PoolScorer() {
            private @Nullable EncodedPassages ofCorpus;

            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                EncodedPassages passages = encoded(texts);
                Vectors asked = queries(Pool.queries(texts, pool), vectors);
                Run run = new Run(pool.passages(), pool.queries(), exact.score(asked, passages, pool));
                TruncationReport truncation = passages.truncation(recipe, asked.cut());
                return new RetrievedRun(
                        run,
                        new SearchReport(Truncations.of(truncation), null, stats(passages, asked), vectors.usage()));
            }

            // The corpus, which a second stage scores repeatedly, is encoded once.
            private EncodedPassages encoded(Dataset texts) {
                if (!texts.isSame(corpus)) {
                    return passages(texts, vectors);
                }
                EncodedPassages all = ofCorpus == null ? passages(corpus, vectors) : ofCorpus;
                ofCorpus = all;
                return all;
            }

            @Override
            public void close() {
                exact.close();
                vectors.close();
            }
        };
    }

    @Override
    public Optional<Model> model() {
        return Optional.of(encoder);
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        if (!encoder.isService()) {
            return CallEstimate.NONE;
        }
        try (VectorSource vectors = encoder.open(engine)) {
            CallEstimate passages = vectors.estimate(
                    sink -> dataset.passages().inFileOrder((ordinal, passage) -> sink.accept(passage.content())),
                    Role.PASSAGE);
            return passages.plus(vectors.estimate(
                    sink -> dataset.judgedQueries().forEach(query -> sink.accept(query.text())), Role.QUERY));
        }
    }

    @Override
    public Optional<Preview> preview() {
        return TruncationProbe.preview(recipe, encoder.reader());
    }

    /** Encoded corpus. */
    private final class Corpus implements Searcher {
        private final Dataset dataset;
        private final VectorSource encoder;
        private final Engine engine;
        private final EncodedPassages passages;
        private final ExactSearch exact;
        private final @Nullable HnswSearch hnsw;
        private final Map<String, Double> searchStats = new LinkedHashMap<>();
        private long queriesCut;

        Corpus(Dataset dataset, VectorSource encoder, Engine engine) {
            this.dataset = dataset;
            this.encoder = encoder;
            this.engine = engine;
            this.passages = passages(dataset, encoder);
            OnnxRuntime runtime = runtime(engine);
            this.exact = new ExactSearch(
                    runtime,
                    engine.threads(),
                    encoder.dimension(),
                    runtime.device().isCuda());
            this.hnsw = settings.approximate()
                    ? Closing.onFailure(
                            () -> HnswSearch.build(
                                    settings, passages.vectors(), engine.session(), "index " + dataset.name()),
                            exact::close)
                    : null;
        }

        @Override
        public Run search(List<Query> queries, int k) {
            Vectors vectors = queries(queries, encoder);
            searchStats.keySet().removeIf(SearchStat::isSummed);
            searchStats.putAll(stats(passages, vectors));
            queriesCut = vectors.cut();
            long pieces = hnsw == null ? exact.pieces(passages.vectors()) : 1;
            Ranking[] rankings;
            try (Progress.Step step =
                    engine.progress().start("search with " + recipe.name(), queries.size() * pieces)) {
                rankings = hnsw == null
                        ? exact.search(vectors, passages.vectors(), k, step)
                        : hnsw.search(vectors, k, engine.threads(), step);
            }
            if (hnsw != null) {
                searchStats.put("hnsw_recall@" + k, recall(vectors, rankings, k));
            }
            return Run.of(dataset, queries, Arrays.asList(passages.byOrdinal(rankings)));
        }

        /** Returns the share of the exact best k that the approximate search found, over the first queries. */
        private double recall(Vectors vectors, Ranking[] found, int k) {
            Ranking[] best = exact.search(vectors.first(SAMPLE), passages.vectors(), k, Progress.NONE.start("", 0));
            long wanted = 0;
            long hit = 0;
            for (int i = 0; i < best.length; i++) {
                int[] own = found[i].passages();
                Arrays.sort(own);
                hit += Arrays.stream(best[i].passages())
                        .filter(passage -> Arrays.binarySearch(own, passage) >= 0)
                        .count();
                wanted += best[i].size();
            }
            return wanted == 0 ? 1 : (double) hit / wanted;
        }

        @Override
        public SearchReport report() {
            return new SearchReport(
                    Truncations.of(passages.truncation(recipe, queriesCut)), null, searchStats, encoder.usage());
        }

        @Override
        public void close() {
            exact.close();
            if (hnsw != null) {
                hnsw.close();
            }
            encoder.close();
        }
    }
}
