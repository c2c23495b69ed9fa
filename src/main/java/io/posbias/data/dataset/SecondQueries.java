package io.posbias.data.dataset;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The queries with a second evidence of a benchmark that is being read, by a list or by the text of their evidence. */
public final class SecondQueries {
    private static final String QUERY = "query_id";
    private static final String SECOND = "second";

    private final SingleEvidence how;
    private final String benchmark;
    private final Map<String, Boolean> listed;
    private final Set<String> found = new HashSet<>();
    private final List<String> notes = new ArrayList<>();

    SecondQueries(SingleEvidence how, String benchmark) {
        this.how = how;
        this.benchmark = benchmark;
        this.listed = how.list() == null ? Map.of() : read(how.list());
        listed.forEach((id, second) -> {
            if (second) {
                found.add(id);
            }
        });
    }

    /**
     * Recognises queries by a list.
     *
     * @param list rows of {@code diagnose second-evidence}
     * @throws BadInputException for a malformed or empty list
     */
    public static SingleEvidence listed(Path list) {
        byte[] content = Json.toLine(new TreeMap<>(read(list)));
        return new SingleEvidence(list.toAbsolutePath().normalize(), Checksums.sha256(content));
    }

    private static Map<String, Boolean> read(Path list) {
        Map<String, Boolean> listed = new HashMap<>();
        RowFile.open(list).forEach(row -> {
            String side = row.oneOf(SECOND, "", SecondEvidence.Side.WORDS);
            if (listed.put(row.id(QUERY), !side.equals(SecondEvidence.Side.NONE.toString())) != null) {
                throw row.bad(QUERY, "is " + Printable.quoted(row.id(QUERY)) + " once more", "one row for each query");
            }
        });
        if (listed.isEmpty()) {
            throw new BadInputException(
                    Location.of(list), "has no rows", "posbias diagnose second-evidence --out FILE writes them");
        }
        return listed;
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

    private static String whole(Query query) {
        return query.variant() == null ? query.id() : query.variant().of();
    }

    List<String> notes() {
        return notes;
    }
}
