package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The queries with a second evidence of a benchmark that is being read, by a list or by the text of their evidence. */
final class SecondQueries {
    private final SingleEvidence how;
    private final String benchmark;
    private final Map<String, Boolean> listed;
    private final Set<String> found = new HashSet<>();
    private final List<String> notes = new ArrayList<>();

    SecondQueries(SingleEvidence how, String benchmark) {
        this.how = how;
        this.benchmark = benchmark;
        this.listed = how.listed();
        listed.forEach((id, second) -> {
            if (second) {
                found.add(id);
            }
        });
    }

    boolean isByText() {
        return how.list() == null;
    }

    /**
     * Looks for the evidence of queries in a passage.
     *
     * @param queries with this relevant passage alone
     */
    void look(List<Query> queries, Sentences passage) {
        for (Query query : queries) {
            Evidence evidence = query.evidence();
            if (evidence != null
                    && evidence.span() != null
                    && SecondEvidence.byText(passage, evidence.span())
                            .filter(SecondEvidence::isFound)
                            .isPresent()) {
                found.add(query.id());
            }
        }
    }

    /**
     * Compares a list with the benchmark.
     *
     * @throws BadInputException if it names no judged query
     */
    void checkList(Set<String> judged, Collection<String> withSpan) {
        Path list = how.list();
        if (list == null) {
            return;
        }
        if (judged.stream().noneMatch(listed::containsKey)) {
            throw new BadInputException(
                    Location.of(list),
                    "names no judged query of " + benchmark,
                    "the list belongs to another benchmark");
        }
        long unlisted = withSpan.stream()
                .filter(id -> judged.contains(id) && !listed.containsKey(id))
                .count();
        if (unlisted > 0) {
            notes.add(benchmark + ": " + list.getFileName() + " does not list " + Plural.of(unlisted, "query")
                    + " with a span, which are kept");
        }
    }

    /** Returns true for queries with a second evidence, and for all variants of one. */
    Predicate<Query> leftOut(Collection<Query> queries) {
        Set<String> wholes = queries.stream()
                .filter(query -> found.contains(query.id()))
                .map(SecondQueries::whole)
                .collect(Collectors.toSet());
        return query -> wholes.contains(whole(query));
    }

    /** Identifier that variants of a query share. */
    private static String whole(Query query) {
        return query.variant() == null ? query.id() : query.variant().of();
    }

    List<String> notes() {
        return notes;
    }
}
