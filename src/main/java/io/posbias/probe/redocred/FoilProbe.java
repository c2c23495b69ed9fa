package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.List;
import java.util.Optional;

/**
 * Evidence inside another article against a short text that repeats the head without an answer (equation 6): text1 = four
 * sentences + evidence + the same four, text2 = the head's name twice in quotes + a sentence that names only the head. A higher
 * score of text1 is right; published models rarely are.
 */
record FoilProbe(Donors donors) implements Probe {
    static final ProbeType TYPE = ProbeType.accuracy(
            "foil", "evidence in a long text - foil; negative: prefers the foil", "the evidence to the foil");

    FoilProbe(QueryPool pool) {
        this(new Donors(pool));
    }

    @Override
    public Selection select(QueryPool pool) {
        return AnswerSentences.select(pool).lastPerQuestion(2).lastPerTitle(3);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        return pair(TYPE, query, foil(query)).stream().toList();
    }

    /** The evidence document against a rival; empty without a donor. */
    Optional<ProbeRecord> pair(ProbeType probe, ProbeQuery query, Composition rival) {
        return donors.draw(query)
                .map(donor -> ProbeRecord.of(probe, query, surrounded(query, donor), rival)
                        .with("donor", donor.title())
                        .with("head_only", AnswerSentences.headOnly(query).orElseThrow())
                        .quoting(query.document().sentence(query.evidence())));
    }

    private static Composition surrounded(ProbeQuery query, RedocredDocument donor) {
        return new Composition()
                .add(donor, Donors.GIVEN)
                .add(query.document(), query.evidence())
                .add(donor, Donors.GIVEN);
    }

    /** The head's name twice, then a sentence about it. */
    Composition foil(ProbeQuery query) {
        String quoted = "\" " + query.head().longestName() + " \"";
        return new Composition()
                .addWords(quoted)
                .addWords(quoted)
                .add(query.document(), AnswerSentences.headOnly(query).orElseThrow());
    }
}
