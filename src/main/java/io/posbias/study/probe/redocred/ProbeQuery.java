package io.posbias.study.probe.redocred;

import io.posbias.study.probe.redocred.RedocredDocument.Entity;
import io.posbias.study.probe.redocred.RedocredDocument.Label;

/**
 * A question that a label of a document answers.
 *
 * <p>The filters are about annotated mentions, not about the text, except {@link #singleEvidence}, {@link #singleRelation} and
 * {@link #restIsFree}.
 *
 * @param ordinal number over all documents, from 0: the seed of its draws
 * @param id {@code test<k>} or {@code validation<k>}, k counting the split's labels that are not skipped
 * @param template question with a slot for the head's name; empty if there is none
 */
record ProbeQuery(int ordinal, String id, RedocredDocument document, Label label, String template) {
    String title() {
        return document.title();
    }

    String relation() {
        return label.relation();
    }

    Entity head() {
        return document.entities().get(label.head());
    }

    Entity tail() {
        return document.entities().get(label.tail());
    }

    /** The first evidence sentence. */
    int evidence() {
        return label.evidence().getFirst();
    }

    String text() {
        return text(head().longestName());
    }

    String text(String name) {
        return template.replace(QuestionTemplates.SLOT, name);
    }

    /** F1: one sentence alone is the evidence. */
    boolean singleEvidence() {
        return label.evidence().size() == 1;
    }

    /** F2: the evidence mentions the head exactly once. */
    boolean headOnceInEvidence() {
        return head().mentionsIn(evidence()) == 1;
    }

    /** F3: all mentions of the head have one name. */
    boolean headHasOneName() {
        return head().names().size() == 1;
    }

    /** F4: all mentions of the tail have one name. */
    boolean tailHasOneName() {
        return tail().names().size() == 1;
    }

    /** F6: the document mentions the head at least twice. */
    boolean headMentionedAgain() {
        return head().mentions().size() >= 2;
    }

    /** F7: the document states one relation between head and tail, not several. */
    boolean singleRelation() {
        return document.labels().stream()
                        .filter(other -> other.head() == label.head() && other.tail() == label.tail())
                        .count()
                == 1;
    }

    /** F1, and the evidence mentions head and tail (section 3.1). */
    boolean evidenceMentionsBoth() {
        return singleEvidence() && head().isMentionedIn(evidence()) && tail().isMentionedIn(evidence());
    }

    /** No sentence but the evidence contains head or tail: the S without h and t of equations 4 and 8. */
    boolean restIsFree() {
        return document.allBut(evidence()).stream()
                .noneMatch(sentence -> document.contains(head(), sentence) || document.contains(tail(), sentence));
    }
}
