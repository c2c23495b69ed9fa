package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.List;

/**
 * Evidence alone against evidence followed by the rest (equation 4): text1 = evidence, text2 = evidence + rest. A higher score
 * of text1 prefers the short text.
 */
record BrevityProbe() implements Probe {
    static final ProbeType TYPE = ProbeType.pairs(
            "brevity", "evidence alone - in its document; positive: prefers short texts", "short texts");

    /** The authors' seed for choosing one query per article. */
    private static final int ARTICLE_SEED = 0;

    @Override
    public Selection select(QueryPool pool) {
        return pool.restFree()
                .keep("at least 2 sentences", query -> query.document().size() >= 2)
                .anyPerTitle(ARTICLE_SEED);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        RedocredDocument document = query.document();
        Composition alone = new Composition().add(document, query.evidence());
        Composition all =
                new Composition().add(document, query.evidence()).add(document, document.allBut(query.evidence()));
        return List.of(ProbeRecord.of(TYPE, query, alone, all));
    }
}
