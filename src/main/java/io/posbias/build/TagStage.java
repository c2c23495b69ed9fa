package io.posbias.build;

import io.posbias.Fields;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Span;
import io.posbias.position.Positions;
import java.util.List;
import java.util.Set;

/**
 * Labels candidates by where they are in their document, with Algorithm 1 of FineWeb-PosQ (arXiv:2505.13950): for a text of
 * length z, third = floor(z / 3); what ends before third is at the beginning, what starts at 2 third or later at the end, all
 * else in the middle. The paper does not say the unit or whether ends are exclusive: code points and exclusive are ours.
 * Settings:
 *
 * <ul>
 *   <li>{@code of}: part (default), span, or target: what the candidate was made for, whatever its parts
 *   <li>{@code keep}: all (default); on-target drops those whose label is not the target they were made for
 * </ul>
 */
final class TagStage implements Stage {
    private static final Positions.Thirds ALGORITHM_1 = new Positions.Thirds();

    private final String of;
    private final boolean onTarget;
    private String document = "";
    private int length;

    TagStage(Fields settings) {
        settings.refuseOthers(List.of("of", "keep"));
        this.of = settings.oneOf("of", Candidate.PART, List.of(Candidate.PART, Candidate.SPAN, Candidate.TARGET));
        this.onTarget =
                settings.oneOf("keep", "all", List.of("all", "on-target")).equals("on-target");
    }

    @Override
    public Set<String> needs() {
        return onTarget ? Set.of(of, Candidate.TARGET) : Set.of(of);
    }

    @Override
    public Set<String> makes() {
        return Set.of(Candidate.POSITION);
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        return Forecast.of(before.candidates());
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        candidates.forEach(candidate -> {
            String label = of.equals(Candidate.TARGET) ? candidate.text(of) : measured(candidate, workshop);
            Candidate tagged = candidate.with(Candidate.POSITION, label);
            if (onTarget && !label.equals(candidate.text(Candidate.TARGET))) {
                out.drop(tagged, "off target", "it is at the " + label);
            } else {
                out.keep(tagged);
            }
        });
    }

    private String measured(Candidate candidate, Workshop workshop) {
        Span where =
                candidate.span(of).orElseThrow(() -> candidate.fields().bad(of, "is no span", "it is [start, end]"));
        return label(where, lengthOf(candidate.document(), workshop));
    }

    /** Candidates of a document follow each other: its text is read once. */
    private int lengthOf(String id, Workshop workshop) {
        if (!id.equals(document)) {
            length = CodePoints.count(workshop.documents().text(id));
            document = id;
        }
        return length;
    }

    /** The label of a span in a text of so many code points. */
    static String label(Span span, int codePoints) {
        Evidence evidence = new Evidence(span.start(), span.end(), codePoints, Evidence.UNKNOWN, List.of(), null);
        return ALGORITHM_1.buckets().get(ALGORITHM_1.of(evidence)[0]);
    }
}
