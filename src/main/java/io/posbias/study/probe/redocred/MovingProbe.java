package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Shape;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.ArrayList;
import java.util.List;

/**
 * Evidence at each of ten places (equation 3, figure 4): one record per place, tag {@code position} 1 to 10, with the rest in
 * its order. The test is score(p) - score(1).
 */
record MovingProbe() implements Probe {
    static final ProbeType TYPE = new ProbeType(
            "moving",
            Shape.PLACES,
            "evidence at a later place - at place 1; negative: prefers the beginning",
            null,
            false);

    private static final int POSITIONS = 10;
    /** Documents of nine sentences have nine places. */
    private static final int SENTENCES = 9;

    /** Without the paper's cap of two queries per article, which leaves too few. */
    @Override
    public Selection select(QueryPool pool) {
        return pool.restFree()
                .keep(
                        "at least " + SENTENCES + " sentences",
                        query -> query.document().size() >= SENTENCES);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        List<Integer> rest = query.document().allBut(query.evidence());
        List<ProbeRecord> records = new ArrayList<>();
        for (int position = 0; position < POSITIONS && position <= rest.size(); position++) {
            records.add(moved(query, rest, position).with("position", position + 1));
        }
        return records;
    }

    private ProbeRecord moved(ProbeQuery query, List<Integer> rest, int place) {
        Composition text = new Composition()
                .add(query.document(), rest.subList(0, place))
                .add(query.document(), query.evidence())
                .add(query.document(), rest.subList(place, rest.size()));
        return ProbeRecord.of(TYPE, query, text, null);
    }
}
