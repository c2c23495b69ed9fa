package io.posbias.probe.redocred;

import io.posbias.probe.NumpyPermutation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Queries that passed a sequence of filters.
 *
 * @param queries in pool order
 * @param steps remaining queries after each filter
 */
record Selection(List<ProbeQuery> queries, SequencedMap<String, Integer> steps) {
    /** All queries, under a first step. */
    static Selection of(String step, List<ProbeQuery> queries) {
        return new Selection(List.of(), new LinkedHashMap<>()).then(step, queries);
    }

    Selection keep(String step, Predicate<ProbeQuery> wanted) {
        return then(step, queries.stream().filter(wanted).toList());
    }

    /** The last {@code n} of each article, to balance articles. */
    Selection lastPerTitle(int n) {
        return then("the last " + n + " of an article", last(ProbeQuery::title, n));
    }

    Selection lastPerQuestion(int n) {
        return then("the last " + n + " with one question", last(ProbeQuery::text, n));
    }

    Selection firstPerTitle() {
        return then("the first of an article", first(queries));
    }

    /** The query of each article with the smallest number, the first of equals, in pool order. */
    Selection leastPerTitle(String step, ToIntFunction<ProbeQuery> number) {
        Map<Integer, Integer> numbers =
                queries.stream().collect(Collectors.toMap(ProbeQuery::ordinal, number::applyAsInt));
        List<ProbeQuery> rising = queries.stream()
                .sorted(Comparator.comparing(query -> Objects.requireNonNull(numbers.get(query.ordinal()))))
                .toList();
        return then(
                step,
                first(rising).stream()
                        .sorted(Comparator.comparingInt(ProbeQuery::ordinal))
                        .toList());
    }

    /** A random query of each article. */
    Selection anyPerTitle(int seed) {
        return then("one of an article", first(NumpyPermutation.draw(queries, queries.size(), seed)));
    }

    private static List<ProbeQuery> first(List<ProbeQuery> queries) {
        Map<String, ProbeQuery> first = new LinkedHashMap<>();
        queries.forEach(query -> first.putIfAbsent(query.title(), query));
        return List.copyOf(first.values());
    }

    private List<ProbeQuery> last(Function<ProbeQuery, String> key, int n) {
        Map<String, Integer> taken = new HashMap<>();
        List<ProbeQuery> kept = new ArrayList<>();
        for (ProbeQuery query : queries.reversed()) {
            if (taken.merge(key.apply(query), 1, Integer::sum) <= n) {
                kept.add(query);
            }
        }
        return List.copyOf(kept.reversed());
    }

    private Selection then(String step, List<ProbeQuery> left) {
        SequencedMap<String, Integer> taken = new LinkedHashMap<>(steps);
        taken.put(step, left.size());
        return new Selection(left, taken);
    }
}
