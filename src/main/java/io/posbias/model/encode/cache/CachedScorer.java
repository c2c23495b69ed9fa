package io.posbias.model.encode.cache;

import io.posbias.base.process.Closing;
import io.posbias.base.process.Progress;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Cross-encoder with a score cache on disk, as {@link CachedEncoder}. */
public final class CachedScorer implements AutoCloseable {
    /** The score, and 1 if the query was truncated. */
    private static final int NUMBERS = 2;

    private final PairScorer scorer;
    private final CallLimit calls;
    private final VectorCache cache;
    private final AtomicLong scored = new AtomicLong();
    private final AtomicLong known = new AtomicLong();

    /**
     * @param scorer closed with this
     * @param model the recipe's name
     */
    public CachedScorer(PairScorer scorer, String model, Engine engine) {
        this.scorer = scorer;
        this.calls = engine.calls();
        this.cache = Closing.onFailure(
                () -> VectorCache.open(
                        engine,
                        model,
                        VectorCache.space(scorer.space(), scorer, engine),
                        NUMBERS,
                        VectorCache.Shape.ONE),
                scorer::close);
    }

    /** A text's key, so that a passage that occurs with many queries is digested once. */
    public static final class KeyedText {
        private final Key key;

        public KeyedText(Role role, String text) {
            this.key = Key.of(role, text);
        }
    }

    /**
     * Pairs of some queries.
     *
     * @param passages returns a pair's passage, only called for pairs that are not cached
     */
    public record KeyedPairs(
            List<String> queries,
            List<KeyedText> queryKeys,
            List<KeyedText> passageKeys,
            IntFunction<String> passages) {}

    /** A cached score; as {@link PairScorer.Scored}. */
    public record PairScore(float score, int seen, boolean queryCut) {}

    public int window() {
        return scorer.window();
    }

    /**
     * Scores the pairs that are not cached, and returns all scores in the order of the pairs.
     *
     * @param step counts pairs
     */
    public List<PairScore> score(KeyedPairs pairs, Progress.Step step) {
        List<Key> keys = new ArrayList<>(pairs.queries.size());
        Map<Key, PairScorer.TextPair> missing = missing(pairs, keys);
        step.advance((long) keys.size() - missing.size());
        if (!missing.isEmpty()) {
            run(List.copyOf(missing.keySet()), List.copyOf(missing.values()), step);
        }
        return keys.stream().map(this::read).toList();
    }

    /** Estimates the service calls for pairs that are not cached and in no earlier estimate of the engine. */
    public CallEstimate estimate(KeyedPairs pairs) {
        Map<Key, PairScorer.TextPair> missing = missing(pairs, new ArrayList<>());
        missing.keySet().removeIf(key -> !calls.isFirst(scorer.space(), key));
        return scorer.estimate(List.copyOf(missing.values()));
    }

    /**
     * Returns the pairs that are not cached, each once.
     *
     * @param keys receives the keys of all pairs
     */
    private Map<Key, PairScorer.TextPair> missing(KeyedPairs pairs, List<Key> keys) {
        Map<Key, PairScorer.TextPair> missing = new LinkedHashMap<>();
        for (int i = 0; i < pairs.queries.size(); i++) {
            Key key = Key.of(pairs.queryKeys.get(i).key, pairs.passageKeys.get(i).key);
            keys.add(key);
            if (cache.find(key) >= 0) {
                known.incrementAndGet();
            } else if (!missing.containsKey(key)) {
                missing.put(key, new PairScorer.TextPair(pairs.queries.get(i), pairs.passages.apply(i)));
            }
        }
        return missing;
    }

    private void run(List<Key> keys, List<PairScorer.TextPair> missing, Progress.Step step) {
        scorer.prepare(missing).run(batch -> {
            cache.append(batch.stream()
                    .map(one -> new VectorCache.CachedText(keys.get(one.pair()), encoded(one)))
                    .toList());
            scored.addAndGet(batch.size());
            step.advance(batch.size());
        });
    }

    private static TextEncoder.Encoded encoded(PairScorer.Scored scored) {
        float[] numbers = {scored.score(), scored.queryCut() ? 1 : 0};
        return new TextEncoder.Encoded(scored.pair(), numbers, 1, scored.seen());
    }

    private PairScore read(Key key) {
        long place = cache.find(key);
        float[] numbers = new float[NUMBERS];
        cache.read(place, FloatBuffer.wrap(numbers));
        return new PairScore(numbers[0], cache.seen(place), numbers[1] != 0);
    }

    /** Counts pairs scored and cache hits; a service's calls and dollars. */
    public Map<String, Number> usage() {
        Map<String, Number> usage = new LinkedHashMap<>();
        usage.put("pairs_scored", scored.get());
        usage.put("pairs_from_cache", known.get());
        usage.putAll(scorer.usage());
        return usage;
    }

    @Override
    public void close() {
        scorer.close();
        cache.close();
    }
}
