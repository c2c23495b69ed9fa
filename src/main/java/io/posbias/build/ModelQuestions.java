package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.ModelReplies;
import io.posbias.build.text.Draw;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Questions that a language model writes, with their answers: asked for questions alone it writes many that nothing answers
 * (FineWeb-PosQ, arXiv:2505.13950, section 3.2).
 *
 * @param settings those of {@link AskStage}
 * @param model who is asked what
 * @param ofDocument whether it is about a third of whole documents, else about parts
 * @param most questions per candidate
 */
record ModelQuestions(Fields settings, PromptedModel model, boolean ofDocument, int most) implements QuestionWriter {
    /** Tokens of a reply for the forecast: five questions with their answers. */
    private static final int REPLY = 300;

    private static final Map<String, String> THIRDS = Map.of("beginning", "first", "middle", "middle", "end", "final");

    /** Reads the settings of {@link AskStage}. */
    static ModelQuestions of(Fields settings) {
        boolean ofDocument =
                settings.oneOf("of", "part", List.of("part", "document")).equals("document");
        List<String> slots = ofDocument ? List.of("document", "third") : List.of("part", "summary");
        int most = settings.positive("most", Integer.MAX_VALUE);
        PromptedModel model = PromptedModel.of(settings, ofDocument ? "questions-third" : "questions-part", slots);
        return new ModelQuestions(settings, model, ofDocument, most);
    }

    @Override
    public Set<String> needs() {
        return ofDocument
                ? Set.of()
                : model.prompt().template().contains("{summary}")
                        ? Set.of(Candidate.PART, Candidate.SUMMARY)
                        : Set.of(Candidate.PART);
    }

    @Override
    public Set<String> makes() {
        return ofDocument ? Set.of(Candidate.TARGET) : Set.of();
    }

    @Override
    public Object inputs(Workshop workshop) {
        return model.inputs(workshop);
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        return new Forecast(
                before.candidates(),
                model.estimate(before.candidates(), workshop.inputSize().tokens(), REPLY, workshop),
                0);
    }

    @Override
    public void write(List<Candidate> candidates, StageSink out, Workshop workshop) {
        List<Candidate> about =
                candidates.stream().map(candidate -> about(candidate, workshop)).toList();
        model.each(
                about,
                candidate -> slots(candidate, workshop),
                ModelReplies::questions,
                (candidate, questions) -> put(candidate, questions, out),
                out,
                workshop);
    }

    /** With the third that is asked about, each of which is as likely. */
    private Candidate about(Candidate candidate, Workshop workshop) {
        Candidate about = candidate.without(Candidate.TEXT);
        if (!ofDocument || candidate.has(Candidate.TARGET)) {
            return about;
        }
        int third = Draw.of(Candidate.POSITIONS.size(), workshop.seed(settings), candidate.id());
        return about.with(Candidate.TARGET, Candidate.POSITIONS.get(third));
    }

    private Map<String, String> slots(Candidate candidate, Workshop workshop) {
        String document = workshop.documents().text(candidate.document());
        Map<String, String> slots = new LinkedHashMap<>();
        if (ofDocument) {
            slots.put("document", document);
            slots.put("third", THIRDS.getOrDefault(candidate.text(Candidate.TARGET), candidate.text(Candidate.TARGET)));
        } else {
            Span part = candidate.span(Candidate.PART).orElseThrow();
            slots.put("part", Segments.textOf(part, document));
            slots.put("summary", candidate.fields().text(Candidate.SUMMARY, ""));
        }
        return slots;
    }

    private void put(Candidate candidate, List<ModelReplies.Question> questions, StageSink out) {
        if (questions.isEmpty()) {
            out.drop(candidate, "the model has no question");
        }
        List<Candidate> children = new ArrayList<>();
        for (ModelReplies.Question question : questions) {
            Candidate child = candidate
                    .child("q" + (children.size() + 1))
                    .with(Candidate.QUESTION, question.question())
                    .with(Candidate.ANSWER, question.answer())
                    .with(Candidate.TYPE, question.type());
            children.add(child);
            if (!question.isComplete()) {
                out.drop(child, "question or answer is empty");
            } else if (children.size() > most) {
                out.drop(child, "more questions than wanted");
            } else {
                out.keep(child);
            }
        }
    }
}
