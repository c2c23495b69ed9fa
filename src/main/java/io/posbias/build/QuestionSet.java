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

/**
 * Questions that are written together, with the documents that they are on: a benchmark, or a set to train with.
 *
 * @param card what a benchmark says of itself
 * @param questions gives all of them one after another, in the same order each time; the document of each is there
 * @param corpus all documents
 * @param documents the texts of the corpus
 * @param originals the texts that evidence was found in: those of the corpus, or what they are translations of
 */
record QuestionSet(
        DatasetCard card,
        Consumer<Consumer<Candidate>> questions,
        Passages corpus,
        Documents documents,
        Documents originals) {
    /** The text of a question's document. */
    String text(Candidate question) {
        return documents.text(question.document());
    }

    /**
     * A question with its evidence: where the span is, else where the part is that it was asked about, and its position as a
     * label.
     */
    Query query(Candidate question) {
        Optional<Span> place = question.span(Candidate.SPAN).or(() -> question.span(Candidate.PART));
        int length = place.isEmpty() ? Evidence.UNKNOWN : CodePoints.count(originals.text(question.document()));
        Evidence evidence = new Evidence(
                place.map(Span::start).orElse(Evidence.UNKNOWN),
                place.map(Span::end).orElse(Evidence.UNKNOWN),
                length,
                Evidence.UNKNOWN,
                question.has(Candidate.POSITION) ? List.of(question.text(Candidate.POSITION)) : List.of(),
                null);
        return new Query(question.id(), question.text(Candidate.QUESTION), evidence);
    }
}
