package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Closing;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.model.encode.model.TokenVectors;
import io.posbias.rank.BestHits;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Late interaction: one vector per token, compared by {@link MaxSim}, over the whole corpus or a first stage's
 * candidates.
 *
 * @param mean true if the score is the mean over the query's tokens
 */
record LateInteractionRetriever(
        Recipe recipe,
        Model.Encoder encoder,
        VectorCache.Shape shape,
        boolean mean,
        @Nullable FirstStage stage) implements Retriever {
    /**
     * Recipe of late interaction.
     *
     * @param score of a passage over the query's tokens
     * @param firstStage null for a search of the whole corpus
     * @param depth of the first stage; null for the usual one
     */
    record LateRecipe(
            @JsonUnwrapped RecipeCard card,
            @JsonUnwrapped TokenEncoder.TokenSettings model,
            @Setting(words = {"sum", "mean"}) String score,
            @Nullable Recipe firstStage,
            @Setting(least = 1) @Nullable Integer depth)
            implements Recipe {
        LateRecipe {
            if (firstStage == null && depth != null) {
                throw new Setting.Wrong("depth", "has no meaning without first-stage", "remove it, or name one");
            }
            stage(firstStage, depth);
        }

        static @Nullable FirstStage stage(@Nullable Recipe first, @Nullable Integer depth) {
            return first == null ? null : new FirstStage(first, Objects.requireNonNullElse(depth, FirstStage.DEPTH));
        }

        @Override
        public int maxTokens() {
            return model.graph().maxTokens();
        }

        @Override
        public LateInteractionRetriever retriever() {
            Model.Encoder encoder = new Model.Encoder(
                    List.of(model.graph().files()),
                    false,
                    engine -> new TokenEncoder(model, engine),
                    null,
                    model::reader,
                    attribution(),
                    0);
            return new LateInteractionRetriever(
                    this, encoder, model.shape(), score.equals("mean"), stage(firstStage, depth));
        }

        private Attribution attribution() {
            boolean half = model.shape().format() == VectorCache.VectorFormat.FLOAT16;
            Attribution.Exact exact = engine -> {
                TokenEncoder encoder = new TokenEncoder(model, engine);
                return new Attributor(
                        passage -> encoder.tokens(passage).rounded(half),
                        query -> TokenVectors.rounded(encoder.query(query), half),
                        Attributor.byMaximum(score.equals("mean")),
                        encoder::close);
            };
            return exact;
        }
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
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        return stage == null || pool != null ? CallEstimate.NONE : stage.calls(dataset, engine);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        if (stage != null) {
            return TwoStageSearcher.open(dataset, stage, () -> scorer(dataset, engine), engine);
        }
        CachedEncoder encoder = cached(engine);
        return Closing.onFailure(() -> new Corpus(dataset, encoder, engine), encoder::close);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        CachedEncoder encoder = cached(engine);
        MaxSim maxSim =
                Closing.onFailure(() -> new MaxSim(encoder.dimension(), mean, engine.session()), encoder::close);
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                EncodedPassages passages = EncodedPassages.of(texts, encoder, pool.candidates());
                List<Query> asked = Pool.queries(texts, pool);
                Vectors queries = queries(asked, encoder);
                Ranking[] rankings;
                try (Progress.Step step = searching(engine, asked)) {
                    rankings = scored(queries, passages, pool, maxSim, engine.threads());
                    step.advance(asked.size());
                }
                SearchReport report = reportOf(passages, queries, encoder);
                return new RetrievedRun(new Run(pool.passages(), pool.queries(), Arrays.asList(rankings)), report);
            }

            @Override
            public void close() {
                maxSim.close();
                encoder.close();
            }
        };
    }

    private CachedEncoder cached(Engine engine) {
        return SpreadEncoder.cached(recipe, encoder.files().isEmpty(), encoder.opener(), shape, engine);
    }

    private Vectors queries(List<Query> queries, CachedEncoder encoder) {
        Vectors vectors = encoder.encode(
                queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
        for (int q = 0; q < queries.size(); q++) {
            if (vectors.rows(q) == 0) {
                throw new PosbiasException("query " + queries.get(q).id() + " failed: it has no tokens to compare");
            }
        }
        return vectors;
    }

    private Progress.Step searching(Engine engine, List<Query> queries) {
        return engine.progress().start("search with " + recipe.name(), queries.size());
    }

    private SearchReport reportOf(EncodedPassages passages, Vectors queries, CachedEncoder encoder) {
        TruncationReport truncation = passages.truncation(recipe, queries.cut());
        Map<String, Double> stats = passages.withZeros(size(passages.vectors()), queries);
        return new SearchReport(Truncations.of(truncation), null, stats, encoder.usage());
    }

    /** Returns the average size of encoded passages; empty for none. */
    private Map<String, Double> size(Vectors passages) {
        Map<String, Double> size = new LinkedHashMap<>();
        IntStream.range(0, passages.size()).mapToLong(passages::rows).average().ifPresent(each -> {
            size.put(SearchStat.VECTORS.key(), each);
            size.put(
                    SearchStat.BYTES.key(),
                    each * passages.dimension() * shape.format().bytes());
        });
        return size;
    }

    /**
     * @param queries of the pool
     */
    private static Ranking[] scored(Vectors queries, EncodedPassages passages, Run pool, MaxSim maxSim, int threads) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, rankings.length, 1, () -> {
            MaxSim.Worker worker = maxSim.worker();
            return (first, last) -> {
                for (int q = first; q < last; q++) {
                    int[] candidates = pool.ranking(q).passages();
                    int[] places = Arrays.stream(candidates)
                            .map(ordinal -> passages.places()[ordinal])
                            .toArray();
                    float[] scores = new float[places.length];
                    int[] next = {0};
                    worker.load(queries, q, q + 1, 1);
                    worker.score(passages.vectors(), places, (query, passage, score) -> scores[next[0]++] = score);
                    rankings[q] = Ranking.of(candidates, scores);
                }
            };
        });
        return rankings;
    }

    @Override
    public Optional<Preview> preview() {
        return TruncationProbe.preview(recipe, encoder.reader()).map(own -> (dataset, engine) -> {
            SearchReport alone = own.of(dataset, engine);
            return stage == null ? alone : stage.preview(alone, dataset, engine);
        });
    }

    /** Encoded corpus. */
    private final class Corpus implements Searcher {
        private final Dataset dataset;
        private final CachedEncoder encoder;
        private final Engine engine;
        private final MaxSim maxSim;
        private final EncodedPassages passages;
        private SearchReport report = SearchReport.NONE;

        Corpus(Dataset dataset, CachedEncoder encoder, Engine engine) {
            this.dataset = dataset;
            this.encoder = encoder;
            this.engine = engine;
            this.passages = EncodedPassages.ofAll(dataset, encoder);
            this.maxSim = new MaxSim(encoder.dimension(), mean, engine.session());
        }

        @Override
        public Run search(List<Query> queries, int k) {
            Vectors vectors = queries(queries, encoder);
            Ranking[] rankings = new Ranking[queries.size()];
            try (Progress.Step step = searching(engine, queries)) {
                searchAll(vectors, passages.vectors(), k, rankings, step);
            }
            report = reportOf(passages, vectors, encoder);
            return Run.of(dataset, queries, Arrays.asList(rankings));
        }

        private void searchAll(Vectors queries, Vectors passages, int k, Ranking[] rankings, Progress.Step step) {
            int[] all = IntStream.range(0, passages.size()).toArray();
            int[] starts = IntStream.iterate(0, from -> from < queries.size(), from -> MaxSim.blockEnd(queries, from))
                    .toArray();
            int kept = Math.min(k, all.length);
            Parallel.forChunks(engine.threads(), starts.length, 1, () -> {
                MaxSim.Worker worker = maxSim.worker();
                return (first, last) -> {
                    for (int b = first; b < last; b++) {
                        int from = starts[b];
                        int to = MaxSim.blockEnd(queries, from);
                        BestHits[] best = new BestHits[to - from];
                        Arrays.setAll(best, i -> BestHits.any(kept));
                        worker.load(queries, from, to, MaxSim.QUERY_TOKENS);
                        worker.score(passages, all, (query, passage, score) -> best[query].offer(passage, score));
                        for (int q = from; q < to; q++) {
                            rankings[q] = best[q - from].take();
                        }
                        step.advance(to - from);
                    }
                };
            });
        }

        @Override
        public SearchReport report() {
            return report;
        }

        @Override
        public void close() {
            maxSim.close();
            encoder.close();
        }
    }
}
