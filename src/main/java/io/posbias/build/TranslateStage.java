package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.LanguageModel.Answer;
import io.posbias.build.llm.ModelReplies;
import io.posbias.dataset.Language;
import io.posbias.encode.CallEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Documents and questions in other languages, by a language model (PosIR, arXiv:2601.08363, section 2). Candidates come through
 * as they are; behind them are, per language, all documents and then all questions, called {@code ID@LANGUAGE}, with the field
 * {@code language}. What is answered by which document, and where, is that of the original. Settings:
 *
 * <ul>
 *   <li>{@code model}: the role that is asked
 *   <li>{@code prompt} with {@code {text}} and {@code {language}}; {@code translation} unless it is said
 *   <li>{@code languages}: ISO 639-1 codes
 * </ul>
 *
 * <p>An empty reply is asked for once more, then dropped. Refusals and remarks of the model are left to {@code clean}, as in
 * the paper.
 */
final class TranslateStage implements Stage {
    /** Tokens of a question for the forecast: PosIR's have 22 of Qwen3's, in English. */
    private static final int QUESTION = 30;

    private final PromptedModel model;
    private final List<String> languages;

    TranslateStage(Fields settings) {
        settings.refuseOthers(List.of("model", "prompt", "languages"));
        this.model = PromptedModel.of(settings, "translation", List.of("text", "language"));
        this.languages =
                settings.texts("languages").stream().map(Language::code).toList();
        if (languages.isEmpty() || Set.copyOf(languages).size() < languages.size()) {
            throw settings.bad(
                    "languages",
                    languages.isEmpty() ? "is empty" : "names one twice",
                    "it lists languages to translate into, such as [fr, de]");
        }
    }

    @Override
    public Set<String> needs() {
        return Set.of(Candidate.QUESTION);
    }

    @Override
    public Set<String> makes() {
        return Set.of(Candidate.LANGUAGE);
    }

    @Override
    public Object inputs(Workshop workshop) {
        return model.inputs(workshop);
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        double documents = (double) workshop.inputSize().documents() * languages.size();
        double questions = before.candidates() * languages.size();
        double tokens = workshop.inputSize().tokens();
        CallEstimate calls = model.estimate(documents, tokens, tokens, workshop)
                .plus(model.estimate(questions, QUESTION, QUESTION, workshop));
        return new Forecast(before.candidates() + documents + questions, calls, 0);
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        candidates.forEach(out::keep);
        for (String language : languages) {
            List<Candidate> batch = new ArrayList<>();
            workshop.documents().forEach(document -> {
                batch.add(document);
                if (batch.size() == PromptedModel.BATCH) {
                    translate(batch, Candidate.TEXT, language, out, workshop);
                    batch.clear();
                }
            });
            translate(batch, Candidate.TEXT, language, out, workshop);
            candidates.forEachBatch(
                    PromptedModel.BATCH,
                    questions -> translate(questions, Candidate.QUESTION, language, out, workshop));
        }
    }

    private void translate(List<Candidate> batch, String field, String language, StageSink out, Workshop workshop) {
        String name = Locale.of(language).getDisplayLanguage(Locale.ENGLISH);
        List<Map<String, String>> slots = batch.stream()
                .map(candidate -> Map.of("text", candidate.text(field), "language", name))
                .toList();
        List<Answer<String>> texts = model.ask(slots, TranslateStage::read, workshop);
        for (int i = 0; i < batch.size(); i++) {
            Candidate original = batch.get(i);
            Candidate own =
                    original.with(Candidate.ID, original.id() + "@" + language).with(Candidate.LANGUAGE, language);
            Answer<String> text = texts.get(i);
            text.value()
                    .ifPresentOrElse(
                            translation -> out.keep(own.with(field, translation)),
                            () -> out.drop(own.without(field), text.problem()));
        }
    }

    private static Answer<String> read(String reply) {
        return reply.isBlank() ? Answer.problem(ModelReplies.EMPTY) : Answer.of(reply.strip());
    }
}
