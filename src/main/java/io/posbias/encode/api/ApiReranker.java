package io.posbias.encode.api;

import io.posbias.Fields;
import io.posbias.Parallel;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.PairScorer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A vendor's reranker. */
public final class ApiReranker implements PairScorer {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = RerankSettings.FIELDS;

    private static final int CALLS = 4;

    private final RerankSettings settings;
    private final RerankApi api;
    private final ApiMeter meter = new ApiMeter();
    private final String space;

    /** Prepares to ask the service that a recipe describes; its key is in the session's environment. */
    public ApiReranker(Fields fields, Engine engine) {
        this.settings = RerankSettings.of(fields);
        this.space = fields.fingerprint(FIELDS);
        this.api = new RerankApi(settings, ApiConnection.of(settings.api(), engine.session(), meter, engine.calls()));
    }

    /** A check of a recipe's fields that touches no network and asks for no key. */
    public static void check(Fields fields) {
        RerankSettings.of(fields);
    }

    @Override
    public String space() {
        return space;
    }

    @Override
    public Map<String, Number> effort() {
        return meter.figures();
    }

    @Override
    public Work prepare(List<Pair> pairs) {
        List<List<Integer>> queries = byQuery(pairs);
        return sink -> Parallel.forChunks(CALLS, queries.size(), 1, () -> (from, to) -> {
            for (List<Integer> places : queries.subList(from, to)) {
                sink.accept(score(pairs, places));
            }
        });
    }

    private static List<List<Integer>> byQuery(List<Pair> pairs) {
        return List.copyOf(IntStream.range(0, pairs.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> pairs.get(i).query(), LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    /** The query counts once per passage, as vendors bill it. */
    @Override
    public CallEstimate estimate(List<Pair> pairs) {
        long calls = byQuery(pairs).stream()
                .mapToLong(places -> api.batches(
                                pairs.get(places.getFirst()).query(),
                                places.stream().map(i -> pairs.get(i).passage()).toList())
                        .size())
                .sum();
        long tokens = pairs.stream()
                .mapToLong(pair -> CallEstimate.tokens(pair.query()) + CallEstimate.tokens(pair.passage()))
                .sum();
        return settings.api().estimate(calls, pairs.size(), tokens);
    }

    private List<Scored> score(List<Pair> pairs, List<Integer> places) {
        String query = pairs.get(places.getFirst()).query();
        List<String> passages = places.stream().map(i -> pairs.get(i).passage()).toList();
        float[] scores = api.score(query, passages);
        return IntStream.range(0, scores.length)
                .mapToObj(i -> {
                    int seen = Texts.seen(settings.maxTokens(), query, passages.get(i));
                    return new Scored(places.get(i), scores[i], seen, false);
                })
                .toList();
    }

    @Override
    public void close() {
        api.close();
    }
}
