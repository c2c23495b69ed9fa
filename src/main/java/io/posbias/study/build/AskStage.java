package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import io.posbias.study.build.text.BoundedDraw;
import io.posbias.study.build.text.Draw;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Questions on parts of documents or on whole documents: step 4 of FineWeb-PosQ (arXiv:2505.13950, appendix B.2),
 * the candidates of PosIR (arXiv:2601.08363, section 2), the queries of position-controlled training sets
 * (arXiv:2605.26578). A language model writes questions with answers: questions alone are often unanswerable
 * (FineWeb-PosQ, section 3.2).
 *
 * <p>An unreadable reply or a refusal is asked for once more, then its candidate is dropped (our choice). Each
 * complete question becomes a {@linkplain Candidate#child child} {@code q1}, {@code q2} and so on.
 *
 * @param model the role to ask
 * @param prompt with {@code {part}}, {@code {summary}}, {@code {document}} and what {@link ConfigureStage} chooses (null:
 *     {@code questions-part}), or with {@code {document}} and {@code {third}} (null: {@code questions-third})
 * @param of part; or document: the model reads the whole of it and asks about one third, drawn
 *     unless the candidate has a {@code target}
 * @param most questions per candidate; null: all, and 1 of {@link ExtractiveQuestions}
 * @param documents number of documents to ask about, drawn; null: all. The others stay in the corpus
 * @param withoutModel {@code extractive} takes questions from the text if the role has no model
 * @param seed of the draws of documents and thirds
 */
record AskStage(
        String model,
        @Nullable Prompt prompt,

        @Setting(words = {"part", DOCUMENT}) String of,

        @Setting(least = 1) @Nullable Integer most,
        @Setting(least = 1) @Nullable Integer documents,
        @Setting(words = "extractive") @Nullable String withoutModel,
        @Nullable Integer seed)
        implements Stage {
    private static final String DOCUMENT = "document";

    /** Tokens of a reply for the forecast: five questions with their answers. */
    private static final int REPLY = 300;

    /** Fields of a candidate that a prompt on a part may have as slots. */
    private static final List<String> FIELDS =
            List.of(Candidate.SUMMARY, Candidate.PERSONA, Candidate.DIFFICULTY, Candidate.LENGTH);

    private static final List<String> OF_PART =
            Stream.concat(Stream.of(Candidate.PART, DOCUMENT), FIELDS.stream()).toList();

    private static final Map<String, String> THIRDS = Map.of("beginning", "first", "middle", "middle", "end", "final");

    AskStage {
        if (prompt != null) {
            prompt.allow(of.equals(DOCUMENT) ? List.of(DOCUMENT, "third") : OF_PART);
        }
    }

    private boolean ofDocument() {
        return of.equals(DOCUMENT);
    }

    private boolean isExtractive(StageContext context) {
        return withoutModel != null && context.role(model).isEmpty();
    }

    private PromptedModel<List<ModelReplies.Question>> asked() {
        Prompt own = prompt == null ? Prompt.find(ofDocument() ? "questions-third" : "questions-part") : prompt;
        return new PromptedModel<>(model, own, ModelReplies::questions);
    }

    @Override
    public Set<String> requiredFields() {
        Set<String> required = new HashSet<>();
        if (!ofDocument() || withoutModel != null) {
            required.add(Candidate.PART);
        }
        if (!ofDocument()) {
            FIELDS.stream()
                    .filter(field -> asked().prompt().template().contains("{" + field + "}"))
                    .forEach(required::add);
        }
        return required;
    }

    @Override
    public Set<String> producedFields() {
        Set<String> produced = new HashSet<>(List.of(Candidate.QUESTION, Candidate.ANSWER, Candidate.TYPE));
        if (ofDocument() && withoutModel == null) {
            produced.add(Candidate.TARGET);
        }
        return produced;
    }

    @Override
    public Object inputs(StageContext context) {
        return isExtractive(context) ? ExtractiveQuestions.inputs(context) : asked().inputs(context);
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        long all = context.inputSize().documents();
        double share = documents == null || all == 0 ? 1 : Math.min(1, documents / (double) all);
        Forecast drawn = Forecast.of(before.candidates() * share);
        return isExtractive(context)
                ? Forecast.of(drawn.candidates() * (most == null ? 1 : most))
                : asked().forecast(drawn, REPLY, context);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        long drawn = context.seed(seed);
        Consumer<Consumer<Candidate>> chosen = chosen(candidates, drawn, out);
        if (isExtractive(context)) {
            ExtractiveQuestions questions = new ExtractiveQuestions(most == null ? 1 : most, drawn, context);
            chosen.accept(candidate -> questions.write(candidate, out));
            return;
        }
        asked().each(
                        sink -> chosen.accept(candidate -> sink.accept(about(candidate, drawn))),
                        candidate -> List.of(slots(candidate, context.text(candidate))),
                        (candidate, replies) -> put(candidate, replies.getFirst(), out),
                        out,
                        context);
    }

    private Consumer<Consumer<Candidate>> chosen(Candidates candidates, long seed, Candidates.Sink out) {
        if (documents == null) {
            return candidates::forEach;
        }
        Set<String> all = new LinkedHashSet<>();
        candidates.forEach(candidate -> all.add(candidate.document()));
        BoundedDraw<String> draw = new BoundedDraw<>(seed, documents);
        all.forEach(document -> draw.add(document, document));
        Set<String> drawn = new HashSet<>(draw.drawn());
        return visitor -> candidates.forEach(candidate -> {
            if (drawn.contains(candidate.document())) {
                visitor.accept(candidate);
            } else {
                out.drop(candidate.without(Candidate.TEXT), "document not drawn");
            }
        });
    }

    private Candidate about(Candidate candidate, long drawn) {
        Candidate about = candidate.without(Candidate.TEXT);
        if (!ofDocument() || candidate.has(Candidate.TARGET)) {
            return about;
        }
        int third = Draw.of(Candidate.POSITIONS.size(), drawn, candidate.id());
        return about.with(Candidate.TARGET, Candidate.POSITIONS.get(third));
    }

    private Map<String, String> slots(Candidate candidate, String document) {
        if (ofDocument()) {
            String target = candidate.text(Candidate.TARGET);
            return Map.of(DOCUMENT, document, "third", THIRDS.getOrDefault(target, target));
        }
        Span part = candidate.requiredSpan(Candidate.PART);
        Map<String, String> slots = new HashMap<>();
        FIELDS.forEach(field -> slots.put(field, candidate.fields().text(field, "")));
        slots.put(Candidate.PART, Segments.textOf(part, document));
        slots.put(DOCUMENT, document);
        return slots;
    }

    private void put(Candidate candidate, List<ModelReplies.Question> questions, Candidates.Sink out) {
        if (questions.isEmpty()) {
            out.drop(candidate, "the model has no question");
        }
        for (int i = 0; i < questions.size(); i++) {
            ModelReplies.Question question = questions.get(i);
            Candidate child = candidate
                    .child("q" + (i + 1))
                    .with(Candidate.QUESTION, question.question())
                    .with(Candidate.ANSWER, question.answer())
                    .with(Candidate.TYPE, question.type());
            if (!question.isComplete()) {
                out.drop(child, "question or answer is empty");
            } else if (most != null && i >= most) {
                out.drop(child, "more questions than wanted");
            } else {
                out.keep(child);
            }
        }
    }
}
