package io.posbias.probe;

import java.util.List;

/**
 * The answer against its absence without anything around it: text1 = evidence, text2 = a sentence that names only the
 * head. The caption of the paper's Figure 3 reads like this; its formula and numbers are those of {@link AnswerProbe}.
 */
final class AnswerSingleProbe implements Probe {
    private final AnswerSentences sentences;

    AnswerSingleProbe(Profile profile) {
        sentences = AnswerSentences.alone(profile);
    }

    @Override
    public String name() {
        return "answer-single";
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
