package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.List;
import java.util.stream.Stream;

/**
 * More mentions of the head against fewer (equation 5): text1 = lead + two sentences with the head and without the tail,
 * text2 = lead + two with neither. The lead answers the query; a greater score for text1 likes repetition.
 */
record RepetitionProbe(PaperVariant profile) implements Probe {
    static final ProbeType TYPE = ProbeType.pairs(
            "repetition", "more mentions of the head - fewer; positive: likes repetition", "repetition");

    private static final int ADDED = 2;

    @Override
    public Selection select(QueryPool pool) {
        return pool.evident(
                        profile,
                        "one evidence sentence with one mention of the head",
                        query -> query.singleEvidence() && query.headOnceInEvidence())
                .keep("one relation", ProbeQuery::singleRelation)
                .keep(
                        "two sentences with the head only, two with neither",
                        query -> headOnly(query).count() >= ADDED
                                && neutral(query).count() >= ADDED)
                .firstPerTitle();
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        return List.of(ProbeRecord.of(TYPE, query, text(query, headOnly(query)), text(query, neutral(query))));
    }

    private Composition text(ProbeQuery query, Stream<Integer> added) {
        return new Composition()
                .add(query.document(), lead(query))
                .add(query.document(), added.limit(ADDED).toList());
    }

    /** The paper's lead is the evidence; the notebooks take the first sentence that mentions the tail. */
    private int lead(ProbeQuery query) {
        return profile == PaperVariant.STRICT ? query.evidence() : query.tail().firstSentence();
    }

    /** In COMPAT a sentence counts once for each mention, and the lead may be among them. */
    private Stream<Integer> headOnly(ProbeQuery query) {
        if (profile == PaperVariant.COMPAT) {
            return query.head().mentions().stream()
                    .map(Mention::sentence)
                    .sorted()
                    .filter(sentence -> !query.tail().isMentionedIn(sentence));
        }
        return others(query).filter(sentence -> query.document().contains(query.head(), sentence));
    }

    private Stream<Integer> neutral(ProbeQuery query) {
        if (profile == PaperVariant.COMPAT) {
            return query.document().all().stream()
                    .filter(sentence -> !query.head().isMentionedIn(sentence)
                            && !query.tail().isMentionedIn(sentence));
        }
        return others(query).filter(sentence -> !query.document().contains(query.head(), sentence));
    }

    private static Stream<Integer> others(ProbeQuery query) {
        return query.document().allBut(query.evidence()).stream()
                .filter(sentence -> !query.document().contains(query.tail(), sentence));
    }
}
