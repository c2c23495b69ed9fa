package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.rank.Truncations;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Retriever by vectors: each passage and each query is encoded by itself, and an index compares them. A passage has one
 * vector (of a graph, of a service, or derived from others), one per token, or a sparse one.
 *
 * @param vectors opens the cached or computed vectors
 * @param stage finds the candidates; null for a search of the whole corpus
 */
public record VectorRetriever(
        Recipe recipe,
        Model.Encoder encoder,
        Function<Engine, VectorSource> vectors,
        Kind kind,
        @Nullable FirstStage stage)
        implements Retriever {
    /** What the vectors are, and how they are compared. */
    sealed interface Kind permits VectorSettings, MaxSim.Late, InvertedIndex.Sparse {}

    /** Creates a retriever of an encoder with several vectors per text. */
    VectorRetriever(Recipe recipe, Model.Encoder encoder, Kind kind, @Nullable FirstStage stage) {
        this(recipe, encoder, SpreadEncoder.cached(recipe, encoder, shape(kind)), kind, stage);
    }

    private static VectorCache.Shape shape(Kind kind) {
        return kind instanceof MaxSim.Late late ? VectorCache.Shape.ofTokens(late.number()) : VectorCache.Shape.SEVERAL;
    }

    /**
     * Creates a retriever of an encoder with one vector per text, with exact search.
     *
     * @param files required before opening; empty without files
     * @param opener loads the encoder; its vectors are cached by space and text
     * @param reader opens the truncation probe; null if truncation is unknown
     */
    public static VectorRetriever dense(
            Recipe recipe,
            List<ModelFiles> files,
            Function<Engine, TextEncoder> opener,
            @Nullable Function<Engine, TextReader> reader,
            Attribution attribution) {
        double bytes = recipe.dimension() * (double) Float.BYTES;
        Model.Encoder plain = new Model.Encoder(
                files, recipe instanceof EmbeddingApiRecipe, opener, null, reader, attribution, bytes);
        Function<Engine, VectorSource> vectors = SpreadEncoder.cached(recipe, plain, VectorCache.Shape.ONE);
        return new VectorRetriever(recipe, plain.withVectors(vectors), vectors, VectorSettings.USUAL, null);
    }

    /**
     * Creates a retriever whose vectors are computed from another model's.
     *
     * @param recipe that wraps the other
     * @param bytes of a vector in an index
     * @param vectors opens the computed vectors, without encoding twice
     */
    public static VectorRetriever derived(
            Recipe recipe, Model.Encoder inner, double bytes, Function<Engine, VectorSource> vectors) {
        Model.Encoder encoder = new Model.Encoder(
                inner.files(), inner.isService(), inner.opener(), vectors, inner.reader(), Attribution.WRAPPED, bytes);
        return new VectorRetriever(recipe, encoder, vectors, settings(recipe).byProduct(), null);
    }

    VectorRetriever with(VectorSettings search) {
        return new VectorRetriever(recipe, encoder, vectors, search, stage);
    }

    /**
     * Returns the retriever of a recipe around this one's, with an encoder of several vectors per text.
     *
     * @param change of the truncation probe
     */
    public VectorRetriever with(
            Recipe around, Function<Engine, TextEncoder> opener, UnaryOperator<Function<Engine, TextReader>> change) {
        Model.Encoder several = new Model.Encoder(
                encoder.files(),
                encoder.isService(),
                opener,
                null,
                encoder.withTruncationProbe(change).reader(),
                new Attribution.None("has several vectors of a passage"),
                encoder.bytes());
        return new VectorRetriever(around, several, kind, stage);
    }

    /** Returns this with other vectors. */
    public VectorRetriever from(Function<Engine, VectorSource> view) {
        return new VectorRetriever(recipe, encoder, view, kind, stage);
    }

    /** Returns true if the vectors of a recipe's innermost model are scaled to length 1. */
    public static boolean normalises(Recipe recipe) {
        return settings(recipe).normalise();
    }

    /** Returns the settings of a recipe's innermost model; the usual ones if it has none. */
    private static VectorSettings settings(Recipe recipe) {
        return recipe.innermost().retriever() instanceof VectorRetriever own
                        && own.kind instanceof VectorSettings settings
                ? settings
                : VectorSettings.USUAL;
    }

    @Override
    public Optional<Model> model() {
        return Optional.of(encoder);
    }

    @Override
    public Optional<FirstStage> firstStage() {
        return Optional.ofNullable(stage);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        if (stage != null) {
            return stage.open(dataset, () -> scorer(dataset, engine), engine);
        }
        Opened opened = new Opened(vectors.apply(engine), engine);
        VectorIndex index = Closing.onFailure(() -> opened.index(dataset, null, true), opened.source::close);
        return Searcher.of(
                (queries, k) -> opened.search(dataset, index, queries, k), index::close, opened.source::close);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        Opened opened = new Opened(vectors.apply(engine), engine);
        if (kind instanceof MaxSim.Late) {
            // A passage has a vector per token: only candidates are encoded.
            return PoolScorer.of(
                    (texts, pool) -> {
                        try (VectorIndex index = opened.index(texts, pool.candidates(), false)) {
                            return opened.score(texts, index, pool);
                        }
                    },
                    opened.source::close);
        }
        return PoolScorer.perTexts(
                corpus,
                texts -> {
                    VectorIndex index = opened.index(texts, null, false);
                    return PoolScorer.of((same, pool) -> opened.score(texts, index, pool), index::close);
                },
                opened.source::close);
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        boolean isCounted = engine.calls().includes(encoder.isService());
        if (stage != null && pool == null) {
            CallEstimate first = stage.calls(dataset, engine);
            return isCounted ? first.plus(calls(dataset, stage.candidates(dataset, engine), engine)) : first;
        }
        if (!isCounted) {
            return CallEstimate.NONE;
        }
        // A service's vectors of a pool are those of all its texts; of a vector per token, only candidates are encoded.
        BitSet only = pool == null || !(kind instanceof MaxSim.Late) ? null : pool.candidates();
        try (VectorSource source = vectors.apply(engine)) {
            CallEstimate passages = source.estimate(
                    sink -> dataset.passages().inFileOrder((ordinal, passage) -> {
                        if (only == null || only.get(ordinal)) {
                            sink.accept(passage.content());
                        }
                    }),
                    Role.PASSAGE);
            return passages.plus(source.estimate(
                    sink -> dataset.judgedQueries().forEach(query -> sink.accept(query.text())), Role.QUERY));
        }
    }

    @Override
    public Optional<Preview> preview() {
        return Optional.ofNullable(encoder.reader()).map(open -> (dataset, engine) -> {
            try (TextReader texts = open.apply(engine)) {
                SearchReport own = SearchReport.of(new TruncationProbe(recipe, dataset, engine).passages(texts));
                return stage == null ? own : stage.preview(own, dataset, engine);
            }
        });
    }

    private final class Opened {
        private final VectorSource source;
        private final Engine engine;

        Opened(VectorSource source, Engine engine) {
            this.source = source;
            this.engine = engine;
        }

        /**
         * @param candidates to encode alone; null for all passages
         * @param searches false to score candidates only
         */
        VectorIndex index(Dataset texts, @Nullable BitSet candidates, boolean searches) {
            EncodedPassages passages = candidates == null
                    ? EncodedPassages.of(texts, source, encoder.isService())
                    : EncodedPassages.of(texts, source, candidates);
            return switch (kind) {
                case VectorSettings settings -> settings.open(passages, engine, "index " + texts.name(), searches);
                case MaxSim.Late late -> new MaxSim(passages, late, engine);
                case InvertedIndex.Sparse sparse -> new InvertedIndex(passages, engine.threads());
            };
        }

        RetrievedRun search(Dataset corpus, VectorIndex index, List<Query> queries, int k) {
            Vectors asked = encode(queries);
            Ranking[] rankings;
            try (Progress.Step step = start(queries.size() * index.pieces())) {
                rankings = index.search(asked, k, step);
            }
            Run run = Run.of(corpus, queries, Arrays.asList(index.passages.byOrdinal(rankings)));
            return new RetrievedRun(run, report(index, asked, index.recall(asked, k, rankings)));
        }

        RetrievedRun score(Dataset texts, VectorIndex index, Run pool) {
            List<Query> queries = Pool.queries(texts, pool);
            Vectors asked = encode(queries);
            Ranking[] rankings;
            try (Progress.Step step = start(queries.size())) {
                rankings = index.score(asked, pool);
                step.advance(queries.size());
            }
            Run run = new Run(pool.passages(), pool.queries(), Arrays.asList(rankings));
            return new RetrievedRun(run, report(index, asked, Map.of()));
        }

        private Progress.Step start(long total) {
            return engine.progress().start("search with " + recipe.name(), total);
        }

        private Vectors encode(List<Query> queries) {
            Vectors asked;
            try {
                asked = source.encode(
                        queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
            } catch (ApiException refusal) {
                throw queries.stream()
                        .filter(query -> refusal.isOf(query.text()))
                        .findFirst()
                        .map(query -> refusal.named("query " + query.id()))
                        .orElse(refusal);
            }
            for (int q = 0; q < queries.size(); q++) {
                if (asked.rows(q) == 0) {
                    throw new PosbiasException("query " + queries.get(q).id() + " failed: it has no tokens to compare");
                }
            }
            return asked;
        }

        private SearchReport report(VectorIndex index, Vectors asked, Map<String, Double> recall) {
            EncodedPassages passages = index.passages;
            Map<String, Double> stats = new LinkedHashMap<>(index.size());
            if (encoder.isService()) {
                SearchStat.BLANK.put(passages.missing(), stats);
            }
            if (recipe.innermost() instanceof EmbeddingApiRecipe own
                    && own.service().cuts()) {
                SearchStat cut =
                        own.service().hasTokenizer() ? SearchStat.CUT_BY_TOKENIZER : SearchStat.CUT_BY_ESTIMATE;
                cut.put(passages.vectors().cut() + asked.cut(), stats);
            }
            SearchStat.ZEROS.put(passages.vectors().zeros(), stats);
            SearchStat.QUERY_ZEROS.put(asked.zeros(), stats);
            stats.putAll(recall);
            return new SearchReport(
                    Truncations.of(passages.truncation(recipe, asked.cut())), null, stats, source.usage());
        }
    }
}
