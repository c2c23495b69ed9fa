package io.posbias.probe.redocred;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which sentences of a query's article the answer and foil probes put together.
 *
 * @param profile which reading of the paper
 * @param tailByName whether the notebooks looked for the tail's name too; those of single sentences did not
 */
record AnswerSentences(PaperVariant profile, boolean tailByName) {
    AnswerSentences(PaperVariant profile) {
        this(profile, true);
    }

    /** The queries with evidence that names the answer, and a sentence about the head that does not. */
    Selection select(QueryPool pool) {
        return pool.evident(profile, "one evidence sentence", ProbeQuery::singleEvidence)
                .keep(
                        "one name each, head once in the evidence and again elsewhere",
                        query -> query.headOnceInEvidence()
                                && query.headMentionedAgain()
                                && query.headHasOneName()
                                && (!tailByName || query.tailHasOneName()))
                .keep("a sentence with the head only", query -> headOnly(query).isPresent());
    }

    /** A sentence that mentions the head once and does not help with the answer. */
    Optional<Integer> headOnly(ProbeQuery query) {
        return headSentences(query)
                .filter(sentence -> sentence != query.evidence()
                        && query.head().mentionsIn(sentence) == 1
                        && !helps(query, sentence))
                .findFirst();
    }

    /** The notebooks take the first mention listed, which need not be the first in the text. */
    private Stream<Integer> headSentences(ProbeQuery query) {
        Stream<Integer> listed = query.head().mentions().stream().map(Mention::sentence);
        return profile == PaperVariant.STRICT ? listed.sorted() : listed;
    }

    /** What surrounds both texts: no evidence, no head-only sentence, no help; in STRICT no head either. */
    List<Integer> rest(ProbeQuery query) {
        int headOnly = headOnly(query).orElseThrow();
        return query.document().allBut(query.evidence()).stream()
                .filter(sentence -> sentence != headOnly && !helps(query, sentence))
                .filter(sentence ->
                        profile == PaperVariant.COMPAT || !query.document().contains(query.head(), sentence))
                .toList();
    }

    /** Whether a sentence names the tail, or is evidence of a label with the same relation or about the same tail. */
    private boolean helps(ProbeQuery query, int sentence) {
        Label asked = query.label();
        return namesTail(query, sentence)
                || query.document().labels().stream()
                        .filter(label -> label.evidence().contains(sentence))
                        .anyMatch(label -> label.relation().equals(asked.relation())
                                || label.tail() == asked.tail()
                                || label.head() == asked.tail());
    }

    private boolean namesTail(ProbeQuery query, int sentence) {
        if (profile == PaperVariant.STRICT) {
            return query.document().contains(query.tail(), sentence);
        }
        return tailByName
                && query.document()
                        .sentence(sentence)
                        .contains(query.tail().mentions().getFirst().name());
    }
}
