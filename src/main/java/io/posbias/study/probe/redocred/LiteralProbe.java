package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Shape;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.List;

/**
 * An article with the head under its longest or shortest name, queried with either (section 3.3.3): four scores per query, in
 * two records with its id. Tag {@code query_name} is the question's name, {@code name1} and {@code name2} the texts'; text1 has
 * the question's. The paper's comparisons are LL-LS, SS-SL (the headline), LL-SL, LL-SS and SS-LS.
 */
record LiteralProbe() implements Probe {
    static final ProbeType TYPE = new ProbeType(
            "literal",
            Shape.NAMES,
            "long or short name in question and text; positive: prefers the same words",
            "the same words (SS - SL)",
            false);

    /** The headline as pairs, as released by the authors. */
    static final ProbeType SHORT = ProbeType.pairs(
            ProbeType.LITERAL_SHORT,
            "short name in question and text - long name in the text; positive: prefers the same words",
            "the same words (SS - SL)");

    private static final int SEED = 1;

    @Override
    public int seed() {
        return SEED;
    }

    @Override
    public Selection select(QueryPool pool) {
        return pool.evident()
                .keep("head with two names", query -> !query.headHasOneName())
                .firstPerTitle();
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        String longName = query.head().longestName();
        String shortName = query.head().shortestOtherName();
        Composition longText = named(query, longName);
        Composition shortText = named(query, shortName);
        return List.of(
                record(query, longText, shortText, "long", "short"),
                record(query, shortText, longText, "short", "long").asking(query.text(shortName)));
    }

    private ProbeRecord record(ProbeQuery query, Composition same, Composition other, String asked, String not) {
        return ProbeRecord.of(TYPE, query, same, other)
                .with("short_name", query.head().shortestOtherName())
                .with("query_name", asked)
                .with("name1", asked)
                .with("name2", not);
    }

    /** The article with one name for every mention of the head. */
    private Composition named(ProbeQuery query, String name) {
        RedocredDocument document = query.document();
        Composition text = new Composition();
        for (int sentence : document.all()) {
            String replaced = document.renamed(sentence, query.head(), name);
            text.add(document, sentence, replaced);
        }
        return text;
    }
}
