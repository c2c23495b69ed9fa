package io.posbias.gate;

import io.posbias.measure.Placement;
import io.posbias.result.Result;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model on a dataset before and after a change.
 *
 * @param before the result of the baseline
 * @param after the result of today
 * @param unpaired why the queries of both cannot be paired; null when they can
 * @param placement of the queries
 * @param scoresBefore by measure, one for each query
 * @param scoresAfter likewise
 */
public record Versions(
        Result before,
        Result after,
        @Nullable String unpaired,
        Placement placement,
        Map<String, double[]> scoresBefore,
        Map<String, double[]> scoresAfter) {

    /** The model on the dataset, in words. */
    String cell() {
        return after.model() + " on " + after.dataset();
    }

    /** The first measure of the result of today. */
    String firstMeasure() {
        return after.settings().measures().getFirst();
    }
}
