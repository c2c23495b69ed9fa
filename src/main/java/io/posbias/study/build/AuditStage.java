package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.ModelReplies.Reasoned;
import io.posbias.study.build.llm.Prompt;
import io.posbias.study.build.text.BoundedDraw;
import io.posbias.study.build.text.Margins;
import io.posbias.study.build.text.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Audit of margins by a language model (arXiv:2605.26578): for each stratum of the rerankers' smallest margin, how often the
 * segment that a question belongs to answers it, and the others do not. Candidates that the stage before dropped are audited too
 * where they have a margin; the stage itself drops nothing. A question with an unreadable reply is left out, and counted. The
 * replies to each question with their reasons are in {@code audit/questions.jsonl}.
 *
 * @param model the role to ask
 * @param prompt with {@code {question}} and {@code {passage}}
 * @param n most questions per stratum, drawn by seed (our choice, the paper does not say)
 * @param segments how a document is cut in three
 * @param seed of the draw; null for the pipeline's
 */
record AuditStage(
        String model,
        @Setting(usual = "audit") Prompt prompt,
        @Setting(usual = "200", least = 1) int n,
        @JsonUnwrapped Segments segments,
        @Nullable Integer seed)
        implements Stage {
    /** Name of the note that lists each {@link Stratum}. */
    static final String NOTE = "audit";

    private static final int THIRDS = 3;
    private static final double CONFIDENCE = 0.95;

    /** A margin below 0, then strata from an edge of {@link Margins} to the next. */
    private static final List<String> STRATA =
            List.of("failed top-rank check", "0 to 0.1", "0.1 to 0.2", "0.2 to 0.3", "0.3 and more");

    AuditStage {
        prompt.allow(JudgeStage.SLOTS);
    }

    /**
     * A share of questions.
     *
     * @param interval 95%, clustered by document; null for fewer than two documents
     */
    record Share(double share, @Nullable Interval interval) {
        private static @Nullable Share of(List<Audited> questions, ToDoubleFunction<Audited> value) {
            if (questions.isEmpty()) {
                return null;
            }
            Clusters documents = Clusters.named(questions.stream()
                    .map(question -> question.candidate().document())
                    .toList());
            Moments moments = Moments.of(questions.stream().mapToDouble(value).toArray(), documents);
            return new Share(moments.mean(), moments.isEstimable() ? moments.ofScores(CONFIDENCE) : null);
        }
    }

    /**
     * Questions with a margin of one stratum.
     *
     * @param candidates null in a published line
     * @param audited those drawn whose three replies were read; null in a published line
     * @param targetYes share of questions whose own segment answers them; null without questions, as the others
     * @param distractorNo mean share, per question, of the other two segments that do not answer it
     * @param exclusive share of questions that their own segment answers and no other
     */
    record Stratum(
            String margin,
            @Nullable Long candidates,
            @Nullable Integer audited,
            @Nullable Share targetYes,
            @Nullable Share distractorNo,
            @Nullable Share exclusive) {}

    /** Replies about a question, one for each segment. */
    private record Audited(Candidate candidate, List<Reasoned> replies) {
        int own() {
            return Candidate.POSITIONS.indexOf(candidate.text(Candidate.POSITION));
        }

        boolean isAnswered() {
            return replies.get(own()).yes();
        }

        /** Counts the other segments that do not answer it. */
        int others() {
            return (int) IntStream.range(0, THIRDS)
                    .filter(i -> i != own() && !replies.get(i).yes())
                    .count();
        }

        SequencedMap<String, Object> row(String margin) {
            List<SequencedMap<String, Object>> segments = IntStream.range(0, THIRDS)
                    .mapToObj(i -> RowWriter.row(
                            "segment", Candidate.POSITIONS.get(i),
                            "answers", replies.get(i).yes(),
                            "reasoning", replies.get(i).reasoning()))
                    .toList();
            return RowWriter.row(
                    "id", candidate.id(),
                    "question", candidate.text(Candidate.QUESTION),
                    "margin", margin,
                    "position", candidate.text(Candidate.POSITION),
                    "segments", segments);
        }
    }

    private PromptedModel<Reasoned> asked() {
        return new PromptedModel<>(model, prompt, ModelReplies::reasoned);
    }

    @Override
    public Optional<String> folder() {
        return Optional.of(NOTE);
    }

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION, Candidate.POSITION, Candidate.MARGIN);
    }

    @Override
    public Object inputs(StageContext context) {
        return List.of(asked().inputs(context), segments.inputs(context));
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        double questions = Math.min(before.candidates(), (double) n * STRATA.size());
        double tokens = context.inputSize().tokens() / THIRDS;
        return new Forecast(before.candidates(), asked().estimate(questions * THIRDS, tokens, 1, context), 0);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        long[] sizes = new long[STRATA.size()];
        long drawn = context.seed(seed);
        List<BoundedDraw<Candidate>> draws = STRATA.stream()
                .map(stratum -> new BoundedDraw<Candidate>(drawn, n))
                .toList();
        candidates.forEachLine(candidate -> {
            if (candidate.has(Candidate.MARGIN)) {
                int stratum = Margins.stratum(candidate.fields().number(Candidate.MARGIN));
                sizes[stratum]++;
                draws.get(stratum).add(candidate.id(), candidate);
            }
        });
        List<Stratum> strata = new ArrayList<>();
        List<SequencedMap<String, Object>> rows = new ArrayList<>();
        int asked = 0;
        for (int i = 0; i < sizes.length; i++) {
            String margin = STRATA.get(i);
            List<Candidate> some = draws.get(i).drawn();
            List<Audited> audited = audited(some, context);
            asked += some.size();
            audited.forEach(question -> rows.add(question.row(margin)));
            strata.add(stratum(margin, sizes[i], audited));
        }
        out.note(NOTE, strata);
        if (rows.size() < asked) {
            out.note("questions left out, with a reply that cannot be read", asked - rows.size());
        }
        context.write(NOTE, folder -> RowWriter.lines(folder.resolve("questions.jsonl"), rows::forEach));
        candidates.forEach(out::keep);
    }

    private List<Audited> audited(List<Candidate> drawn, StageContext context) {
        List<Audited> all = new ArrayList<>();
        asked().<Candidate>ask(
                        drawn::forEach,
                        candidate -> segments.thirds(context.text(candidate), context).stream()
                                .map(text -> JudgeStage.slots(candidate, text))
                                .toList(),
                        (candidate, answers) -> {
                            List<Reasoned> read = answers.stream()
                                    .flatMap(answer -> answer.value().stream())
                                    .toList();
                            if (read.size() == THIRDS) {
                                all.add(new Audited(candidate, read));
                            }
                        },
                        context);
        return all;
    }

    private static Stratum stratum(String margin, long candidates, List<Audited> questions) {
        double others = THIRDS - 1;
        return new Stratum(
                margin,
                candidates,
                questions.size(),
                Share.of(questions, question -> question.isAnswered() ? 1 : 0),
                Share.of(questions, question -> question.others() / others),
                Share.of(questions, question -> question.isAnswered() && question.others() == others ? 1 : 0));
    }
}
