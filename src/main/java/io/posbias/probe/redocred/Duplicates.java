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
 * Queries that another article answers: it states the same relation of the head's name, or any relation between both names, in
 * either direction. The authors searched 105,925 articles.
 */
final class Duplicates {
    /** Titles of the articles that state a fact. */
    private final Map<List<String>, Set<String>> titles = new HashMap<>();

    /**
     * @param corpus further articles, read as a stream
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

    /** Facts that answer a query: its relation of a head's name, and any relation between names of head and tail. */
    private static Stream<List<String>> facts(ProbeQuery query) {
        return query.head().names().stream()
                .flatMap(head -> Stream.concat(
                        Stream.of(List.of(head, "relation", query.relation())),
                        query.tail().names().stream().map(tail -> List.of(head, "pair", tail))));
    }

    /** Returns true if an article other than the query's own answers it. */
    boolean contains(ProbeQuery query) {
        return facts(query).anyMatch(fact -> titles.getOrDefault(fact, Set.of()).size() > 1);
    }
}
