package io.posbias.evaluate;

import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.Measure;
import io.posbias.measure.ScoresByPlace;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import java.util.List;

/**
 * Scores queries of a benchmark with their evidence at other places of its own passages, and fits what they say. {@code
 * diagnose} has the only one; it lies above the evaluation of cells.
 *
 * @param name what settings call it: the same name, the same numbers
 * @param scorer of the rows
 * @param method how evidence is placed
 */
public record ContentFixing(String name, String method, Scorer scorer) {
    /** Scores a model. */
    @FunctionalInterface
    public interface Scorer {
        /**
         * Scores some of a benchmark's queries at all places.
         *
         * @param found what the model found for all queries
         */
        List<ScoresByPlace> score(Dataset dataset, Recipe recipe, RetrievedRun found, Measure measure, Engine engine);
    }

    /** What fits the rows. */
    ContentFixedFit fit(Scoring scoring) {
        return fit(method, scoring);
    }

    /** What fits rows of a method. */
    static ContentFixedFit fit(String method, Scoring scoring) {
        return new ContentFixedFit(
                scoring.measures().getFirst().toString(),
                method,
                scoring.cluster(),
                scoring.draws(),
                scoring.seed(),
                scoring.confidence(),
                scoring.equivalence(),
                scoring.threads());
    }
}
