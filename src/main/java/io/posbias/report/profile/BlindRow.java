package io.posbias.report.profile;

import io.posbias.data.position.Strata;
import io.posbias.score.measure.BesideBlind;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.UnreadContrast;
import io.posbias.score.result.Answer;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Result of a position-blind model, in a row below the others of its benchmark.
 *
 * @param beside compares a result's profile of a measure with this one; null if their queries cannot be paired
 */
public record BlindRow(Result result, BiFunction<Result, String, @Nullable BesideBlind> beside) {
    /**
     * Makes the row of a cell.
     *
     * @param folder of a result with its queries
     */
    public static BlindRow of(CellQueries blind, Function<Result, Path> folder) {
        return new BlindRow(
                blind.result(),
                (result, measure) ->
                        beside(blind, result, measure, folder.apply(result)).orElse(null));
    }

    /** Explains the verdicts of a profile beside this row. */
    public Answer answer(Result other, Profile profile) {
        boolean isPaired = profile.stratum().equals(Strata.ALL) && !other.isBlind();
        return Answer.of(other, profile, isPaired ? beside.apply(other, profile.measure()) : null);
    }

    /** Empty if the result is not in its folder, or if its queries cannot be paired. */
    private static Optional<BesideBlind> beside(CellQueries blind, Result result, String measure, Path folder) {
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
                            : Optional.of(beside(blind, own, measure, first, second));
                });
    }

    private static BesideBlind beside(
            CellQueries blind, CellQueries own, String measure, double[] first, double[] second) {
        Settings settings = own.result().settings();
        return new BesideBlind(
                blind.result().model(),
                Stream.of(blind, own).allMatch(cell -> differs(cell.result().profile(measure, Strata.ALL)))
                        ? new Comparer(settings, 1).shape(first, second, own.placement())
                        : null,
                UnreadContrast.of(
                        second,
                        first,
                        own.facts().readByAll(),
                        own.placement().clustering().clusters(),
                        settings.confidence()));
    }

    private static boolean differs(@Nullable Profile profile) {
        return profile != null && profile.outcome() == TestOutcome.DIFFER;
    }
}
