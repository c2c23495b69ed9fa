package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.study.build.llm.LanguageModel.Answer;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summaries of documents by a language model: step 2 of FineWeb-PosQ (arXiv:2505.13950, section 3.2 and appendix
 * B.1). An empty, refused or overlong summary is asked for once more, then its document is dropped (our choice).
 *
 * @param model the role to ask
 * @param prompt with {@code {document}} and {@code {most_words}}
 * @param mostWords maximum words of a summary
 */
record SummariseStage(
        String model,
        @Setting(usual = "summary") Prompt prompt,
        @Setting(usual = "400", least = 1) int mostWords) implements Stage {
    /** Tokens of a summary for the forecast: 400 English words. */
    private static final int REPLY = 550;

    SummariseStage {
        prompt.allow(List.of("document", "most_words"));
    }

    private PromptedModel<String> asked() {
        return new PromptedModel<>(model, prompt, this::read);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.SUMMARY);
    }

    @Override
    public Object inputs(StageContext context) {
        return asked().inputs(context);
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        return asked().forecast(before, REPLY, context);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        asked().each(
                        sink -> candidates.forEach(candidate -> sink.accept(candidate.without(Candidate.TEXT))),
                        candidate -> List.of(Map.of("document", context.text(candidate), "most_words", "" + mostWords)),
                        (candidate, texts) -> out.keep(candidate.with(Candidate.SUMMARY, texts.getFirst())),
                        out,
                        context);
    }

    private Answer<String> read(String reply) {
        Answer<String> text = ModelReplies.text(reply);
        return text.value()
                        .filter(summary -> DatasetStatistics.words(summary) > mostWords)
                        .isPresent()
                ? Answer.problem("the summary has more than " + mostWords + " words")
                : text;
    }
}
