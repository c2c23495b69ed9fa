package io.posbias.build;

import io.posbias.build.llm.LanguageModel.Answer;
import io.posbias.build.llm.Prompt;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.api.ChatSettings;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A language model and what it is asked, as the settings of a stage name them.
 *
 * @param role of the pipeline's {@code language-models}
 * @param read reads a reply
 */
record PromptedModel<T>(String role, Prompt prompt, Function<String, Answer<T>> read) {
    /** Items that are asked about at once: enough to keep all calls busy, few enough to be in memory with their texts. */
    static final int BATCH = 512;

    /** What replies depend on: who is asked, and the words. */
    Object inputs(PipelineContext context) {
        Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put("prompt", prompt.name());
        inputs.put("sha256", prompt.sha256());
        context.role(role).ifPresent(chat -> {
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
    CallEstimate estimate(double calls, double read, double written, PipelineContext context) {
        long in = Math.round(calls * (read + CallEstimate.tokens(prompt.template())));
        long out = Math.round(calls * written);
        Optional<Double> usd = context.role(role).flatMap(ChatSettings::price).map(price -> price.usd(in, out));
        return new CallEstimate(Math.round(calls), Math.round(calls), in + out, usd.orElse(null));
    }

    /**
     * One call about the whole document of each candidate.
     *
     * @param written tokens of one reply
     */
    Forecast forecast(Forecast before, double written, PipelineContext context) {
        double read = context.inputSize().tokens();
        return new Forecast(before.candidates(), estimate(before.candidates(), read, written, context), 0);
    }

    /**
     * Asks about candidates, and drops those of which a reply cannot be read.
     *
     * @param candidates gives all of them, one after another
     * @param slots of each prompt about a candidate
     * @param keep takes a candidate with what the replies say, one per prompt
     */
    void each(
            Consumer<Consumer<Candidate>> candidates,
            Function<Candidate, List<Map<String, String>>> slots,
            BiConsumer<Candidate, List<T>> keep,
            StageSink out,
            PipelineContext context) {
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
     * Asks about items, many at once.
     *
     * @param items gives all of them, one after another
     * @param slots of each prompt about an item
     * @param take takes an item with its answers, one per prompt
     */
    <I> void ask(
            Consumer<Consumer<I>> items,
            Function<I, List<Map<String, String>>> slots,
            BiConsumer<I, List<Answer<T>>> take,
            PipelineContext context) {
        List<I> batch = new ArrayList<>();
        items.accept(item -> {
            batch.add(item);
            if (batch.size() == BATCH) {
                askBatch(batch, slots, take, context);
                batch.clear();
            }
        });
        askBatch(batch, slots, take, context);
    }

    private <I> void askBatch(
            List<I> batch,
            Function<I, List<Map<String, String>>> slots,
            BiConsumer<I, List<Answer<T>>> take,
            PipelineContext context) {
        if (batch.isEmpty()) {
            return;
        }
        List<List<String>> prompts = batch.stream()
                .map(item -> slots.apply(item).stream().map(prompt::fill).toList())
                .toList();
        Iterator<Answer<T>> answers = context.languageModel(role)
                .ask(prompts.stream().flatMap(List::stream).toList(), read)
                .iterator();
        for (int i = 0; i < prompts.size(); i++) {
            take.accept(
                    batch.get(i),
                    prompts.get(i).stream().map(asked -> answers.next()).toList());
        }
    }
}
