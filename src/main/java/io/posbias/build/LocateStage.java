package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.ModelReplies;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the evidence of a question is: the quoted reference, else the answer, is looked for in the document (PosIR,
 * arXiv:2601.08363, section 2). White space counts for nothing, in number and in place (the paper says a regular expression;
 * this is ours): models join lines and split words of Chinese. Questions whose reference is empty, is not there or is in
 * several places are dropped. Settings:
 *
 * <ul>
 *   <li>{@code model}: the role that quotes the reference; where it is not said, earlier stages' {@code reference} or
 *       {@code answer} is looked for
 *   <li>{@code prompt} with {@code {question}}, {@code {answer}} and {@code {document}}; {@code reference} unless it is said
 * </ul>
 */
final class LocateStage implements Stage {
    /** Tokens of a reply for the forecast: two sentences. */
    private static final int REPLY = 80;

    private final Optional<PromptedModel> model;

    LocateStage(Fields settings) {
        settings.refuseOthers(PromptedModel.FIELDS);
        if (!settings.has("model") && settings.has("prompt")) {
            throw settings.bad("prompt", "is without a model", "name the role that is asked with 'model: ROLE'");
        }
        this.model = settings.has("model")
                ? Optional.of(PromptedModel.of(settings, "reference", List.of("question", "answer", "document")))
                : Optional.empty();
    }

    @Override
    public Set<String> needs() {
        return Set.of(Candidate.QUESTION, Candidate.ANSWER);
    }

    @Override
    public Set<String> makes() {
        return Set.of(Candidate.SPAN, Candidate.REFERENCE);
    }

    @Override
    public Object inputs(Workshop workshop) {
        return model.map(asked -> asked.inputs(workshop)).orElse("");
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        return model.map(asked -> new Forecast(
                        before.candidates(),
                        asked.estimate(before.candidates(), workshop.inputSize().tokens(), REPLY, workshop),
                        0))
                .orElse(Forecast.of(before.candidates()));
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        candidates.forEachBatch(PromptedModel.BATCH, batch -> {
            if (model.isEmpty()) {
                for (Candidate candidate : batch) {
                    String known = candidate.fields().text(Candidate.REFERENCE, candidate.text(Candidate.ANSWER));
                    locate(candidate.with(Candidate.REFERENCE, known), known, out, workshop);
                }
                return;
            }
            model.get()
                    .each(
                            batch,
                            candidate -> Map.of(
                                    "question", candidate.text(Candidate.QUESTION),
                                    "answer", candidate.text(Candidate.ANSWER),
                                    "document", workshop.documents().text(candidate.document())),
                            ModelReplies::reference,
                            (candidate, text) -> locate(candidate.with(Candidate.REFERENCE, text), text, out, workshop),
                            out,
                            workshop);
        });
    }

    private static void locate(Candidate candidate, String reference, StageSink out, Workshop workshop) {
        List<Span> places = find(reference, workshop.documents().text(candidate.document()));
        if (reference.isBlank()) {
            out.drop(candidate, "the reference is empty");
        } else if (places.isEmpty()) {
            out.drop(candidate, "the reference is not in the document");
        } else if (places.size() > 1) {
            out.drop(
                    candidate,
                    "the reference is in several places",
                    "first at " + places.getFirst().start() + " and "
                            + places.get(1).start());
        } else {
            out.keep(candidate.with(Candidate.SPAN, places.getFirst()));
        }
    }

    /**
     * Where a text is in another, but for white space.
     *
     * @return the first two places, in code points
     */
    static List<Span> find(String text, String document) {
        int[] wanted = text.codePoints().filter(point -> !isSpace(point)).toArray();
        int[] points = document.codePoints().toArray();
        int[] places = new int[points.length];
        int dense = 0;
        for (int i = 0; i < points.length; i++) {
            if (!isSpace(points[i])) {
                points[dense] = points[i];
                places[dense++] = i;
            }
        }
        List<Span> found = new ArrayList<>();
        for (int i = 0; wanted.length > 0 && i + wanted.length <= dense && found.size() < 2; i++) {
            int same = 0;
            while (same < wanted.length && points[i + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                found.add(new Span(places[i], places[i + same - 1] + 1));
            }
        }
        return found;
    }

    /** Also spaces that do not break, and those without width, which models leave out. */
    private static boolean isSpace(int point) {
        return Character.isWhitespace(point) || Character.isSpaceChar(point) || point == '\u200b' || point == '\ufeff';
    }
}
