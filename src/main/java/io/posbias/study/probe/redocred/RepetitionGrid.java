package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Shape;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * All queries with their whole articles (figures 5, A.5 and A.6): mean scores by head mentions and article length, in cells of
 * the tags {@code heads_band} and {@code words_band}.
 */
final class RepetitionGrid implements Probe {
    static final ProbeType TYPE = new ProbeType("grid", Shape.GRID, "", null, false);

    /** Bands of head mentions by upper edge, from 1. */
    private static final NavigableMap<Integer, String> HEADS =
            Collections.unmodifiableNavigableMap(new TreeMap<>(Map.of(1, "1", 2, "2", 3, "3", 10, "4-10")));
    /** Bands of words of title and text by upper edge, from 131. */
    private static final NavigableMap<Integer, String> WORDS = Collections.unmodifiableNavigableMap(
            new TreeMap<>(Map.of(160, "131-160", 190, "161-190", 230, "191-230", 512, "231-512")));

    private static final int FEWEST_WORDS = 131;

    /** Cells use all queries. */
    @Override
    public int n() {
        return ProbeSample.ALL;
    }

    @Override
    public Selection select(QueryPool pool) {
        return pool.candidates()
                .keep(
                        "in a cell of the grid",
                        query -> heads(query) <= HEADS.lastKey()
                                && words(query) >= FEWEST_WORDS
                                && words(query) <= WORDS.lastKey());
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        int heads = heads(query);
        int words = words(query);
        RedocredDocument document = query.document();
        ProbeRecord record = ProbeRecord.of(TYPE, query, new Composition().add(document, document.all()), null);
        return List.of(record.with("heads", heads)
                .with("heads_band", HEADS.ceilingEntry(heads).getValue())
                .with("words", words)
                .with("words_band", WORDS.ceilingEntry(words).getValue()));
    }

    private static int heads(ProbeQuery query) {
        return query.head().mentions().size();
    }

    private static int words(ProbeQuery query) {
        return query.document().length();
    }
}
