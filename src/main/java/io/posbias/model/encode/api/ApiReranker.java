package io.posbias.model.encode.api;

import io.posbias.base.process.Parallel;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A vendor's reranker. */
public final class ApiReranker implements PairScorer {
    private final RerankSettings settings;
    private final Dialect dialect;
    private final ApiConnection connection;

    /** Prepares to ask a service; its key is in the session's environment. */
    public ApiReranker(RerankSettings settings, Engine engine) {
        this(settings, ApiConnection.of(settings.api(), engine.session(), new ApiMeter(), engine.calls()));
    }

    ApiReranker(RerankSettings settings, ApiConnection connection) {
        this.settings = settings;
        this.dialect = settings.dialect();
        this.connection = connection;
    }

    @Override
    public String space() {
        return settings.space();
    }

    @Override
    public Map<String, Number> usage() {
        return connection.usage();
    }

    @Override
    public PairWork prepare(List<TextPair> pairs) {
        List<List<Integer>> queries = byQuery(pairs);
        return sink -> Parallel.forChunks(settings.api().wire().callsAtOnce(), queries.size(), 1, () -> (from, to) -> {
            for (List<Integer> places : queries.subList(from, to)) {
                sink.accept(score(pairs, places));
            }
        });
    }

    private static List<List<Integer>> byQuery(List<TextPair> pairs) {
        return List.copyOf(IntStream.range(0, pairs.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> pairs.get(i).query(), LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    /** The query counts once per passage, as vendors bill it. */
    @Override
    public CallEstimate estimate(List<TextPair> pairs) {
        long calls = byQuery(pairs).stream()
                .mapToLong(places -> batches(
                                pairs.get(places.getFirst()).query(),
                                places.stream().map(i -> pairs.get(i).passage()).toList())
                        .size())
                .sum();
        long tokens = pairs.stream()
                .mapToLong(pair -> CallEstimate.tokens(pair.query()) + CallEstimate.tokens(pair.passage()))
                .sum();
        return settings.api().estimate(calls, pairs.size(), tokens);
    }

    private List<Scored> score(List<TextPair> pairs, List<Integer> places) {
        String query = pairs.get(places.getFirst()).query();
        List<String> passages = places.stream().map(i -> pairs.get(i).passage()).toList();
        float[] scores;
        try {
            scores = score(query, passages);
        } catch (ApiException refusal) {
            throw refusal.of(passages::get, "Give the service shorter passages, or leave this one out.");
        }
        return IntStream.range(0, scores.length)
                .mapToObj(i -> {
                    int seen = Texts.seen(settings.limit(), query, passages.get(i));
                    return new Scored(places.get(i), scores[i], seen, false);
                })
                .toList();
    }

    private List<Batch> batches(String query, List<String> passages) {
        Batch.Limits limits = new Batch.Limits(settings.mostDocuments(), dialect.mostTokens());
        return Batch.divide(passages, limits, CallEstimate.tokens(query));
    }

    /**
     * Scores passages for a query, in one call or several after each other, within the vendor's limits. An empty text is
     * sent as one space.
     *
     * @return a finite score per passage, in their order; higher is better
     * @throws ApiException when the vendor refuses, stays silent, or answers with something else
     */
    float[] score(String query, List<String> passages) {
        Map<Dialect.Part, Object> parts = new EnumMap<>(Dialect.Part.class);
        parts.put(Dialect.Part.QUERY, Texts.sendable(query));
        parts.put(Dialect.Part.TRUNCATE, settings.truncates());
        settings.limit().ifPresent(most -> parts.put(Dialect.Part.MAX_TOKENS, most));
        float[] scores = new float[passages.size()];
        int next = 0;
        for (Batch batch : batches(query, passages)) {
            List<Float> some = scores(batch, passages, parts);
            for (float score : some) {
                if (!Float.isFinite(score)) {
                    throw connection.wrong("a score is " + score).at(next);
                }
                scores[next++] = score;
            }
        }
        return scores;
    }

    private List<Float> scores(Batch batch, List<String> passages, Map<Dialect.Part, Object> parts) {
        try {
            return connection.ask(
                    batch.of(passages).stream().map(Texts::sendable).toList(),
                    some -> {
                        parts.put(Dialect.Part.TEXTS, some);
                        return dialect.body(settings.api(), parts);
                    },
                    json -> Reply.scores(json, dialect.answer()),
                    "documents-per-call");
        } catch (ApiException refusal) {
            throw refusal.after(batch.from());
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
