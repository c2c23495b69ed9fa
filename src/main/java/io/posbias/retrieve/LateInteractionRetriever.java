package io.posbias.retrieve;

import io.posbias.Closing;
import io.posbias.Fields;
import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.VectorCache;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.check.TokenCheck;
import io.posbias.encode.model.TokenEncoder;
import io.posbias.encode.model.TokenVectors;
import io.posbias.encode.onnx.ModelFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One vector a token, compared by {@link MaxSim}: over the whole corpus, or over what a first stage finds.
 *
 * @param mean whether the score is the mean over the query's tokens
 */
record LateInteractionRetriever(
        Recipe recipe,
        ModelFiles model,
        boolean mean,
        @Nullable FirstStage firstStage) implements Retriever {
    static LateInteractionRetriever of(Recipe recipe) {
        Fields fields = recipe.settings();
        recipe.refuseOthers(TokenEncoder.FIELDS, FirstStage.FIELDS, List.of("score"));
        String score = fields.text("score", "sum");
        if (!score.equals("sum") && !score.equals("mean")) {
            throw fields.bad("score", "is " + Printable.quoted(score), "it is sum or mean");
        }
        if (!fields.has("first-stage") && fields.has("depth")) {
            throw fields.bad("depth", "has no meaning without first-stage", "remove it, or name one");
        }
        return new LateInteractionRetriever(
                recipe,
                TokenEncoder.check(recipe.name(), fields),
                score.equals("mean"),
                fields.has("first-stage") ? FirstStage.of(recipe, "") : null);
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Engine engine) {
        return reading()
                .estimateFirst(dataset, engine)
                .map(Reading.FirstCalls::calls)
                .orElse(CallEstimate.NONE);
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Run pool, Engine engine) {
        return CallEstimate.NONE;
    }

    @Override
    public double vectorBytes(double texts, double tokens) {
        return tokens * recipe.settings().integer("dimension", 0) * format().bytes();
    }

    @Override
    public Reading reading() {
        return firstStage == null
                ? new Reading(Reading.Unit.TEXTS, 0, null)
                : new Reading(Reading.Unit.TEXTS, firstStage.depth(), firstStage.recipe());
    }

    @Override
    public List<ModelFiles> files() {
        List<ModelFiles> all = new ArrayList<>(List.of(model));
        if (firstStage != null) {
            all.addAll(firstStage.retriever().files());
        }
        return all;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return open(dataset, engine, () -> firstStage == null ? null : firstStage.open(dataset, engine));
    }

    @Override
    public RetrievedRun score(Dataset dataset, Run pool, Engine engine) {
        // Whatever its own first stage is, the pool is in its place.
        FirstStage given = new FirstStage(recipe, dataset.passages().size());
        try (Searcher searcher = open(dataset, engine, () -> new FirstStage.Opened(given, new Pool.Given(pool)))) {
            return RetrievedRun.by(searcher, Pool.queries(dataset, pool), Integer.MAX_VALUE);
        }
    }

    private Searcher open(Dataset dataset, Engine engine, Supplier<FirstStage.@Nullable Opened> first) {
        CachedEncoder encoder = encoder(engine);
        FirstStage.@Nullable Opened opened = Closing.onFailure(first, encoder::close);
        return Closing.onFailure(() -> new Corpus(dataset, encoder, opened, engine), encoder::close, () -> {
            if (opened != null) {
                opened.searcher().close();
            }
        });
    }

    private CachedEncoder encoder(Engine engine) {
        TextEncoder texts = engine.workers().any() ? new SpreadEncoder(recipe, engine) : tokens(engine);
        return new CachedEncoder(texts, recipe.name(), engine, format());
    }

    @Override
    public Optional<Function<Engine, TextEncoder>> encoder() {
        return Optional.of(this::tokens);
    }

    @Override
    public Optional<Function<Engine, TextReader>> reader() {
        return Optional.of(engine -> TokenEncoder.reader(recipe.name(), recipe.settings(), engine));
    }

    @Override
    public Optional<SearchReport.Preview> preview() {
        return Optional.of((dataset, engine) -> {
            try (TextReader texts = TokenEncoder.reader(recipe.name(), recipe.settings(), engine)) {
                Coverage own = Coverage.read(recipe, dataset, texts, engine);
                return firstStage == null
                        ? SearchReport.ofCoverages(List.of(own))
                        : firstStage.preview(own, dataset, engine);
            }
        });
    }

    private TokenEncoder tokens(Engine engine) {
        return TokenEncoder.open(recipe.name(), recipe.settings(), engine);
    }

    private VectorCache.NumberFormat format() {
        return TokenEncoder.format(recipe.name(), recipe.settings());
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        try (TokenEncoder encoder = tokens(engine)) {
            return Optional.of(TokenCheck.of(encoder, engine));
        }
    }

    @Override
    public Attribution attribution() {
        boolean half = format() == VectorCache.NumberFormat.FLOAT16;
        Attribution.Exact exact = engine -> {
            TokenEncoder encoder = tokens(engine);
            return new Attributor(
                    passage -> encoder.tokens(passage).rounded(half),
                    query -> TokenVectors.rounded(encoder.query(query), half),
                    Attributor.byMaximum(mean),
                    encoder::close);
        };
        return exact;
    }

    /** A corpus in vectors of tokens, or as much of it as a first stage finds. */
    private final class Corpus implements Searcher {
        private final Dataset dataset;
        private final CachedEncoder encoder;
        private final FirstStage.@Nullable Opened first;
        private final Engine engine;
        private final MaxSim maxSim;
        private SearchReport report = SearchReport.NONE;

        Corpus(Dataset dataset, CachedEncoder encoder, FirstStage.@Nullable Opened first, Engine engine) {
            this.dataset = dataset;
            this.encoder = encoder;
            this.first = first;
            this.engine = engine;
            this.maxSim = new MaxSim(encoder.dimension(), mean);
        }

        @Override
        public Run search(List<Query> queries, int k) {
            Run pool = first == null ? null : first.search(queries);
            BitSet wanted = new BitSet();
            wanted.set(0, dataset.passages().size());
            EncodedPassages passages =
                    EncodedPassages.of(dataset, encoder, pool == null ? wanted : FirstStage.candidates(pool));
            Vectors vectors = encoder.encode(
                    queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
            refuseEmpty(queries, vectors);
            Ranking[] rankings = new Ranking[queries.size()];
            try (Progress.Step step = engine.progress().start("search with " + recipe.name(), queries.size())) {
                if (pool == null) {
                    searchAll(vectors, passages.vectors(), k, rankings, step);
                } else {
                    searchPool(vectors, passages, pool, k, rankings, step);
                }
            }
            Coverage coverage = passages.coverage(recipe, vectors.cut());
            SearchReport found = first == null || pool == null
                    ? new SearchReport(List.of(coverage), null, Map.of(), encoder.effort())
                    : first.report(pool, coverage, encoder.effort());
            report = found.with(size(passages.vectors()));
            return Run.of(dataset, queries, Arrays.asList(rankings));
        }

        /** What passages that were encoded take on average; nothing where none was. */
        private Map<String, Double> size(Vectors passages) {
            Map<String, Double> size = new LinkedHashMap<>();
            IntStream.range(0, passages.size())
                    .mapToLong(passages::rows)
                    .average()
                    .ifPresent(each -> {
                        size.put(SearchReport.VECTORS, each);
                        size.put(SearchReport.BYTES, each * passages.dimension() * format().bytes());
                    });
            return size;
        }

        /** A query without a token has no score. */
        private static void refuseEmpty(List<Query> queries, Vectors vectors) {
            for (int q = 0; q < queries.size(); q++) {
                if (vectors.rows(q) == 0) {
                    throw new PosbiasException("query " + queries.get(q).id() + " failed: it has no token to compare");
                }
            }
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

        private void searchPool(
                Vectors queries, EncodedPassages passages, Run pool, int k, Ranking[] rankings, Progress.Step step) {
            Parallel.forChunks(engine.threads(), queries.size(), 1, () -> {
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
                        rankings[q] = Ranking.of(candidates, scores).top(k);
                    }
                    step.advance(last - first);
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
            if (first != null) {
                first.searcher().close();
            }
            encoder.close();
        }
    }
}
