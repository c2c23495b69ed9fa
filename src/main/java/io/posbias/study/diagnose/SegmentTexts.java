package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.text.Plural;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.DiagnosisRunner;
import io.posbias.study.diagnose.SegmentSample.Segmentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The texts of benchmarks whose segments are compared with the whole, and the models' encoders. */
public record SegmentTexts(
        SegmentChoice choice, List<DrawnSegments> drawn, BiFunction<Recipe, Engine, VectorSource> encoders) {
    /**
     * Selection of passages.
     *
     * @param lengths describes the bands
     */
    public record SegmentChoice(@JsonUnwrapped SegmentSample.SegmentLimits limits, String lengths, double confidence) {
        String words() {
            return limits.words() + limits.tokens() + ", " + lengths;
        }
    }

    public record DrawnSegments(
            String dataset, Map<String, String> sha256, SegmentSample sample, SegmentSample.SegmentBands bands) {}

    /**
     * Result of a model on a benchmark.
     *
     * @param fit distinct texts within the limits
     * @param bands all lengths first
     */
    public record SegmentResult<B>(
            String dataset,
            Map<String, String> datasetSha256,
            int passages,
            int fit,
            int drawn,
            SegmentSimilarity.SegmentTruncation cut,
            List<B> bands) {}

    List<SegmentSimilarity> score(Segmentation segments, Recipe recipe, Engine engine) {
        List<SegmentSimilarity> scores = new ArrayList<>();
        try (VectorSource encoder = encoders.apply(recipe, engine)) {
            for (DrawnSegments one : drawn) {
                scores.add(DiagnosisRunner.timed(
                        recipe,
                        engine,
                        own -> one.dataset() + ": " + Plural.of(own.texts().size(), "passage"),
                        () -> SegmentSimilarity.of(
                                one.sample(), segments, encoder, recipe, "encode " + one.dataset())));
            }
            engine.say(recipe.name() + ": "
                    + encoder.usage().entrySet().stream()
                            .map(figure -> figure.getKey() + " " + figure.getValue())
                            .collect(Collectors.joining(", ")));
        }
        return scores;
    }

    /** The result on each benchmark, by bands of its lengths. */
    <B> List<SegmentResult<B>> find(List<SegmentSimilarity> scores, Function<SegmentSimilarity.Band, B> band) {
        List<SegmentResult<B>> found = new ArrayList<>();
        for (DrawnSegments one : drawn) {
            SegmentSimilarity own = scores.get(found.size());
            found.add(new SegmentResult<>(
                    one.dataset(),
                    one.sha256(),
                    one.sample().passages(),
                    one.sample().fit(),
                    own.texts().size(),
                    own.cut(),
                    own.bands(one.bands()).stream().map(band).toList()));
        }
        return found;
    }

    /** Takes each scored text with the name of its benchmark. */
    void forEach(List<SegmentSimilarity> scores, BiConsumer<String, SegmentSimilarity.TextCosines> row) {
        for (int i = 0; i < drawn.size(); i++) {
            String dataset = drawn.get(i).dataset();
            scores.get(i).texts().forEach(text -> row.accept(dataset, text));
        }
    }

    static <B> List<String> cuts(Map<String, List<SegmentResult<B>>> found) {
        List<String> notes = new ArrayList<>();
        found.forEach((model, datasets) -> datasets.forEach(on -> {
            SegmentSimilarity.SegmentTruncation cut = on.cut();
            if (!cut.known()) {
                notes.add(model + " on " + on.dataset() + ": the provider may truncate texts silently"
                        + (cut.maxTokens() > 0 ? " past " + cut.maxTokens() + " tokens" : ""));
            } else if (cut.wholeTexts() + cut.segments() > 0) {
                notes.add(model + " on " + on.dataset() + ": " + cut.wholeTexts() + " of " + on.drawn()
                        + " whole texts and " + cut.segments() + " segments were truncated at " + cut.maxTokens()
                        + " tokens; the vector of the whole text does not cover the rest");
            }
        }));
        return notes;
    }
}
