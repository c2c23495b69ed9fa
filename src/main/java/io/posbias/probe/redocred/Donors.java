package io.posbias.probe.redocred;

import io.posbias.probe.NumpyPermutation;
import io.posbias.probe.Spaces;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Unrelated articles whose first sentences surround the evidence in the foil and poison probes. */
final class Donors {
    static final List<Integer> GIVEN = List.of(0, 1, 2, 3);

    /** Relations and types are looked at in the first two sentences only. */
    private static final int LAST_SCREENED = 1;

    private final List<Donor> donors;

    private record Donor(RedocredDocument document, Set<String> relations, Set<String> types) {}

    /** The articles that the pool's queries are from and that are long enough. */
    Donors(QueryPool pool) {
        Map<String, RedocredDocument> articles = new LinkedHashMap<>();
        pool.queries().forEach(query -> articles.putIfAbsent(query.title(), query.document()));
        donors = articles.values().stream()
                .filter(document -> document.size() >= GIVEN.size())
                .map(document -> new Donor(document, relations(document), types(document)))
                .toList();
    }

    private static Set<String> relations(RedocredDocument document) {
        return document.labels().stream()
                .filter(label -> label.evidence().stream().anyMatch(sentence -> sentence <= LAST_SCREENED))
                .map(Label::relation)
                .collect(Collectors.toSet());
    }

    private static Set<String> types(RedocredDocument document) {
        return document.entities().stream()
                .filter(entity -> entity.firstSentence() <= LAST_SCREENED)
                .map(Entity::type)
                .collect(Collectors.toSet());
    }

    int size() {
        return donors.size();
    }

    /** The articles that begin with nothing like the answer: other title, not its relation, not its type. */
    List<RedocredDocument> of(ProbeQuery query) {
        List<String> names = names(query);
        return donors.stream()
                .filter(donor -> !donor.document().title().equals(query.title())
                        && !donor.types().contains(query.tail().type())
                        && !donor.relations().contains(query.relation())
                        && GIVEN.stream().noneMatch(sentence -> donor.document().holds(sentence, names)))
                .map(Donor::document)
                .toList();
    }

    /** One of them, by the query's own seed: the same in every sample. Empty where there is none. */
    Optional<RedocredDocument> draw(ProbeQuery query) {
        return NumpyPermutation.draw(of(query), 1, query.ordinal()).stream().findFirst();
    }

    /** Returns the names of head and tail, {@link Spaces#aligned}, that no donor may hold. */
    private static List<String> names(ProbeQuery query) {
        return Stream.of(query.head(), query.tail())
                .flatMap(entity -> entity.names().stream())
                .map(Spaces::aligned)
                .toList();
    }
}
