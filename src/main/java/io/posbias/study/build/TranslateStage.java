package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Language;
import io.posbias.model.encode.CallEstimate;
import io.posbias.study.build.llm.LanguageModel.Answer;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Translations of documents and questions by a language model (PosIR, arXiv:2601.08363, section 2). Candidates pass;
 * per language, all documents and then all questions follow as {@code ID@LANGUAGE} with the field {@link
 * Candidate#LANGUAGE}. Judgements and spans are the originals'. An empty reply is asked for once more, then dropped;
 * {@code clean} handles refusals and remarks.
 *
 * @param model the role to ask
 * @param prompt with slots for the text and its language
 * @param languages ISO 639-1 codes or English names
 */
record TranslateStage(
        String model,
        @Setting(usual = "translation") Prompt prompt,
        @Setting(usual = "[]") List<String> languages) implements Stage {
    /** Tokens of a question for the forecast: PosIR's have 22 of Qwen3's, in English. */
    private static final int QUESTION = 30;

    TranslateStage {
        prompt.allow(List.of("text", "language"));
        languages = languages.stream().map(Language::code).toList();
        if (languages.isEmpty() || Set.copyOf(languages).size() < languages.size()) {
            throw new Setting.Wrong(
                    "languages",
                    languages.isEmpty() ? "is empty" : "names one twice",
                    "list the target languages, for example [fr, de]");
        }
    }

    private PromptedModel<String> asked() {
        return new PromptedModel<>(model, prompt, TranslateStage::read);
    }

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.LANGUAGE);
    }

    @Override
    public Object inputs(StageContext context) {
        return asked().inputs(context);
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        double documents = (double) context.inputSize().documents() * languages.size();
        double questions = before.candidates() * languages.size();
        double tokens = context.inputSize().tokens();
        CallEstimate calls = asked().estimate(documents, tokens, tokens, context)
                .plus(asked().estimate(questions, QUESTION, QUESTION, context));
        return new Forecast(before.candidates() + documents + questions, calls, 0);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        candidates.forEach(out::keep);
        for (String language : languages) {
            Target target = new Target(language, new Language.Letters());
            translate(context.documents()::forEach, Candidate.TEXT, target, out, context);
            check(target);
            translate(candidates::forEach, Candidate.QUESTION, target, out, context);
        }
    }

    private record Target(String language, Language.Letters letters) {}

    /** Refuses translations in the script of another language, before more of them are paid for. */
    private void check(Target target) {
        target.letters().mismatch(target.language(), "translations").ifPresent(mismatch -> {
            throw new PosbiasException(mismatch + ": the language model '" + model + "' does not translate; give"
                    + " another one, or other languages with --set translate.languages");
        });
    }

    private void translate(
            Consumer<Consumer<Candidate>> originals,
            String field,
            Target target,
            Candidates.Sink out,
            StageContext context) {
        String language = target.language();
        asked().<Candidate>ask(
                        originals,
                        original -> List.of(Map.of("text", original.text(field), "language", Language.name(language))),
                        (original, answers) -> {
                            Answer<String> text = answers.getFirst();
                            Candidate own = original.with(Candidate.ID, original.id() + "@" + language)
                                    .with(Candidate.LANGUAGE, language);
                            text.value()
                                    .ifPresentOrElse(
                                            translation -> out.keep(own.with(field, translation)),
                                            () -> out.drop(own.without(field), text.problem()));
                            text.value().ifPresent(target.letters()::add);
                            if (target.letters().isFull()) {
                                check(target);
                            }
                        },
                        context);
    }

    private static Answer<String> read(String reply) {
        return reply.isBlank() ? Answer.problem(ModelReplies.EMPTY) : Answer.of(reply.strip());
    }
}
