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
import java.util.function.Predicate;

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
        List<Predicate<Query>> groups = new ArrayList<>();
        for (int bucket = 0; bucket < buckets; bucket++) {
            int wanted = bucket;
            groups.add(query -> Arrays.stream(bucketsOf.apply(query)).anyMatch(found -> found == wanted));
        }
        return drawPerGroup(queries, n, seed, groups, Query::id);
    }

    /** FineWeb-PosQ-Tiny: 1,000 of each label after one shuffle, then question texts seen before are dropped. */
    private static List<Query> fineWebTiny(List<Query> queries) {
        List<Predicate<Query>> groups = new ArrayList<>();
        for (String label : FINEWEB_LABELS) {
            groups.add(query ->
                    query.evidence() != null && query.evidence().labels().contains(label));
        }
        return drawPerGroup(queries, FINEWEB_TINY_PER_LABEL, PAPER_SEED, groups, Query::text);
    }

    /** @param key of which one query is kept */
    private static List<Query> drawPerGroup(
            List<Query> queries, int n, int seed, List<Predicate<Query>> groups, Function<Query, String> key) {
        List<Query> shuffled = shuffled(queries, seed);
        Set<String> taken = new HashSet<>();
        return groups.stream()
                .flatMap(group -> shuffled.stream().filter(group).limit(n).filter(query -> taken.add(key.apply(query))))
                .toList();
    }

    private static <T> List<T> shuffled(List<T> queries, int seed) {
        List<T> shuffled = new ArrayList<>(queries);
        new PythonShuffle(seed).shuffle(shuffled);
        return shuffled;
    }
}
