package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import io.posbias.probe.Shapes;
import java.util.List;
import java.util.TreeMap;

/**
 * All queries with their whole articles (figures 5, A.5 and A.6): mean scores by how often the head is mentioned and how
 * long the article is. One text a record; the cell is in tags {@code heads_band} and {@code words_band}.
 */
final class RepetitionGrid implements Probe {
    static final ProbeType TYPE = new ProbeType("grid", Shapes.GRID, "", null, false);

    /** The greatest number of mentions in each band; the first begins at 1. */
    private static final TreeMap<Integer, String> HEADS = new TreeMap<>();
    /** The greatest number of words of title and text in each band; the first begins at 131. */
    private static final TreeMap<Integer, String> WORDS = new TreeMap<>();

    private static final int FEWEST_WORDS = 131;

    static {
        HEADS.put(1, "1");
        HEADS.put(2, "2");
        HEADS.put(3, "3");
        HEADS.put(10, "4-10");
        WORDS.put(160, "131-160");
        WORDS.put(190, "161-190");
        WORDS.put(230, "191-230");
        WORDS.put(512, "231-512");
    }

    @Override
    public ProbeType type() {
        return TYPE;
    }

    /** Means of cells are taken over all queries. */
    @Override
    public int n() {
        return ProbeSample.ALL;
    }

    @Override
    public Selection select(QueryPool pool) {
        return pool.candidates().keep("in a cell of the grid", query -> isInCell(heads(query), words(query)));
    }

    private static boolean isInCell(int heads, int words) {
        return heads <= HEADS.lastKey() && words >= FEWEST_WORDS && words <= WORDS.lastKey();
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        int heads = heads(query);
        int words = words(query);
        RedocredDocument document = query.document();
        ProbeRecord record = ProbeRecord.single(name(), query, Composition.of(document, document.all()));
        return List.of(record.with("heads", heads)
                .with("heads_band", HEADS.ceilingEntry(heads).getValue())
                .with("words", words)
                .with("words_band", WORDS.ceilingEntry(words).getValue()));
    }

    private static int heads(ProbeQuery query) {
        return query.head().mentions().size();
    }

    private static int words(ProbeQuery query) {
        return query.document().words();
    }
}
