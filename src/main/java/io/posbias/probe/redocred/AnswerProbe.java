package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.List;

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
}
