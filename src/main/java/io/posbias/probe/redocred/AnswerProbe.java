package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.List;

/**
 * The answer against its absence (equation 1): text1 = evidence + rest, text2 = a sentence that names only the head +
 * rest. A score that is greater for text1 rewards the answer.
 */
final class AnswerProbe implements Probe {
    static final ProbeType TYPE =
            ProbeType.accuracy("answer", "with the answer - without; positive: the answer counts", "the answer");

    private final AnswerSentences sentences;

    AnswerProbe(Profile profile) {
        sentences = AnswerSentences.of(profile);
    }

    @Override
    public ProbeType type() {
        return TYPE;
    }

    @Override
    public Selection select(QueryPool pool) {
        return sentences.select(pool).lastPerTitle(3);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        int headOnly = sentences.headOnly(query).orElseThrow();
        List<Integer> rest = sentences.rest(query);
        RedocredDocument document = query.document();
        Composition answered = new Composition().add(document, query.evidence()).add(document, rest);
        Composition unanswered = new Composition().add(document, headOnly).add(document, rest);
        return List.of(ProbeRecord.pair(name(), query, answered, unanswered).with("head_only", headOnly));
    }
}
