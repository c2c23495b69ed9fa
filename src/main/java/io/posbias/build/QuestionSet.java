package io.posbias.build;

import io.posbias.dataset.CodePoints;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Questions that are written together, with the documents that they are on: a benchmark, or a set to train with.
 *
 * @param card what a benchmark says of itself
 * @param questions gives all of them one after another, in the same order each time; the document of each is there
 * @param corpus all documents
 * @param documents the texts of the corpus
 * @param originals the texts that evidence was found in: those of the corpus, or what they are translations of
 * @param tokens how many tokens an original has, by its identifier; {@link Evidence#UNKNOWN} where that is not counted
 */
record QuestionSet(
        DatasetCard card,
        Consumer<Consumer<Candidate>> questions,
        Passages corpus,
        Documents documents,
        Documents originals,
        ToIntFunction<String> tokens) {
    /** The text of a question's document. */
    String text(Candidate question) {
        return documents.text(question.document());
    }

    /**
     * A question with its evidence: where the span is, else where the part is that it was asked about, its position as a
     * label, and the length of the whole document.
     */
    Query query(Candidate question) {
        Optional<Span> place = question.span(Candidate.SPAN).or(() -> question.span(Candidate.PART));
        int length = place.isEmpty() ? Evidence.UNKNOWN : CodePoints.count(originals.text(question.document()));
        Evidence evidence = new Evidence(
                place.map(Span::start).orElse(Evidence.UNKNOWN),
                place.map(Span::end).orElse(Evidence.UNKNOWN),
                length,
                tokens.applyAsInt(question.document()),
                question.has(Candidate.POSITION) ? List.of(question.text(Candidate.POSITION)) : List.of(),
                null);
        return new Query(question.id(), question.text(Candidate.QUESTION), evidence);
    }
}
