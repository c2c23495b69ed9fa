package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Grades of relevance from 0 to 4 by a language model, to place the evidence. An unreadable grade is asked for once
 * more, then its candidate is dropped (our choice).
 *
 * @param model the role to ask
 * @param prompt with {@code {question}} and {@code {passage}}
 * @param least minimum grade of the right text
 * @param gap minimum difference to each other text
 */
record JudgeStage(
        String model,
        @Setting(usual = "relevance") Prompt prompt,
        @Setting(usual = "3", least = 0, most = 4) int least,
        @Setting(usual = "1", least = 0, most = 4) int gap,
        @JsonUnwrapped EvidenceTexts texts)
        implements Stage {
    static final List<String> SLOTS = List.of("question", "passage");

    JudgeStage {
        prompt.allow(SLOTS);
    }

    static Map<String, String> slots(Candidate question, String passage) {
        return Map.of("question", question.text(Candidate.QUESTION), "passage", passage);
    }

    private PromptedModel<Integer> asked() {
        return new PromptedModel<>(model, prompt, ModelReplies::grade);
    }

    @Override
    public Set<String> requiredFields() {
        return texts.requiredFields();
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.GRADES);
    }

    @Override
    public Object inputs(StageContext context) {
        return List.of(asked().inputs(context), texts.inputs(context));
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        double tokens = context.inputSize().tokens() / (texts.isCut() ? 1 : texts.count());
        double grades = before.candidates() * texts.count();
        return new Forecast(before.candidates(), asked().estimate(grades, tokens, 2, context), 0);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        String name = context.languageModel(model).name();
        asked().each(
                        candidates::forEach,
                        candidate -> texts.of(candidate, context).stream()
                                .map(text -> slots(candidate, text))
                                .toList(),
                        (candidate, grades) -> judge(candidate, name, grades, out),
                        out,
                        context);
    }

    private void judge(Candidate candidate, String name, List<Integer> grades, Candidates.Sink out) {
        if (grades.isEmpty()) {
            out.drop(candidate, EvidenceTexts.TOO_SHORT);
            return;
        }
        Map<String, Object> all =
                new LinkedHashMap<>(candidate.fields().record(Candidate.GRADES).toMap());
        all.put(name, grades);
        Candidate graded = candidate.with(Candidate.GRADES, all);
        double margin = texts.margin(
                candidate, grades.stream().mapToDouble(Integer::doubleValue).toArray());
        if (grades.get(texts.best(candidate)) < least) {
            out.drop(graded, "grade below " + least);
        } else if (margin < gap) {
            out.drop(graded, texts.isCut() ? "graded as well without the span" : "graded as well in another segment");
        } else {
            out.keep(graded);
        }
    }
}
