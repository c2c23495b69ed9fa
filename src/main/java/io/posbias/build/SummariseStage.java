package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.LanguageModel.Answer;
import io.posbias.build.llm.ModelReplies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Summaries of documents by a language model: step 2 of FineWeb-PosQ (arXiv:2505.13950, section 3.2 and appendix B.1).
 * Settings:
 *
 * <ul>
 *   <li>{@code model}: the role that is asked
 *   <li>{@code prompt} with {@code {document}} and {@code {most_words}}; {@code summary} unless it is said
 *   <li>{@code most-words}: words that a summary has at most, 400 unless it is said
 * </ul>
 *
 * <p>A reply that is empty, a refusal or longer is asked for once more, then its document is dropped (the paper does not say
 * what becomes of such; ours).
 */
final class SummariseStage implements Stage {
    private static final int MOST_WORDS = 400;

    /** Tokens of a summary for the forecast: 400 English words. */
    private static final int REPLY = 550;

    private final PromptedModel model;
    private final int mostWords;

    SummariseStage(Fields settings) {
        settings.refuseOthers(List.of("model", "prompt", "most-words"));
        this.model = PromptedModel.of(settings, "summary", List.of("document", "most_words"));
        this.mostWords = settings.positive("most-words", MOST_WORDS);
    }

    @Override
    public Set<String> makes() {
        return Set.of(Candidate.SUMMARY);
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
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        candidates.forEachBatch(PromptedModel.BATCH, batch -> {
            ToIntFunction<String> words = LengthUnit.WORDS.counter(workshop);
            model.each(
                    batch.stream()
                            .map(candidate -> candidate.without(Candidate.TEXT))
                            .toList(),
                    candidate -> Map.of(
                            "document", workshop.documents().text(candidate.document()), "most_words", "" + mostWords),
                    reply -> read(reply, words),
                    (candidate, text) -> out.keep(candidate.with(Candidate.SUMMARY, text)),
                    out,
                    workshop);
        });
    }

    private Answer<String> read(String reply, ToIntFunction<String> words) {
        Answer<String> text = ModelReplies.text(reply);
        return text.value()
                        .filter(summary -> words.applyAsInt(summary) > mostWords)
                        .isPresent()
                ? Answer.problem("the summary has more than " + mostWords + " words")
                : text;
    }
}
