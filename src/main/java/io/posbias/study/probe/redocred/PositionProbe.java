package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.List;

/**
 * Evidence first against evidence last (equation 8): text1 = evidence + rest, text2 = rest + evidence. A higher score of text1
 * prefers the beginning.
 */
record PositionProbe() implements Probe {
    static final ProbeType TYPE = ProbeType.pairs(
            "position", "evidence first - evidence last; positive: prefers the beginning", "the beginning");

    private static final int SENTENCES = 5;

    @Override
    public Selection select(QueryPool pool) {
        return pool.restFree()
                .keep(
                        "at least " + SENTENCES + " sentences",
                        query -> query.document().size() >= SENTENCES)
                .lastPerTitle(1);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        RedocredDocument document = query.document();
        List<Integer> rest = document.allBut(query.evidence());
        Composition first = new Composition().add(document, query.evidence()).add(document, rest);
        Composition last = new Composition().add(document, rest).add(document, query.evidence());
        return List.of(ProbeRecord.of(TYPE, query, first, last));
    }
}
