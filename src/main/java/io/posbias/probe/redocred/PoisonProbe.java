package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import io.posbias.probe.Spaces;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The evidence document of the foil probe against the foil followed by the evidence with a wrong answer in it (equation
 * 7), which nowhere names the tail: text1 = as in foil, text2 = foil + poisoned evidence. A score that is greater for text1 is right.
 */
record PoisonProbe(FoilProbe foil, WrongAnswers wrongAnswers) implements Probe {
    static final ProbeType TYPE = ProbeType.accuracy(
            "poison",
            "evidence in a long text - poisoned foil; negative: prefers the poison",
            "the evidence to the poison");

    /** The same queries as the foil probe's, so that the same sample is drawn. */
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

    /** Empty where the foil itself names the tail, as in the name of a head ("Maui Airport"): it would hold the answer. */
    private Optional<ProbeRecord> poisoned(ProbeQuery query, String wrong) {
        Composition rival = foil.foil(query).add(query.document(), query.evidence(), evidence(query, wrong));
        return Spaces.holdsAny(Spaces.aligned(rival.text()), query.document().forms(query.tail()))
                ? Optional.empty()
                : foil.pair(TYPE, query, rival)
                        .map(record -> record.with("poison", wrong).with("poison_by", wrongAnswers.kind()));
    }

    /** The tail is also replaced where it is not annotated or is part of another name, as the notebooks do by its string. */
    private static String evidence(ProbeQuery query, String wrong) {
        RedocredDocument document = query.document();
        String renamed = document.renamed(query.evidence(), query.tail(), wrong);
        return Spaces.replaced(renamed, document.forms(query.tail()), wrong);
    }
}
