package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The foil probe's evidence document against the foil followed by the evidence with a wrong answer (equation 7), without the
 * tail: text1 = as in foil, text2 = foil + poisoned evidence. A higher score of text1 is right.
 */
record PoisonProbe(FoilProbe foil, WrongAnswers wrongAnswers) implements Probe {
    static final ProbeType TYPE = ProbeType.accuracy(
            "poison",
            "evidence in a long text - poisoned foil; negative: prefers the poison",
            "the evidence to the poison");

    /** The foil probe's queries, so that the same sample is drawn. */
    @Override
    public Selection select(QueryPool pool) {
        return foil.select(pool);
    }

    @Override
    public void prepare(List<ProbeQuery> drawn) {
        wrongAnswers.prepare(drawn.stream().filter(this::canBePoisoned).toList());
    }

    private boolean canBePoisoned(ProbeQuery query) {
        return !foil.records(query).isEmpty();
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        return canBePoisoned(query)
                ? wrongAnswers.of(query).flatMap(wrong -> poisoned(query, wrong)).stream()
                        .toList()
                : List.of();
    }

    @Override
    public WrongAnswers.@Nullable Details details() {
        return wrongAnswers.details();
    }

    /** Empty if the foil names the tail, as in a head's name ("Maui Airport"): it would contain the answer. */
    private Optional<ProbeRecord> poisoned(ProbeQuery query, String wrong) {
        Composition rival = foil.foil(query).add(query.document(), query.evidence(), evidence(query, wrong));
        return Spaces.holdsAny(Spaces.aligned(rival.text()), query.document().forms(query.tail()))
                ? Optional.empty()
                : foil.pair(TYPE, query, rival)
                        .map(record -> record.with("poison", wrong).with("poison_by", wrongAnswers.kind()));
    }

    /** Replaces unannotated occurrences of the tail too, like the notebooks. */
    private static String evidence(ProbeQuery query, String wrong) {
        RedocredDocument document = query.document();
        String renamed = document.renamed(query.evidence(), query.tail(), wrong);
        return Spaces.replaced(renamed, document.forms(query.tail()), wrong);
    }
}
