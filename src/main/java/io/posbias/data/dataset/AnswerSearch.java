package io.posbias.data.dataset;

import io.posbias.base.json.Fields;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evidence of queries whose rows have their answers' texts. Without a span it is the only place of the first answer that
 * stands in a relevant passage. A span that neither holds an answer nor stands in one is moved to the nearest answer.
 */
final class AnswerSearch {
    private final String name;
    private final Map<String, List<Place>> places = new HashMap<>();
    private final AnswerOffsets offsets = new AnswerOffsets();
    private final Counted unsettled = new Counted();
    private final Counted moved = new Counted();
    private final Counted kept = new Counted();
    private final Counted located = new Counted();
    private final Counted folded = new Counted();
    private final Counted repeated = new Counted();
    private final Counted absent = new Counted();

    private record Place(String passage, Evidence evidence, boolean isFolded) {}

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
        Answers.first(passage.text(), answers, answer -> answer)
                .ifPresent(found -> CodePoints.fromUtf16(passage.text(), found.places())
                        .forEach(place -> places.computeIfAbsent(query.id(), id -> new ArrayList<>())
                                .add(new Place(
                                        passage.id(),
                                        evidence(query.evidence(), passage.text(), place),
                                        found.isFolded()))));
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
        List<Place> all = places.getOrDefault(query.id(), List.of());
        List<Place> exact = all.stream().filter(place -> !place.isFolded).toList();
        List<Place> found = exact.isEmpty() ? all : exact;
        (found.isEmpty() ? absent : found.size() > 1 ? repeated : located).add(row, query);
        if (found.size() != 1) {
            return query;
        }
        Place only = found.getFirst();
        if (only.isFolded) {
            folded.add(row, query);
        }
        return query.at(only.evidence, several ? only.passage : query.passage());
    }

    /** Returns false if answers of a query stand in the passage, and none of them at its span. */
    boolean stands(Fields row, Query query, List<String> answers, Passage passage) {
        Evidence evidence = query.evidence();
        if (evidence == null || answers.isEmpty()) {
            return true;
        }
        Span span = new Span(evidence.start(), evidence.end());
        if (!offsets.add(query.id(), passage.id(), passage.text(), span, answers)) {
            kept.add(row, query);
            return true;
        }
        return offsets.stands(query.id());
    }

    /** True if an answer does not stand at its span, so that all spans are to be {@link #settled}. */
    boolean isOff() {
        return offsets.isOff();
    }

    /** Returns the evidence of a query with answers, without a span if these fit several places; empty for others. */
    Optional<Evidence> settled(Fields row, Query query, Passage passage) {
        Evidence evidence = query.evidence();
        if (evidence == null || !offsets.has(query.id())) {
            return Optional.empty();
        }
        Optional<Span> place = offsets.place(query.id());
        if (place.isEmpty()) {
            unsettled.add(row, query);
            int unknown = Evidence.UNKNOWN;
            return Optional.of(
                    new Evidence(unknown, unknown, unknown, evidence.tokenLength(), evidence.labels(), null));
        }
        if (place.get().start() != evidence.start()) {
            moved.add(row, query);
        }
        return Optional.of(evidence(evidence, passage.text(), place.get()));
    }

    /** Describes what was found, moved and missed. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        located.note(notes, "query", "without a span: evidence found by the answer's text");
        folded.note(notes, "query", "whose answer stands in its passage " + Answers.FOLDED);
        repeated.note(notes, "query", "without a position: the answer stands in several places of relevant passages");
        absent.note(notes, "query", "without a position: no answer stands in a relevant passage");
        moved.note(notes, "span", "moved" + offsets + " to the answer's text");
        unsettled.note(
                notes, "query", "without a position: the answer stands in several places, none of them at the span");
        kept.note(notes, "span", "kept although no answer stands in the passage");
        return notes.stream().map(note -> name + ": " + note).toList();
    }
}
