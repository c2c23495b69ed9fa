package io.posbias.probe.redocred;

import io.posbias.probe.NumpyPermutation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Queries that passed some steps of a choice, and how many passed each. Their order is that of the walk. */
final class Selection {
    private final List<ProbeQuery> queries;
    private final SequencedMap<String, Integer> steps;

    private Selection(List<ProbeQuery> queries, SequencedMap<String, Integer> steps) {
        this.queries = queries;
        this.steps = steps;
    }

    /** All queries there are, named by a first step. */
    static Selection of(String step, List<ProbeQuery> queries) {
        return new Selection(List.of(), new LinkedHashMap<>()).then(step, queries);
    }

    List<ProbeQuery> queries() {
        return queries;
    }

    /** How many queries were left after each step, in order. */
    SequencedMap<String, Integer> steps() {
        return Collections.unmodifiableSequencedMap(steps);
    }

    /** The queries that fulfil a condition. */
    Selection keep(String step, Predicate<ProbeQuery> wanted) {
        return then(step, queries.stream().filter(wanted).toList());
    }

    /** The last {@code n} of each article, so that no article outweighs the others. */
    Selection lastPerTitle(int n) {
        return then("the last " + n + " of an article", last(ProbeQuery::title, n));
    }

    /** The last {@code n} with the same question. */
    Selection lastPerQuestion(int n) {
        return then("the last " + n + " with one question", last(ProbeQuery::text, n));
    }

    /** The first of each article. */
    Selection firstPerTitle() {
        Map<String, ProbeQuery> first = new LinkedHashMap<>();
        queries.forEach(query -> first.putIfAbsent(query.title(), query));
        return then("the first of an article", List.copyOf(first.values()));
    }

    /** Some query of each article: the first after a shuffle. */
    Selection anyPerTitle(int seed) {
        List<ProbeQuery> shuffled = NumpyPermutation.draw(queries, queries.size(), seed);
        Map<String, ProbeQuery> any = new LinkedHashMap<>();
        shuffled.forEach(query -> any.putIfAbsent(query.title(), query));
        return then("one of an article", List.copyOf(any.values()));
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
