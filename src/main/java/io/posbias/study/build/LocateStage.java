package io.posbias.study.build;

import io.posbias.data.dataset.Answers;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locates the evidence of a question: the quoted reference, or else the answer, is searched in the document (PosIR,
 * arXiv:2601.08363, section 2). White space is ignored (our choice; the paper names a regular expression), because
 * models join lines and split Chinese words. Questions whose reference is empty, absent or ambiguous are dropped.
 *
 * @param model the role that quotes the reference; null: searches the {@code reference} or {@code answer} of earlier
 *     stages
 * @param prompt with {@code {question}}, {@code {answer}} and {@code {document}}; null: {@code reference}
 */
record LocateStage(@Nullable String model, @Nullable Prompt prompt) implements Stage {
    /** Tokens of a reply for the forecast: two sentences. */
    private static final int REPLY = 80;

    LocateStage {
        PromptedModel.check(model, prompt, List.of("question", "answer", "document"));
    }

    private Optional<PromptedModel<String>> asked() {
        Prompt own = prompt == null ? Prompt.find("reference") : prompt;
        return Optional.ofNullable(model).map(role -> new PromptedModel<>(role, own, ModelReplies::reference));
    }

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION, Candidate.ANSWER);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.SPAN, Candidate.REFERENCE);
    }

    @Override
    public Object inputs(StageContext context) {
        return asked().<Object>map(asked -> asked.inputs(context)).orElse("");
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        return asked().map(asked -> asked.forecast(before, REPLY, context)).orElse(Forecast.of(before.candidates()));
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        asked().ifPresentOrElse(
                        asked -> asked.each(
                                candidates::forEach,
                                candidate -> List.of(Map.of(
                                        "question", candidate.text(Candidate.QUESTION),
                                        "answer", candidate.text(Candidate.ANSWER),
                                        "document", context.text(candidate))),
                                (candidate, texts) -> locate(candidate, texts.getFirst(), out, context),
                                out,
                                context),
                        () -> candidates.forEach(candidate -> locate(
                                candidate,
                                candidate.fields().text(Candidate.REFERENCE, candidate.text(Candidate.ANSWER)),
                                out,
                                context)));
    }

    private static void locate(Candidate asked, String reference, Candidates.Sink out, StageContext context) {
        Candidate candidate = asked.with(Candidate.REFERENCE, reference);
        List<Span> places = find(reference, context.text(candidate));
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
     * Finds a text in a document, ignoring white space; if it is absent, as {@link Answers#folded}.
     *
     * @return the first two places, in code points
     */
    static List<Span> find(String text, String document) {
        List<Span> exact = unspaced(text, document);
        return exact.isEmpty() ? CodePoints.fromUtf16(document, Answers.folded(document, text)) : exact;
    }

    private static List<Span> unspaced(String text, String document) {
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

    private static boolean isSpace(int point) {
        return Character.isWhitespace(point) || Character.isSpaceChar(point) || point == '\u200b' || point == '\ufeff';
    }
}
