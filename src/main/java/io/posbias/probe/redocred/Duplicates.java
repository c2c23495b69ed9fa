package io.posbias.probe.redocred;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds queries that another article answers as well: it has the same relation of a head of that name, or some relation
 * between entities of the two names, in either direction. The authors looked in 105,925 articles; here it is those given.
 */
final class Duplicates {
    private final Map<List<String>, Set<String>> titles = new HashMap<>();

    Duplicates(Collection<ProbeQuery> queries) {
        for (ProbeQuery query : queries) {
            for (String head : query.head().names()) {
                note(query, "relation", head, query.relation());
                for (String tail : query.tail().names()) {
                    note(query, "pair", head, tail);
                    note(query, "pair", tail, head);
                }
            }
        }
    }

    private void note(ProbeQuery query, String... fact) {
        titles.computeIfAbsent(List.of(fact), unseen -> new HashSet<>()).add(query.title());
    }

    /** Whether an article other than the query's own states something that answers it. */
    boolean contains(ProbeQuery query) {
        for (String head : query.head().names()) {
            if (isElsewhere("relation", head, query.relation())) {
                return true;
            }
            for (String tail : query.tail().names()) {
                if (isElsewhere("pair", head, tail)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The query's own article is always among those that state the fact. */
    private boolean isElsewhere(String... fact) {
        return titles.getOrDefault(List.of(fact), Set.of()).size() > 1;
    }
}
