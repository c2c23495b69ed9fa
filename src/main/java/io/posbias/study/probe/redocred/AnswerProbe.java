package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import io.posbias.study.probe.redocred.RedocredDocument.Mention;
import java.util.List;
import java.util.Optional;

/**
 * The answer against its absence (equation 1): text1 = evidence + rest, text2 = a sentence that names only the head + rest. A
 * higher score of text1 rewards the answer. {@code alone} omits the rest from both texts, as in the caption of the paper's
 * Figure 3; its formula and numbers include it.
 */
record AnswerProbe(boolean alone) implements Probe {
    static final ProbeType TYPE =
            ProbeType.accuracy("answer", "with the answer - without; positive: the answer counts", "the answer");
    static final ProbeType SINGLE = ProbeType.accuracy(
            "answer-single", "the answer's sentence - one without, alone; positive: the answer counts", "the answer");

    @Override
    public Selection select(QueryPool pool) {
        Selection selected = AnswerSentences.select(pool);
        return alone ? selected : selected.lastPerTitle(3);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        int headOnly = AnswerSentences.headOnly(query).orElseThrow();
        List<Integer> rest = alone ? List.of() : AnswerSentences.rest(query);
        RedocredDocument document = query.document();
        Composition answered = new Composition().add(document, query.evidence()).add(document, rest);
        Composition unanswered = new Composition().add(document, headOnly).add(document, rest);
        return List.of(ProbeRecord.of(alone ? SINGLE : TYPE, query, answered, unanswered)
                .with("head_only", headOnly));
    }

    /** Sentences that the answer and foil probes combine. */
    static final class AnswerSentences {
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
                    .keep(
                            "a sentence with the head only",
                            query -> headOnly(query).isPresent());
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
}
