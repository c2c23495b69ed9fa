package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.List;

/**
 * The answer against its absence without anything around it: text1 = evidence, text2 = a sentence that names only the
 * head. The caption of the paper's Figure 3 reads like this; its formula and numbers are those of {@link AnswerProbe}.
 */
final class AnswerSingleProbe implements Probe {
    static final ProbeType TYPE = ProbeType.accuracy(
            "answer-single", "the answer's sentence - one without, alone; positive: the answer counts", "the answer");

    private final AnswerSentences sentences;

    AnswerSingleProbe(Profile profile) {
        sentences = AnswerSentences.alone(profile);
    }

    @Override
    public ProbeType type() {
        return TYPE;
    }

    @Override
    public Selection select(QueryPool pool) {
        return sentences.select(pool);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        int headOnly = sentences.headOnly(query).orElseThrow();
        RedocredDocument document = query.document();
        return List.of(ProbeRecord.pair(
                        name(),
                        query,
                        new Composition().add(document, query.evidence()),
                        new Composition().add(document, headOnly))
                .with("head_only", headOnly));
    }
}
