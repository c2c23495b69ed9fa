package io.posbias.probe.redocred;

import java.util.List;
import java.util.Optional;

/** Sentences that the answer and foil probes combine. */
final class AnswerSentences {
    private AnswerSentences() {}

    /** Queries whose evidence names the answer, with a sentence about the head that does not. */
    static Selection select(QueryPool pool) {
        return pool.evident()
                .keep(
                        "one name each, head once in the evidence and again elsewhere",
                        query -> query.headOnceInEvidence()
                                && query.headMentionedAgain()
                                && query.headHasOneName()
                                && query.tailHasOneName())
                .keep("a sentence with the head only", query -> headOnly(query).isPresent());
    }

    /** The first sentence that mentions the head once and does not help with the answer. */
    static Optional<Integer> headOnly(ProbeQuery query) {
        return query.head().mentions().stream()
                .map(Mention::sentence)
                .sorted()
                .filter(sentence -> sentence != query.evidence()
                        && query.head().mentionsIn(sentence) == 1
                        && !helps(query, sentence))
                .findFirst();
    }

    /** Sentences around both texts: no evidence, no sentence with the head, no help. */
    static List<Integer> rest(ProbeQuery query) {
        int headOnly = headOnly(query).orElseThrow();
        return query.document().allBut(query.evidence()).stream()
                .filter(sentence -> sentence != headOnly && !helps(query, sentence))
                .filter(sentence -> !query.document().contains(query.head(), sentence))
                .toList();
    }

    /** True if a sentence names the tail, or is evidence of a label with the same relation or about the same tail. */
    private static boolean helps(ProbeQuery query, int sentence) {
        Label asked = query.label();
        return query.document().contains(query.tail(), sentence)
                || query.document().labels().stream()
                        .filter(label -> label.evidence().contains(sentence))
                        .anyMatch(label -> label.relation().equals(asked.relation())
                                || label.tail() == asked.tail()
                                || label.head() == asked.tail());
    }
}
