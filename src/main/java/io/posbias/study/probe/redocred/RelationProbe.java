package io.posbias.study.probe.redocred;

import io.posbias.study.probe.NumpyPermutation;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Shape;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An article under a question that it answers, and under one about another relation of the same person that it does not answer:
 * does a model read the relation? From the authors' notebook, not in the paper; there the article may answer the other question
 * too, as long as not by the same tail.
 *
 * @param questions by relation
 */
record RelationProbe(Map<String, String> questions) implements Probe {
    static final ProbeType TYPE = new ProbeType(
            "relation",
            Shape.QUESTIONS,
            "the article's own question - one about another relation; positive: the relation counts",
            "the question that is answered",
            true);

    /** Relations of people, of which the authors draw the other question. */
    private static final List<String> OF_PEOPLE = List.of(
            "P19", "P20", "P22", "P25", "P26", "P27", "P39", "P40", "P54", "P69", "P102", "P140", "P3373", "P569",
            "P570", "P737", "P172");

    RelationProbe() {
        this(QuestionTemplates.ALL.questions());
    }

    @Override
    public Selection select(QueryPool pool) {
        return pool.evident()
                .keep("head with one name", ProbeQuery::headHasOneName)
                .keep("a single relation", ProbeQuery::singleRelation)
                .keep("about a person", query -> OF_PEOPLE.contains(query.relation()));
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        List<Label> labels = query.document().labels();
        List<String> unanswered = OF_PEOPLE.stream()
                .filter(relation -> labels.stream()
                        .noneMatch(label -> label.head() == query.label().head()
                                && label.relation().equals(relation)))
                .toList();
        RedocredDocument document = query.document();
        ProbeRecord own = ProbeRecord.of(TYPE, query, new Composition().add(document, document.all()), null);
        return NumpyPermutation.draw(unanswered, 1, query.ordinal()).stream()
                .flatMap(other -> List.of(
                        own.with("asks", "own"),
                        own.with("asks", "other").with("other_relation", other).asking(asked(query, other)))
                        .stream())
                .toList();
    }

    private String asked(ProbeQuery query, String relation) {
        String question = Objects.requireNonNull(questions.get(relation));
        return question.replace(QuestionTemplates.SLOT, query.head().longestName());
    }
}
