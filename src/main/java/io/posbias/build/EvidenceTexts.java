package io.posbias.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Setting;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Span;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The texts that models look at to say where the evidence of a question is, of which one is to be best.
 *
 * @param texts {@code thirds}: the three segments of the document, of which that of the label is to be best, as steps 6 and 8 of
 *     FineWeb-PosQ (arXiv:2505.13950, Algorithm 1) and the verification of arXiv:2605.26578 have it; {@code cut}: the document,
 *     which is to be better than the document without the span, as PosIR (arXiv:2601.08363, section 2) has it
 * @param segments how it is cut in three
 */
record EvidenceTexts(
        @Setting(words = {"thirds", CUT}) String texts,
        @JsonUnwrapped Segments segments) {
    static final String TOO_SHORT = "the document is too short for three segments";

    private static final String CUT = "cut";
    private static final int THIRDS = 3;

    /** Whether they are the document and the document without the span; else its three segments. */
    boolean isCut() {
        return texts.equals(CUT);
    }

    /** What candidates must have. */
    Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION, isCut() ? Candidate.SPAN : Candidate.POSITION);
    }

    /** What the texts depend on besides the settings. */
    Object inputs(PipelineContext context) {
        return segments.inputs(context);
    }

    /** How many texts a candidate has. */
    int count() {
        return isCut() ? 2 : THIRDS;
    }

    /** The texts of a candidate; none where its document is too short. */
    List<String> of(Candidate candidate, PipelineContext context) {
        String document = context.documents().text(candidate.document());
        if (!isCut()) {
            return segments.cut(document, THIRDS, context).stream()
                    .map(part -> Segments.textOf(part, document))
                    .toList();
        }
        Span points = candidate.span(Candidate.SPAN).orElseThrow();
        Span span = CodePoints.toUtf16(document, points.start(), points.end());
        return List.of(document, document.substring(0, span.start()) + document.substring(span.end()));
    }

    /** The place of the text that is to be best. */
    int best(Candidate candidate) {
        return isCut() ? 0 : Candidate.POSITIONS.indexOf(candidate.text(Candidate.POSITION));
    }

    /** How much better the text is that is to be best than the best of the others. */
    double margin(Candidate candidate, double[] scores) {
        int best = best(candidate);
        return scores[best]
                - IntStream.range(0, scores.length)
                        .filter(i -> i != best)
                        .mapToDouble(i -> scores[i])
                        .max()
                        .orElseThrow();
    }

    /** What is wrong where another text is as good. */
    String tie() {
        return isCut() ? "scored as high without the span" : "scored as high in another segment";
    }
}
