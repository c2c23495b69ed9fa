package io.posbias.probe.redocred;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds queries that another article answers as well: it has the same relation of a head of that name, or some relation
 * between entities of the two names, in either direction. The authors looked in 105,925 articles; here it is those given.
 */
final class Duplicates {
    private final Map<List<String>, Set<String>> titles = new HashMap<>();

    Duplicates(Collection<ProbeQuery> queries) {
        for (ProbeQuery query : queries) {
            facts(query).forEach(fact -> note(query, fact));
            facts(query).map(List::reversed).forEach(fact -> note(query, fact));
        }
    }

    private void note(ProbeQuery query, List<String> fact) {
        titles.computeIfAbsent(fact, unseen -> new HashSet<>()).add(query.title());
    }

    /** What answers a query: its relation of a name of the head, and any between a name of the head and one of the tail. */
    private static Stream<List<String>> facts(ProbeQuery query) {
        return query.head().names().stream()
                .flatMap(head -> Stream.concat(
                        Stream.of(List.of(head, "relation", query.relation())),
                        query.tail().names().stream().map(tail -> List.of(head, "pair", tail))));
    }

    /** Whether an article other than the query's own, which is always among them, states something that answers it. */
    boolean contains(ProbeQuery query) {
        return facts(query).anyMatch(fact -> titles.getOrDefault(fact, Set.of()).size() > 1);
    }
}
