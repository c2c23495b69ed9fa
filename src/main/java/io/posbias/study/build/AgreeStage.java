package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.model.retrieve.Recipe;
import io.posbias.rank.TruncationReport;
import io.posbias.run.TextScorer;
import io.posbias.study.build.text.Margins;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/**
 * Keeps questions whose evidence all models place at the label: each model scores the question with several texts,
 * and the right one must win by a margin. The smallest margin stays with the candidate.
 *
 * <p>One model is loaded at a time; all scores are in memory. BM25's statistics are those of the documents.
 * Truncated texts are noted.
 *
 * @param models one vote each
 * @param scale of their scores, see {@link StageModels}
 * @param delta minimum margin of each model
 * @param ties whether a margin of exactly 0 fails whatever {@code delta} is (our choice where a paper does not say)
 * @param texts the scored texts
 */
record AgreeStage(
        @Setting(usual = "[]") List<Recipe> models,
        @Setting(words = {"none", "sigmoid"}) String scale,
        @Setting(usual = "0", least = 0) double delta,

        @Setting(words = {"drop", "keep"}) String ties,

        @JsonUnwrapped EvidenceTexts texts)
        implements Stage {
    AgreeStage {
        new StageModels(models, scale);
    }

    @Override
    public Set<String> requiredFields() {
        return texts.requiredFields();
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.SCORES, Candidate.MARGIN);
    }

    @Override
    public Object inputs(StageContext context) {
        return List.of(StageModels.inputs(context, models), texts.inputs(context));
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        return Forecast.ofPairs(before.candidates(), before.candidates() * texts.count() * models.size());
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, Scores> scores = new LinkedHashMap<>();
        SequencedMap<String, Object> unread = new LinkedHashMap<>();
        for (Recipe recipe : models) {
            Scores own = new Scores(new StageModels(models, scale).scale(recipe.retriever()));
            StageModels.score(recipe, candidates, candidate -> texts.of(candidate, context), own::add, context);
            scores.put(recipe.name(), own);
            if (own.cut + own.unknown > 0) {
                unread.put(recipe.name(), own.unread());
                context.session().say(recipe.name() + ": " + own.unread());
            }
        }
        int[] next = {0};
        Margins margins = new Margins();
        candidates.forEach(candidate -> decide(candidate, next[0]++, scores, margins, out));
        if (!texts.isCut()) {
            out.note(Margins.NOTE, margins.rows());
        }
        if (!unread.isEmpty()) {
            out.note("texts not read to their ends", unread);
        }
    }

    private static final class Scores {
        private final DoubleUnaryOperator scale;
        private final List<double[]> all = new ArrayList<>();
        private long pairs;
        private long cut;
        private long unknown;

        Scores(DoubleUnaryOperator scale) {
            this.scale = scale;
        }

        void add(Candidate candidate, List<TextScorer.TextScore> scores) {
            all.add(scores.stream()
                    .mapToDouble(score -> scale.applyAsDouble(score.value()))
                    .toArray());
            pairs += scores.size();
            cut += scores.stream().filter(score -> score.seen() >= 0).count();
            unknown += scores.stream()
                    .filter(score -> score.seen() == TruncationReport.UNKNOWN)
                    .count();
        }

        String unread() {
            return unknown > 0
                    ? "the service may have cut texts; it does not say"
                    : cut + " of " + pairs + " texts are longer than its window";
        }
    }

    private boolean isLost(double margin) {
        return margin < 0 || (margin == 0 && ties.equals("drop"));
    }

    private void decide(
            Candidate candidate, int place, Map<String, Scores> models, Margins margins, Candidates.Sink out) {
        SequencedMap<String, Object> scores =
                new LinkedHashMap<>(candidate.fields().record(Candidate.SCORES).toMap());
        double least = Double.POSITIVE_INFINITY;
        List<String> against = new ArrayList<>();
        for (Map.Entry<String, Scores> model : models.entrySet()) {
            double[] own = model.getValue().all.get(place);
            if (own.length == 0) {
                out.drop(candidate, EvidenceTexts.TOO_SHORT);
                return;
            }
            double margin = texts.margin(candidate, own);
            scores.put(model.getKey(), own);
            least = Math.min(least, margin);
            if (margin < delta || isLost(margin)) {
                against.add(model.getKey());
            }
        }
        margins.add(least, candidate.fields().text(Candidate.POSITION, ""));
        Candidate scored = candidate.with(Candidate.SCORES, scores).with(Candidate.MARGIN, least);
        if (against.isEmpty()) {
            out.keep(scored);
        } else {
            out.drop(scored, isLost(least) ? texts.tie() : "margin below " + delta, String.join(", ", against));
        }
    }
}
