package io.posbias.retrieve;

import io.posbias.Closing;
import io.posbias.Fields;
import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.api.ApiEncoder;
import io.posbias.encode.api.EmbeddingSettings;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.VectorCache;
import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.check.EncoderCheck;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxRuntime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One vector a passage, the nearest to the query's first; the vectors come from a graph or from a vendor.
 *
 * @param files of the model; none for a service
 * @param making how its vectors are made
 * @param tells opens what tells how much of texts it reads; null where nothing does
 */
public record DenseRetriever(
        Recipe recipe,
        List<ModelFiles> files,
        Attribution attribution,
        VectorSettings settings,
        Making making,
        @Nullable Function<Engine, TextReader> tells)
        implements Retriever {
    /** Queries whose exact answer an approximate one is held against: the first so many. */
    private static final int SAMPLE = 1_000;

    /** How vectors are made. */
    public sealed interface Making {}

    /** @param opener loads the model */
    private record ByModel(Function<Engine, TextEncoder> opener) implements Making {}

    /**
     * Computed from vectors of another recipe, which keeps its own.
     *
     * @param inner the other
     * @param bytes of a vector in an index
     * @param opener opens the vectors of both
     */
    public record Derived(Retriever inner, double bytes, Function<Engine, VectorSource> opener) implements Making {}

    static DenseRetriever of(Recipe recipe) {
        Fields fields = recipe.settings();
        recipe.refuseOthers(DenseSettings.FIELDS, VectorSettings.FIELDS, List.of(Recipe.TRANSFORMER));
        return new DenseRetriever(
                recipe,
                DenseEncoder.check(recipe.name(), fields),
                attribution(recipe.name(), fields),
                VectorSettings.of(fields),
                new ByModel(engine -> DenseEncoder.open(recipe.name(), fields, engine)),
                engine -> DenseEncoder.reader(recipe.name(), fields, engine));
    }

    static DenseRetriever ofService(Recipe recipe) {
        Fields fields = recipe.settings();
        recipe.refuseOthers(EmbeddingSettings.FIELDS, VectorSettings.FIELDS);
        EmbeddingSettings service = EmbeddingSettings.of(fields);
        return new DenseRetriever(
                recipe,
                List.of(),
                new Attribution.None("is a service that gives no vectors of tokens"),
                VectorSettings.of(fields),
                new ByModel(engine -> new ApiEncoder(service, engine)),
                null);
    }

    /**
     * A retriever whose vectors are computed from those of another, without its model.
     *
     * @param recipe its own, which wraps the other's
     * @param wrapped one with {@link Retriever#vectors()}
     */
    public static DenseRetriever derived(Recipe recipe, Recipe wrapped, Derived making) {
        return new DenseRetriever(
                recipe,
                wrapped.retriever().files(),
                new Attribution.None("wraps a model whose scores it changes"),
                VectorSettings.of(wrapped.innermost().settings()).byProduct(),
                making,
                wrapped.retriever().reader().orElse(null));
    }

    /** A retriever like that of a dense recipe, with another encoder in its place. */
    public static DenseRetriever with(Recipe recipe, Recipe wrapped, Function<Engine, TextEncoder> opener) {
        return new DenseRetriever(
                recipe,
                wrapped.retriever().files(),
                new Attribution.None("has several vectors of a passage"),
                VectorSettings.of(wrapped.settings()),
                new ByModel(opener),
                wrapped.retriever().reader().orElse(null));
    }

    /** The same with a view of its vectors. */
    public DenseRetriever from(Function<Engine, VectorSource> view) {
        return new DenseRetriever(recipe, files, attribution, settings, new Derived(this, 0, view), tells);
    }

    /** The same with an encoder that reads otherwise than the one which it wraps. */
    public DenseRetriever reading(BiFunction<TextReader, Engine, TextReader> change) {
        Function<Engine, TextReader> inner = tells;
        return new DenseRetriever(
                recipe,
                files,
                attribution,
                settings,
                making,
                inner == null ? null : engine -> change.apply(inner.apply(engine), engine));
    }

    private static Attribution attribution(String recipe, Fields fields) {
        Attribution.Exact exact = engine -> {
            DenseEncoder encoder = DenseEncoder.open(recipe, fields, engine);
            return new Attributor(encoder::tokens, encoder::query, Attributor::byProduct, encoder::close);
        };
        return DenseEncoder.notASum(recipe, fields)
                .<Attribution>map(Attribution.None::new)
                .orElse(exact);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        VectorSource encoder = encoder(engine);
        try {
            return new Corpus(dataset, encoder, engine);
        } catch (RuntimeException | Error failure) {
            encoder.close();
            throw failure;
        }
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        VectorSource encoder = encoder(engine);
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                Corpus opened = new Corpus(texts, encoder, engine);
                try {
                    return new RetrievedRun(Pool.restrict(texts, pool, opened, Pool.MOST_HITS), opened.report());
                } finally {
                    opened.closeIndex();
                }
            }

            @Override
            public void close() {
                encoder.close();
            }
        };
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Engine engine) {
        // Only a service needs no files.
        if (!files.isEmpty()) {
            return CallEstimate.NONE;
        }
        try (VectorSource encoder = encoder(engine)) {
            CallEstimate passages = encoder.estimate(
                    sink -> dataset.passages().forEach((ordinal, passage) -> sink.accept(passage.content())),
                    Role.PASSAGE);
            return passages.plus(encoder.estimate(
                    sink -> dataset.judgedQueries().forEach(query -> sink.accept(query.text())), Role.QUERY));
        }
    }

    private VectorSource encoder(Engine engine) {
        return switch (making) {
            case Derived from -> from.opener.apply(engine);
            // A service has no files, and one process alone keeps its limits.
            case ByModel own -> new CachedEncoder(
                    engine.workers().any() && !files.isEmpty()
                            ? new SpreadEncoder(recipe, engine)
                            : own.opener.apply(engine),
                    recipe.name(),
                    engine,
                    VectorCache.NumberFormat.FLOAT32);
        };
    }

    @Override
    public Optional<Function<Engine, TextEncoder>> encoder() {
        return making instanceof ByModel own ? Optional.of(own.opener) : Optional.empty();
    }

    @Override
    public Optional<Function<Engine, TextReader>> reader() {
        return Optional.ofNullable(tells);
    }

    @Override
    public Optional<SearchReport.Preview> preview() {
        return reader().map(open -> (dataset, engine) -> {
            try (TextReader texts = open.apply(engine)) {
                return SearchReport.ofCoverages(List.of(Coverage.read(recipe, dataset, texts, engine)));
            }
        });
    }

    @Override
    public double vectorBytes(double texts, double tokens) {
        if (making instanceof Derived from) {
            return texts * from.bytes;
        }
        List<Recipe> wrapped = recipe.wrapped();
        return wrapped.isEmpty()
                ? texts * recipe.settings().integer("dimension", 0) * Float.BYTES
                : wrapped.getFirst().retriever().vectorBytes(texts, tokens);
    }

    @Override
    public Reading reading() {
        return new Reading(Reading.Unit.TEXTS, 0, null);
    }

    @Override
    public Optional<Function<Engine, VectorSource>> vectors() {
        return Optional.of(this::encoder);
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        if (making instanceof Derived from) {
            return from.inner.check(engine);
        }
        try (TextEncoder encoder = ((ByModel) making).opener.apply(engine)) {
            if (encoder instanceof DenseEncoder graph) {
                return Optional.of(EncoderCheck.of(graph, engine));
            }
            engine.say(recipe.name() + ": one call of its service, with two short texts");
            return Optional.of(EncoderCheck.ofService(encoder));
        }
    }

    /** A corpus in vectors. */
    private final class Corpus implements Searcher {
        private final Dataset dataset;
        private final VectorSource encoder;
        private final Engine engine;
        private final EncodedPassages passages;
        private final ExactSearch exact;
        private final @Nullable HnswSearch hnsw;
        private final Map<String, Double> figures = new LinkedHashMap<>();
        private long queriesCut;

        Corpus(Dataset dataset, VectorSource encoder, Engine engine) {
            this.dataset = dataset;
            this.encoder = encoder;
            this.engine = engine;
            BitSet all = new BitSet();
            all.set(0, dataset.passages().size());
            this.passages = EncodedPassages.of(dataset, encoder, all);
            OnnxRuntime runtime = OnnxRuntime.on(engine.device(), line -> {});
            this.exact = new ExactSearch(
                    runtime,
                    engine.threads(),
                    encoder.dimension(),
                    runtime.device().isCuda());
            this.hnsw = settings.hnsw()
                    ? Closing.onFailure(
                            () -> HnswSearch.build(
                                    settings, passages.vectors(), engine.progress(), "index " + dataset.name()),
                            exact::close)
                    : null;
        }

        @Override
        public Run search(List<Query> queries, int k) {
            Vectors vectors = encoder.encode(
                    queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
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
                figures.put("hnsw_recall@" + k, recall(vectors, rankings, k));
            }
            return Run.of(dataset, queries, Arrays.asList(rankings));
        }

        /** The share of the exact best k that the approximate search found, over the first queries. */
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
            return new SearchReport(List.of(passages.coverage(recipe, queriesCut)), null, figures, encoder.effort());
        }

        /** Closes what is of this corpus alone. */
        void closeIndex() {
            exact.close();
            if (hnsw != null) {
                hnsw.close();
            }
        }

        @Override
        public void close() {
            closeIndex();
            encoder.close();
        }
    }
}
