package io.posbias.data.convert;

import io.posbias.data.dataset.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Draws queries of a benchmark; the corpus stays whole. Draws shuffle the queries in file order with {@link
 * PythonShuffle}, so the papers' subsets can be reproduced.
 */
public final class Sampler {
    public static final int PAPER_SEED = 42;

    private static final int SQUAD_TINY = 10_000;
    private static final int FINEWEB_TINY_PER_LABEL = 1_000;
    private static final List<String> FINEWEB_LABELS = List.of("beginning", "middle", "end");

    public static final Map<String, Function<List<Query>, List<Query>>> RECIPES = recipes();

    private Sampler() {}

    private static Map<String, Function<List<Query>, List<Query>>> recipes() {
        Map<String, Function<List<Query>, List<Query>>> recipes = new LinkedHashMap<>();
        recipes.put("squad-posq-tiny", queries -> draw(queries, SQUAD_TINY, PAPER_SEED));
        recipes.put("fineweb-posq-tiny", Sampler::fineWebTiny);
        return Collections.unmodifiableMap(recipes);
    }

    /** The first {@code n} queries after a shuffle. */
    public static <T> List<T> draw(List<T> queries, int n, int seed) {
        List<T> shuffled = shuffled(queries, seed);
        return List.copyOf(shuffled.subList(0, Math.min(n, shuffled.size())));
    }

    /**
     * The first {@code n} queries of each bucket after one shuffle, bucket after bucket; a query in several buckets is
     * drawn once.
     */
    public static List<Query> drawPerBucket(
            List<Query> queries, int n, int seed, int buckets, Function<Query, int[]> bucketsOf) {
        List<Query> shuffled = shuffled(queries, seed);
        Set<String> taken = new HashSet<>();
        List<Query> drawn = new ArrayList<>();
        for (int bucket = 0; bucket < buckets; bucket++) {
            int wanted = bucket;
            shuffled.stream()
                    .filter(query -> Arrays.stream(bucketsOf.apply(query)).anyMatch(found -> found == wanted))
                    .limit(n)
                    .filter(query -> taken.add(query.id()))
                    .forEach(drawn::add);
        }
        return drawn;
    }

    /** FineWeb-PosQ-Tiny: 1,000 of each label after one shuffle, then question texts seen before are dropped. */
    private static List<Query> fineWebTiny(List<Query> queries) {
        List<Query> shuffled = shuffled(queries, PAPER_SEED);
        Set<String> seen = new HashSet<>();
        List<Query> drawn = new ArrayList<>();
        for (String label : FINEWEB_LABELS) {
            shuffled.stream()
                    .filter(query -> query.evidence() != null
                            && query.evidence().labels().contains(label))
                    .limit(FINEWEB_TINY_PER_LABEL)
                    .filter(query -> seen.add(query.text()))
                    .forEach(drawn::add);
        }
        return drawn;
    }

    private static <T> List<T> shuffled(List<T> queries, int seed) {
        List<T> shuffled = new ArrayList<>(queries);
        new PythonShuffle(seed).shuffle(shuffled);
        return shuffled;
    }
}
