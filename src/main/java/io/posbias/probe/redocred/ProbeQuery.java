package io.posbias.probe.redocred;

/**
 * A question that one label of a document answers.
 *
 * @param ordinal its number in walk order over all documents, from 0: the seed of what is drawn for it
 * @param id {@code test<k>} or {@code validation<k>}, k counting the split's labels that are not skipped
 * @param document where it is answered
 * @param label the relation that it asks for
 * @param template its question with a slot for the head's name; empty where there is none, and then no probe uses it
 */
record ProbeQuery(int ordinal, String id, RedocredDocument document, Label label, String template) {
    String title() {
        return document.title();
    }

    String relation() {
        return label.relation();
    }

    Entity head() {
        return document.entity(label.head());
    }

    Entity tail() {
        return document.entity(label.tail());
    }

    /** The first evidence sentence; probes ask only of queries that have just one. */
    int evidence() {
        return label.evidence().getFirst();
    }

    /** The question, with the head's longest name. */
    String text() {
        return text(head().longestName());
    }

    /** The question about a head of that name. */
    String text(String name) {
        return QuestionTemplates.fill(template, name);
    }
}
