package io.posbias.probe.redocred;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds queries that another article answers as well: it has the same relation of a head of that name, or some relation
 * between entities of the two names, in either direction. The authors looked in 105,925 articles.
 */
final class Duplicates {
    /** The articles that state what answers a query of ours, for each such fact. */
    private final Map<List<String>, Set<String>> titles = new HashMap<>();

    /**
     * @param queries all of them
     * @param corpus files with more articles, which are looked through without being held in memory
     */
    Duplicates(Collection<ProbeQuery> queries, RedocredCorpus corpus) {
        queries.forEach(query -> facts(query).forEach(fact -> titles.put(fact, new HashSet<>())));
        queries.forEach(this::note);
        corpus.forEach(document -> document.labels().stream()
                .filter(label -> !QueryPool.SKIPPED.contains(label.relation()))
                .forEach(label -> note(new ProbeQuery(0, "", document, label, ""))));
    }

    private void note(ProbeQuery query) {
        facts(query)
                .flatMap(fact -> Stream.of(fact, fact.reversed()))
                .map(titles::get)
                .filter(Objects::nonNull)
                .forEach(known -> known.add(query.title()));
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
