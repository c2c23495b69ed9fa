package io.posbias.report.profile;

import io.posbias.data.position.Strata;
import io.posbias.score.measure.Comparer;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Result of a position-blind model, in a row below the others of its benchmark.
 *
 * @param shape p-value of the paired test that a result's profile of a measure differs from this one in level only; null if
 *     their queries cannot be paired
 */
public record BlindRow(Result result, BiFunction<Result, String, @Nullable Double> shape) {
    /**
     * Makes the row of a cell.
     *
     * @param folder of a result with its queries
     */
    public static BlindRow of(CellQueries blind, Function<Result, Path> folder) {
        return new BlindRow(
                blind.result(),
                (result, measure) ->
                        shape(blind, result, measure, folder.apply(result)).orElse(null));
    }

    /** Empty if the result is not in its folder, or if its queries cannot be paired. */
    private static Optional<Double> shape(CellQueries blind, Result result, String measure, Path folder) {
        return new ResultFolder(folder)
                .cell()
                .filter(StoredCell::hasQueries)
                .filter(cell ->
                        Objects.equals(cell.result().profile(measure, Strata.ALL), result.profile(measure, Strata.ALL)))
                .map(StoredCell::queries)
                .filter(own -> own.unpaired(blind) == null)
                .flatMap(own -> {
                    double[] first = blind.inOrderOf(own).of(measure);
                    double[] second = own.of(measure);
                    return first == null || second == null
                            ? Optional.empty()
                            : Optional.ofNullable(
                                    new Comparer(result.settings(), 1).shape(first, second, own.placement()));
                });
    }
}
