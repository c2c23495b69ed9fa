package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Span;
import io.posbias.data.position.Positions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Labels the position of candidates with Algorithm 1 of FineWeb-PosQ (arXiv:2505.13950): in a text of length z,
 * third = floor(z / 3); spans that end before third are at the beginning, spans that start at 2 third or later at
 * the end, others in the middle. Code points and exclusive ends are our choice.
 *
 * @param of part, span, or target (the label is the target)
 * @param keep on-target drops candidates whose label differs from their target
 */
record TagStage(
        @Setting(words = {Candidate.PART, Candidate.SPAN, Candidate.TARGET})
        String of,

        @Setting(words = {"all", ON_TARGET}) String keep)
        implements Stage {
    private static final Positions.Thirds ALGORITHM_1 = new Positions.Thirds();
    private static final String ON_TARGET = "on-target";

    @Override
    public Set<String> requiredFields() {
        return keep.equals(ON_TARGET) ? Set.of(of, Candidate.TARGET) : Set.of(of);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.POSITION);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, Integer> lengths = new HashMap<>();
        ToIntFunction<String> length = document -> lengths.computeIfAbsent(
                document, id -> CodePoints.count(context.documents().text(id)));
        candidates.forEach(candidate -> {
            String label = of.equals(Candidate.TARGET)
                    ? candidate.text(of)
                    : label(candidate.requiredSpan(of), length.applyAsInt(candidate.document()));
            Candidate tagged = candidate.with(Candidate.POSITION, label);
            if (keep.equals(ON_TARGET) && !label.equals(candidate.text(Candidate.TARGET))) {
                out.drop(tagged, "off target", "it is at the " + label);
            } else {
                out.keep(tagged);
            }
        });
    }

    static String label(Span span, int codePoints) {
        Evidence evidence = Evidence.of(span.start(), span.end(), codePoints);
        return ALGORITHM_1.buckets().get(ALGORITHM_1.of(evidence)[0]);
    }
}
