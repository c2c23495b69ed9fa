package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.CallEstimate;
import io.posbias.study.build.llm.LanguageModel.Answer;
import io.posbias.study.build.llm.Prompt;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A language model with its prompt.
 *
 * @param role of the pipeline's {@code language-models}
 * @param read parses a reply
 */
record PromptedModel<T>(String role, Prompt prompt, Function<String, Answer<T>> read) {
    /** Prompts per batch: enough for all parallel calls, few enough for memory. */
    static final int BATCH = 512;

    /** Checks a prompt of a stage that may be without a model. */
    static void check(@Nullable String role, @Nullable Prompt prompt, List<String> slots) {
        if (prompt != null) {
            if (role == null) {
                throw new Setting.Wrong(
                        "prompt", "is without a model", "name the role that is asked with 'model: ROLE'");
            }
            prompt.allow(slots);
        }
    }

    /**
     * Returns the provenance of replies: service, sampling and the prompt's digest.
     *
     * @throws io.posbias.base.process.UsageException if the role has no service
     */
    Object inputs(StageContext context) {
        ChatSettings chat = context.named(role);
        Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put("prompt", prompt.name());
        inputs.put("sha256", prompt.sha256());
        inputs.put("model", chat.model());
        inputs.put("endpoint", chat.base());
        inputs.put("sampling", chat.sampling().toString());
        return inputs;
    }

    /**
     * Estimates the cost of calls without retries.
     *
     * @param read tokens per prompt
     * @param written tokens per reply
     */
    CallEstimate estimate(double calls, double read, double written, StageContext context) {
        long in = Math.round(calls * (read + CallEstimate.tokens(prompt.template())));
        long out = Math.round(calls * written);
        Optional<Double> usd = context.role(role).flatMap(ChatSettings::price).map(price -> price.usd(in, out));
        return new CallEstimate(Math.round(calls), Math.round(calls), in + out, usd.orElse(null));
    }

    /** Estimates one call per candidate about its whole document. */
    Stage.Forecast forecast(Stage.Forecast before, double written, StageContext context) {
        double read = context.inputSize().tokens();
        return new Stage.Forecast(before.candidates(), estimate(before.candidates(), read, written, context), 0);
    }

    /**
     * Asks about candidates and drops those with an unreadable reply.
     *
     * @param slots of each prompt about a candidate
     * @param keep takes a candidate with one value per prompt
     */
    void each(
            Consumer<Consumer<Candidate>> candidates,
            Function<Candidate, List<Map<String, String>>> slots,
            BiConsumer<Candidate, List<T>> keep,
            Candidates.Sink out,
            StageContext context) {
        ask(
                candidates,
                slots,
                (candidate, answers) -> answers.stream()
                        .filter(answer -> answer.value().isEmpty())
                        .findFirst()
                        .ifPresentOrElse(
                                wrong -> out.drop(candidate, wrong.problem(), wrong.reply()),
                                () -> keep.accept(
                                        candidate,
                                        answers.stream()
                                                .flatMap(answer -> answer.value().stream())
                                                .toList())),
                context);
    }

    /**
     * Asks about items in batches.
     *
     * @param slots of each prompt about an item
     * @param take takes an item with one answer per prompt
     */
    <I> void ask(
            Consumer<Consumer<I>> items,
            Function<I, List<Map<String, String>>> slots,
            BiConsumer<I, List<Answer<T>>> take,
            StageContext context) {
        Candidates.inBatches(items, BATCH, batch -> {
            List<List<String>> prompts = batch.stream()
                    .map(item -> slots.apply(item).stream().map(prompt::fill).toList())
                    .toList();
            Iterator<Answer<T>> answers = context.languageModel(role)
                    .ask(prompts.stream().flatMap(List::stream).toList(), read)
                    .iterator();
            for (int i = 0; i < prompts.size(); i++) {
                take.accept(
                        batch.get(i),
                        prompts.get(i).stream().map(prompt -> answers.next()).toList());
            }
        });
    }
}
