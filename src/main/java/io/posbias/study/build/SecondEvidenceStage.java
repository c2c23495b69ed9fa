package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.SecondEvidence;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.TextScorer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Drops questions that another sentence of their document answers: the answer's text stands in it or, with models, one of them
 * scores it as high as the best sentence of the evidence. One model is loaded at a time. BM25's statistics are those of the
 * documents.
 *
 * @param models that score sentences for the question; none: the text of the answer, or of the span for a question without
 * @param margin that another sentence may be below the best of the evidence, in a model's scores
 */
record SecondEvidenceStage(
        @Setting(usual = "[]") List<Recipe> models,
        @Setting(usual = "0", least = 0) double margin) implements Stage {
    /** Tokens of a sentence for the forecast. */
    private static final double SENTENCE = 25;

    SecondEvidenceStage {
        if (!models.isEmpty()) {
            new StageModels(models, "none");
        }
    }

    /** A question's document and the span of its evidence, in UTF-16 units. */
    private record Place(Sentences sentences, Span evidence) {
        static Place of(Candidate candidate, StageContext context) {
            Sentences sentences = StageModels.sentences(candidate.document(), context);
            Span points = candidate.requiredSpan(Candidate.SPAN);
            return new Place(sentences, CodePoints.toUtf16(sentences.text(), points.start(), points.end()));
        }

        Optional<SecondEvidence> byText(Candidate candidate) {
            String answer = candidate.has(Candidate.ANSWER) ? candidate.text(Candidate.ANSWER) : "";
            return SecondEvidence.byText(
                    sentences, evidence, answer.isBlank() ? evidence.of(sentences.text()) : answer);
        }
    }

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION, Candidate.SPAN);
    }

    @Override
    public Object inputs(StageContext context) {
        return StageModels.inputs(context, models);
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        double sentences = Math.ceil(context.inputSize().tokens() / SENTENCE);
        return Forecast.ofPairs(before.candidates(), before.candidates() * sentences * models.size());
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, String> found = new HashMap<>();
        for (Recipe recipe : models) {
            score(recipe, candidates, found, context);
        }
        candidates.forEach(candidate -> {
            String other = models.isEmpty()
                    ? Place.of(candidate, context)
                            .byText(candidate)
                            .flatMap(SecondEvidenceStage::first)
                            .orElse(null)
                    : found.get(candidate.id());
            if (other == null) {
                out.keep(candidate);
            } else {
                out.drop(candidate, "another sentence answers it", other);
            }
        });
    }

    /** Describes the first other span; empty without one. */
    private static Optional<String> first(SecondEvidence evidence) {
        return evidence.others().stream()
                .findFirst()
                .map(span -> "at " + evidence.sentences().text().codePointCount(0, span.start()));
    }

    private void score(Recipe recipe, Candidates candidates, Map<String, String> found, StageContext context) {
        Map<String, Place> places = new HashMap<>();
        StageModels.score(
                recipe,
                candidates,
                candidate -> places.computeIfAbsent(candidate.id(), id -> Place.of(candidate, context))
                        .sentences()
                        .all(),
                (candidate, scores) -> {
                    Place place = Objects.requireNonNull(places.remove(candidate.id()));
                    SecondEvidence.byScores(place.sentences(), place.evidence(), TextScorer.values(scores), margin)
                            .flatMap(SecondEvidenceStage::first)
                            .ifPresent(other -> found.putIfAbsent(candidate.id(), recipe.name() + " " + other));
                },
                context);
    }
}
