package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.LanguageModel.Answer;
import io.posbias.build.llm.ModelReplies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A language model's grades of relevance from 0 to 4, which are to say where the evidence is. Settings:
 *
 * <ul>
 *   <li>{@code model}: the role that is asked
 *   <li>{@code prompt} with {@code {question}} and {@code {passage}}; {@code relevance} unless it is said
 *   <li>{@code texts}: {@code thirds} (unless it is said) grades the three segments of the document, of which the one of the
 *       label must be best (step 8 of FineWeb-PosQ, arXiv:2505.13950, section 3.2); {@code cut} grades the document and the
 *       document without the span, of which the first must be better (PosIR, arXiv:2601.08363, section 2)
 *   <li>{@code least}: grade that the better text has at least, 3 unless it is said
 *   <li>{@code gap} between it and each other text at least, 1 unless it is said
 *   <li>{@code borders} and {@code unit} of the segments, as {@link Segments} has them
 * </ul>
 *
 * <p>A reply that is no grade is asked for once more, then its candidate is dropped (the papers do not say; ours).
 */
final class JudgeStage implements Stage {
    private static final int LEAST = 3;

    private final PromptedModel model;
    private final EvidenceTexts texts;
    private final int least;
    private final int gap;

    JudgeStage(Fields settings) {
        List<String> fields = new ArrayList<>(List.of("least", "gap"));
        fields.addAll(PromptedModel.FIELDS);
        fields.addAll(EvidenceTexts.FIELDS);
        settings.refuseOthers(fields);
        this.model = PromptedModel.of(settings, "relevance", List.of("question", "passage"));
        this.texts = EvidenceTexts.of(settings);
        this.least = grade(settings, "least", LEAST);
        this.gap = grade(settings, "gap", 1);
    }

    private static int grade(Fields settings, String name, int usual) {
        int value = settings.integer(name, usual);
        if (value < 0 || value > 4) {
            throw settings.bad(name, "is " + value, "grades are 0 to 4");
        }
        return value;
    }

    @Override
    public Set<String> needs() {
        return texts.needs();
    }

    @Override
    public Set<String> makes() {
        return Set.of(Candidate.GRADES);
    }

    @Override
    public Object inputs(Workshop workshop) {
        return List.of(model.inputs(workshop), texts.inputs(workshop));
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        double tokens = workshop.inputSize().tokens() / (texts.isCut() ? 1 : texts.count());
        double grades = before.candidates() * texts.count();
        return new Forecast(before.candidates(), model.estimate(grades, tokens, 2, workshop), 0);
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        String name = workshop.languageModel(model.role()).name();
        candidates.forEachBatch(PromptedModel.BATCH, batch -> {
            int[] counts = new int[batch.size()];
            List<Map<String, String>> slots = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                String question = batch.get(i).text(Candidate.QUESTION);
                List<String> own = texts.of(batch.get(i), workshop);
                own.forEach(text -> slots.add(Map.of("question", question, "passage", text)));
                counts[i] = own.size();
            }
            List<Answer<Integer>> grades = model.ask(slots, ModelReplies::grade, workshop);
            int from = 0;
            for (int i = 0; i < batch.size(); i++) {
                int to = from + counts[i];
                judge(batch.get(i), name, grades.subList(from, to), out);
                from = to;
            }
        });
    }

    private void judge(Candidate candidate, String name, List<Answer<Integer>> answers, StageSink out) {
        if (answers.isEmpty()) {
            out.drop(candidate, EvidenceTexts.TOO_SHORT);
            return;
        }
        for (Answer<Integer> answer : answers) {
            if (answer.value().isEmpty()) {
                out.drop(candidate, answer.problem(), answer.reply());
                return;
            }
        }
        List<Integer> grades =
                answers.stream().map(answer -> answer.value().orElseThrow()).toList();
        Map<String, Object> all =
                new LinkedHashMap<>(candidate.fields().record(Candidate.GRADES).toMap());
        all.put(name, grades);
        Candidate graded = candidate.with(Candidate.GRADES, all);
        int best = texts.best(candidate);
        int others = IntStream.range(0, grades.size())
                .filter(i -> i != best)
                .map(grades::get)
                .max()
                .orElseThrow();
        if (grades.get(best) < least) {
            out.drop(graded, "grade below " + least);
        } else if (grades.get(best) - others < gap) {
            out.drop(graded, texts.isCut() ? "graded as well without the span" : "graded as well in another segment");
        } else {
            out.keep(graded);
        }
    }
}
