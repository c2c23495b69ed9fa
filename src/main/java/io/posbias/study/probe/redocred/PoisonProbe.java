package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.redocred.AnswerProbe.AnswerSentences;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The foil probe's evidence document against the foil followed by the evidence with a wrong answer (equation 7), without the
 * tail: text1 = as in foil, text2 = foil + poisoned evidence. A higher score of text1 is right.
 *
 * @param accepted by question, the names of all answers that {@code probe rag} accepts: two articles may answer it differently
 */
record PoisonProbe(FoilProbe foil, WrongAnswers wrongAnswers, Map<String, List<String>> accepted) implements Probe {
    static final ProbeType TYPE = ProbeType.accuracy(
            "poison",
            "evidence in a long text - poisoned foil; negative: prefers the poison",
            "the evidence to the poison");

    PoisonProbe(QueryPool pool, WrongAnswers wrongAnswers) {
        this(
                new FoilProbe(pool),
                wrongAnswers,
                AnswerSentences.select(pool).queries().stream()
                        .collect(Collectors.groupingBy(
                                ProbeQuery::text, Collectors.flatMapping(PoisonProbe::answer, Collectors.toList()))));
    }

    /** The forms of the tail; some names end with the full stop of their sentence. */
    private static Stream<String> answer(ProbeQuery query) {
        return query.document().forms(query.tail()).stream()
                .flatMap(form -> Stream.of(form, form.endsWith(".") ? form.substring(0, form.length() - 1) : form));
    }

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

    /** Empty if the foil names an answer, as in a head's name ("Maui Airport"). */
    private Optional<ProbeRecord> poisoned(ProbeQuery query, String wrong) {
        Composition rival = foil.foil(query).add(query.document(), query.evidence(), evidence(query, wrong));
        return Spaces.holdsAny(Spaces.aligned(rival.text()), answers(query))
                ? Optional.empty()
                : foil.pair(TYPE, query, rival)
                        .map(record -> record.with("poison", wrong).with("poison_by", wrongAnswers.kind()));
    }

    /** Replaces unannotated occurrences of the tail too, like the notebooks, and all other accepted answers. */
    private String evidence(ProbeQuery query, String wrong) {
        String renamed = query.document().renamed(query.evidence(), query.tail(), wrong);
        return Spaces.replaced(renamed, answers(query), wrong);
    }

    private List<String> answers(ProbeQuery query) {
        return Objects.requireNonNull(accepted.get(query.text()));
    }
}
