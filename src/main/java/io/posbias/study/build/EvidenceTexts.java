package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Span;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Texts that models compare to place the evidence of a question; one of them must score best.
 *
 * @param texts {@code thirds}: the three segments of the document, as in steps 6 and 8 of FineWeb-PosQ
 *     (arXiv:2505.13950, Algorithm 1) and in arXiv:2605.26578; {@code cut}: the document with and without the span,
 *     as in PosIR (arXiv:2601.08363, section 2)
 * @param segments how a document is cut in three
 */
record EvidenceTexts(
        @Setting(words = {"thirds", CUT}) String texts,
        @JsonUnwrapped Segments segments) {
    static final String TOO_SHORT = "the document is too short for three segments";

    private static final String CUT = "cut";
    private static final int THIRDS = 3;

    boolean isCut() {
        return texts.equals(CUT);
    }

    Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION, isCut() ? Candidate.SPAN : Candidate.POSITION);
    }

    Object inputs(StageContext context) {
        return segments.inputs(context);
    }

    int count() {
        return isCut() ? 2 : THIRDS;
    }

    /** Returns the texts of a candidate; empty if its document is too short. */
    List<String> of(Candidate candidate, StageContext context) {
        String document = context.text(candidate);
        if (!isCut()) {
            return segments.thirds(document, context);
        }
        Span points = candidate.requiredSpan(Candidate.SPAN);
        Span span = CodePoints.toUtf16(document, points.start(), points.end());
        return List.of(document, document.substring(0, span.start()) + document.substring(span.end()));
    }

    int best(Candidate candidate) {
        return isCut() ? 0 : Candidate.POSITIONS.indexOf(candidate.text(Candidate.POSITION));
    }

    /** Returns the score of the right text minus the best other score. */
    double margin(Candidate candidate, double[] scores) {
        int best = best(candidate);
        return scores[best]
                - IntStream.range(0, scores.length)
                        .filter(i -> i != best)
                        .mapToDouble(i -> scores[i])
                        .max()
                        .orElseThrow();
    }

    String tie() {
        return isCut() ? "scored as high without the span" : "scored as high in another segment";
    }
}
