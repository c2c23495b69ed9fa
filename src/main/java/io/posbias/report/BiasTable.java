package io.posbias.report;

import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** PSI with its interval, its correction and what chance gives, and the direction: what a PSI is worth. */
final class BiasTable {
    private BiasTable() {}

    /** The table of a measure over results of one benchmark; none when nothing was drawn. */
    static Optional<Table> of(List<Result> results, String measure) {
        List<String> strata = results.getFirst().strata();
        if (strata.stream()
                .flatMap(stratum -> profiles(results, measure, stratum))
                .noneMatch(BiasTable::isDrawn)) {
            return Optional.empty();
        }
        Grid grid = new Grid();
        for (String stratum : strata) {
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    grid.add(cells(ProfileTables.label(result, profile), profile));
                }
            }
        }
        Result first = results.getFirst();
        String interval = String.format(
                Locale.ROOT, "%s%% interval", percent(first.settings().confidence()));
        List<String> header = List.of(
                "model", "PSI", interval, "corrected", "noise95", "p", "slope", "front - back", "middle - ends");
        String title = first.dataset() + ", " + measure + ": how much of PSI is position";
        return Optional.of(new Table(title, List.of(), header, grid.rows(), notes(first)));
    }

    private static Stream<Profile> profiles(List<Result> results, String measure, String stratum) {
        return results.stream().map(result -> result.profile(measure, stratum)).filter(Objects::nonNull);
    }

    private static boolean isDrawn(Profile profile) {
        return profile.psi().noise95() != null || profile.psi().interval() != null;
    }

    private static List<Cell> cells(String label, Profile profile) {
        Direction direction = profile.direction();
        List<String> cells =
                new ArrayList<>(List.of(label, Numbers.fraction(profile.psi().value())));
        cells.add(
                profile.psi().interval() == null
                        ? Numbers.NONE
                        : Numbers.fraction(profile.psi().interval()));
        cells.add(Numbers.fraction(profile.psi().corrected()));
        cells.add(Numbers.fraction(profile.psi().noise95()));
        cells.add(Numbers.pValue(profile.psi().pValue()));
        cells.add(points(direction == null ? null : direction.slope()));
        cells.add(points(direction == null ? null : direction.frontMinusBack()));
        cells.add(points(direction == null ? null : direction.middleMinusEnds()));
        return cells.stream().map(Cell::word).toList();
    }

    private static String points(@Nullable Estimate estimate) {
        return Numbers.signedPoints(estimate == null ? null : estimate.value());
    }

    private static String percent(double confidence) {
        String text = String.format(Locale.ROOT, "%.4f", 100 * confidence);
        return text.replaceFirst("\\.?0+$", "");
    }

    private static List<String> notes(Result result) {
        return List.of(
                "noise95: PSI that 95% of " + result.settings().draws()
                        + " random deals of the same scores to positions stay below; p: share of deals that reach PSI",
                "corrected: PSI less its estimated bias; slope: points gained from the very front to the very end");
    }
}
