package io.posbias.encode.api;

import io.posbias.Fields;
import io.posbias.Parallel;
import io.posbias.encode.Engine;
import io.posbias.encode.PairScorer;
import io.posbias.encode.TextEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A vendor's reranker. */
public final class ApiReranker implements PairScorer {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = RerankSettings.FIELDS;

    /** Calls under way at a time. */
    private static final int CALLS = 4;

    private final RerankApi api;
    private final ApiMeter meter = new ApiMeter();
    private final int maxTokens;
    private final String space;

    private ApiReranker(Fields fields, Engine engine) {
        RerankSettings settings = RerankSettings.of(fields);
        this.maxTokens = settings.maxTokens().orElse(0);
        this.space = fields.fingerprint(FIELDS);
        this.api = new RerankApi(settings, engine.session().environment(), meter, engine::say);
    }

    /** A check of a recipe's fields that touches no network and asks for no key. */
    public static void check(Fields fields) {
        RerankSettings.of(fields);
    }

    /** Prepares to ask the service that a recipe describes; its key is in the session's environment. */
    public static ApiReranker open(Fields fields, Engine engine) {
        return new ApiReranker(fields, engine);
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
        Map<String, List<Integer>> byQuery = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i++) {
            byQuery.computeIfAbsent(pairs.get(i).query(), query -> new ArrayList<>())
                    .add(i);
        }
        List<Map.Entry<String, List<Integer>>> queries = List.copyOf(byQuery.entrySet());
        return sink -> Parallel.forChunks(CALLS, queries.size(), 1, () -> (from, to) -> {
            for (int q = from; q < to; q++) {
                List<Integer> places = queries.get(q).getValue();
                List<String> passages =
                        places.stream().map(i -> pairs.get(i).passage()).toList();
                float[] scores = api.score(queries.get(q).getKey(), passages);
                List<Scored> scored = new ArrayList<>(scores.length);
                for (int i = 0; i < scores.length; i++) {
                    int seen = seen(queries.get(q).getKey(), passages.get(i));
                    scored.add(new Scored(places.get(i), scores[i], seen, false));
                }
                sink.accept(scored);
            }
        });
    }

    /** No tokenizer makes more tokens than a text has bytes; beyond that only the vendor knows. */
    private int seen(String query, String passage) {
        long bytes =
                (long) query.getBytes(StandardCharsets.UTF_8).length + passage.getBytes(StandardCharsets.UTF_8).length;
        return maxTokens > 0 && bytes <= maxTokens ? TextEncoder.WHOLE : TextEncoder.UNKNOWN;
    }

    @Override
    public void close() {
        api.close();
    }
}
