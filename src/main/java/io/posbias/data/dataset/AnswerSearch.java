package io.posbias.data.dataset;

import io.posbias.base.json.Fields;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evidence of queries whose rows have their answers' texts. Without a span it is the only place of the first answer that
 * stands in a relevant passage. A span that neither holds an answer nor stands in one is moved to the nearest answer.
 */
final class AnswerSearch {
    private final String name;
    private final Map<String, List<Place>> places = new HashMap<>();
    private final AnswerShifts shifts = new AnswerShifts();
    private final Counted moved = new Counted();
    private final Counted kept = new Counted();
    private final Counted located = new Counted();
    private final Counted repeated = new Counted();
    private final Counted absent = new Counted();

    private record Place(String passage, Evidence evidence) {}

    private static final class Counted {
        private int count;
        private String first = "";

        void add(Fields row, Query query) {
            first = count++ == 0
                    ? "query " + Printable.quoted(query.id()) + ", "
                            + row.where().inFolder()
                    : first;
        }

        void note(List<String> notes, String unit, String what) {
            if (count > 0) {
                notes.add(Plural.of(count, unit) + " " + what + " (first: " + first + ")");
            }
        }
    }

    /** @param name of the benchmark */
    AnswerSearch(String name) {
        this.name = name;
    }

    /** Looks for the answers of a query without a span in a relevant passage. */
    void look(Query query, List<String> answers, Passage passage) {
        answers.stream()
                .map(answer -> Answers.places(passage.text(), answer))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .ifPresent(found -> CodePoints.fromUtf16(passage.text(), found)
                        .forEach(place -> places.computeIfAbsent(query.id(), id -> new ArrayList<>())
                                .add(new Place(passage.id(), evidence(query.evidence(), passage.text(), place)))));
    }

    /**
     * @param known labels and tokens that the row has; null for none
     * @param points the place in code points
     */
    private static Evidence evidence(@Nullable Evidence known, String text, Span points) {
        return new Evidence(
                points.start(),
                points.end(),
                CodePoints.count(text),
                known == null ? Evidence.UNKNOWN : known.tokenLength(),
                known == null ? List.of() : known.labels(),
                CodePoints.toUtf16(text, points.start(), points.end()));
    }

    /**
     * Returns the query with the place that was found, after its passages were looked at.
     *
     * @param several true if several passages are relevant, so that the query names the one with its evidence
     */
    Query located(Fields row, Query query, boolean several) {
        List<Place> found = places.getOrDefault(query.id(), List.of());
        (found.isEmpty() ? absent : found.size() > 1 ? repeated : located).add(row, query);
        if (found.size() != 1) {
            return query;
        }
        Place only = found.getFirst();
        String passage = several ? only.passage : query.passage();
        return new Query(
                query.id(), query.text(), only.evidence, passage, query.excluded(), query.variant(), query.answers());
    }

    /** Returns the query's evidence, moved if its span and its answers are apart. */
    Evidence checked(Fields row, Query query, Evidence evidence, List<String> answers, Passage passage) {
        String text = passage.text();
        int length = CodePoints.count(text);
        Span span = CodePoints.toUtf16(text, Math.min(evidence.start(), length), Math.min(evidence.end(), length));
        List<Span> found = answers.stream()
                .flatMap(answer -> Answers.places(text, answer).stream())
                .sorted(Comparator.comparingInt(Span::start))
                .toList();
        if (found.stream().anyMatch(place -> holds(place, span) || holds(span, place))) {
            return evidence;
        }
        if (found.isEmpty()) {
            kept.add(row, query);
            return evidence;
        }
        moved.add(row, query);
        return evidence(evidence, text, shifts.choose(text, found, evidence.start()));
    }

    private static boolean holds(Span one, Span other) {
        return one.start() <= other.start() && other.end() <= one.end() && other.end() > other.start();
    }

    /** Describes what was found, moved and missed. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        located.note(notes, "query", "without a span: evidence found by the answer's text");
        repeated.note(notes, "query", "without a position: the answer stands in several places of relevant passages");
        absent.note(notes, "query", "without a position: no answer stands in a relevant passage");
        moved.note(notes, "span", "moved" + shifts + " to the answer's text");
        kept.note(notes, "span", "kept although no answer stands in the passage");
        return notes.stream().map(note -> name + ": " + note).toList();
    }
}
