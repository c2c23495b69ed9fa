package io.posbias.probe.redocred;

/**
 * What queries must fulfil to be used in a probe. All but {@link #singleEvidence} and {@link #singleRelation} are about
 * annotated mentions, not about the text.
 */
final class Filters {
    private Filters() {}

    /** F1: one sentence alone is the evidence. */
    static boolean singleEvidence(ProbeQuery query) {
        return query.label().evidence().size() == 1;
    }

    /** F2: the evidence mentions the head exactly once. */
    static boolean headOnceInEvidence(ProbeQuery query) {
        return query.head().mentionsIn(query.evidence()) == 1;
    }

    /** F3: all mentions of the head have one name. */
    static boolean headHasOneName(ProbeQuery query) {
        return query.head().names().size() == 1;
    }

    /** F4: all mentions of the tail have one name. */
    static boolean tailHasOneName(ProbeQuery query) {
        return query.tail().names().size() == 1;
    }

    /** F5: the document mentions the head once. */
    static boolean headMentionedOnce(ProbeQuery query) {
        return query.head().mentions().size() == 1;
    }

    /** F6: the document mentions the head at least twice. */
    static boolean headMentionedAgain(ProbeQuery query) {
        return query.head().mentions().size() >= 2;
    }

    /** F7: the document states one relation between head and tail, not several. */
    static boolean singleRelation(ProbeQuery query) {
        Label label = query.label();
        return query.document().labels().stream()
                        .filter(other -> other.head() == label.head() && other.tail() == label.tail())
                        .count()
                == 1;
    }

    /** STRICT's base: F1, and the evidence mentions head and tail, as the paper's section 3.1 says. */
    static boolean evidenceMentionsBoth(ProbeQuery query) {
        return singleEvidence(query)
                && query.head().isMentionedIn(query.evidence())
                && query.tail().isMentionedIn(query.evidence());
    }

    /** No sentence but the evidence contains head or tail: the S without h and t of the paper's equations 4 and 8. */
    static boolean restIsFree(ProbeQuery query) {
        return query.document().allBut(query.evidence()).stream()
                .noneMatch(sentence -> containsEither(query, sentence));
    }

    private static boolean containsEither(ProbeQuery query, int sentence) {
        return query.document().contains(query.head(), sentence)
                || query.document().contains(query.tail(), sentence);
    }
}
