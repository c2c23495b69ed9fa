package io.posbias.report.page;

import io.posbias.measure.Placement;
import io.posbias.measure.Scores;
import io.posbias.result.Result;

/**
 * The queries of one cell, as its queries.csv holds them.
 *
 * @param result the cell
 * @param scores of its queries
 * @param placement of the same queries
 */
public record CellQueries(Result result, Scores scores, Placement placement) {
    /** Which of {@code scores.measures()} has a name; -1 when none. */
    int indexOf(String measure) {
        return result.settings().measures().indexOf(measure);
    }
}
