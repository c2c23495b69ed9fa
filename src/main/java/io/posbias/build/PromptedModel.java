package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.ChatRole;
import io.posbias.build.llm.LanguageModel;
import io.posbias.build.llm.Prompt;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.api.ChatSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A language model and what it is asked, as the settings of a stage name them: {@code model}, a role of the pipeline's
 * {@code language-models}; {@code prompt}, one of {@code configs/prompts} or a file.
 */
record PromptedModel(String role, Prompt prompt) {
    static final List<String> FIELDS = List.of("model", "prompt");

    /** Candidates that are asked about at once: enough to keep all calls busy, few enough to be in memory with their texts. */
    static final int BATCH = 512;

    /**
     * Reads both settings.
     *
     * @param usual the prompt unless the settings name one
     * @param slots of the prompt
     */
    static PromptedModel of(Fields settings, String usual, List<String> slots) {
        return new PromptedModel(settings.text("model"), Prompt.find(settings.text("prompt", usual), slots));
    }

    /** What replies depend on: who is asked, and the words. */
    Object inputs(Workshop workshop) {
        Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put("prompt", prompt.name());
        inputs.put("sha256", prompt.sha256());
        workshop.role(role).map(ChatRole::settings).ifPresent(chat -> {
            inputs.put("model", chat.model());
            inputs.put("endpoint", chat.base());
            inputs.put("sampling", chat.sampling().toString());
        });
        return inputs;
    }

    /**
     * What so many calls would take; replies that have to be asked for once more are not counted.
     *
     * @param read tokens of the texts in one prompt
     * @param written tokens of one reply
     */
    CallEstimate estimate(double calls, double read, double written, Workshop workshop) {
        long in = Math.round(calls * (read + CallEstimate.tokens(prompt.template())));
        long out = Math.round(calls * written);
        Optional<Double> usd = workshop.role(role)
                .map(ChatRole::settings)
                .flatMap(ChatSettings::price)
                .map(price -> price.usd(in, out));
        return new CallEstimate(Math.round(calls), Math.round(calls), in + out, usd.orElse(null));
    }

    /**
     * Asks about each candidate of a batch, and drops those whose reply cannot be read.
     *
     * @param slots of a candidate's prompt
     * @param read reads a reply
     * @param keep takes a candidate with what its reply says
     */
    <T> void each(
            List<Candidate> batch,
            Function<Candidate, Map<String, String>> slots,
            Function<String, LanguageModel.Answer<T>> read,
            BiConsumer<Candidate, T> keep,
            StageSink out,
            Workshop workshop) {
        List<LanguageModel.Answer<T>> answers = ask(batch.stream().map(slots).toList(), read, workshop);
        for (int i = 0; i < batch.size(); i++) {
            Candidate candidate = batch.get(i);
            LanguageModel.Answer<T> answer = answers.get(i);
            answer.value()
                    .ifPresentOrElse(
                            value -> keep.accept(candidate, value),
                            () -> out.drop(candidate, answer.problem(), answer.reply()));
        }
    }

    /**
     * Asks with the slots filled.
     *
     * @param read reads a reply
     * @return one answer per record of slots, in their order
     */
    <T> List<LanguageModel.Answer<T>> ask(
            List<Map<String, String>> slots, Function<String, LanguageModel.Answer<T>> read, Workshop workshop) {
        return workshop.languageModel(role).ask(slots.stream().map(prompt::fill).toList(), read);
    }
}
