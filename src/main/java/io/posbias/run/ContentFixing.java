package io.posbias.run;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.rank.RetrievedRun;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.RunKey;
import java.util.List;

/**
 * Scores queries with their evidence at other positions of its passage, and fits the position effect. The
 * implementation is in {@code diagnose}, which depends on this package.
 *
 * @param name in settings: equal names, equal numbers
 * @param method of placing the evidence
 */
public record ContentFixing(String name, String method, Scorer scorer) {
    RunKey.Placing placing(Settings settings) {
        return new RunKey.Placing(name, method, settings.measure().toString(), settings.seed());
    }

    @FunctionalInterface
    public interface Scorer {
        /**
         * Scores a sample of a benchmark's queries at all positions.
         *
         * @param found ranking of all queries
         */
        List<ScoresByPlace> score(Dataset dataset, Recipe recipe, RetrievedRun found, Measure measure, Engine engine);
    }
}
