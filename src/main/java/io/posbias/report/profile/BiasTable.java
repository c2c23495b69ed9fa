package io.posbias.report.profile;

import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.result.Result;
import io.posbias.stats.Estimate;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** PSI with its interval, its correction and what chance gives, and the direction: what a PSI is worth. */
final class BiasTable {
    private BiasTable() {}

    private record Row(String label, Profile profile) {
        boolean isDrawn() {
            return profile.psi().noise95() != null || profile.psi().interval() != null;
        }

        @Nullable
        Double of(Function<Direction, @Nullable Estimate> contrast) {
            Direction direction = profile.direction();
            Estimate estimate = direction == null ? null : contrast.apply(direction);
            return estimate == null ? null : (Double) estimate.value();
        }
    }

    /** The table of a measure over results of one benchmark; none when nothing was drawn. */
    static Optional<Table> of(List<Result> results, String measure) {
        Result first = results.getFirst();
        List<Row> rows = new ArrayList<>();
        for (String stratum : first.strata()) {
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    rows.add(new Row(ProfileTables.label(result, profile), profile));
                }
            }
        }
        return rows.stream().noneMatch(Row::isDrawn)
                ? Optional.empty()
                : Optional.of(columns(first.settings().confidence())
                        .table(
                                first.dataset() + ", " + measure + ": how much of PSI is position",
                                rows,
                                List.of(
                                        "noise95: PSI that 95% of "
                                                + first.settings().draws()
                                                + " random deals of the same scores to positions stay below; p: share of"
                                                + " deals that reach PSI",
                                        "corrected: PSI less its estimated bias; slope: points gained from the very front"
                                                + " to the very end")));
    }

    private static Sheet<Row> columns(double confidence) {
        return new Sheet<Row>()
                .plain("model", Row::label)
                .number("PSI", Unit.FRACTION, row -> row.profile().psi().value())
                .interval("PSI", Unit.FRACTION, row -> row.profile().psi().interval())
                .headed(Unit.percent(confidence) + " interval")
                .number("corrected", Unit.FRACTION, row -> row.profile().psi().corrected())
                .number("noise95", Unit.FRACTION, row -> row.profile().psi().noise95())
                .number("p", Unit.P, row -> row.profile().psi().pValue())
                .number("slope", Unit.SIGNED_POINTS, row -> row.of(Direction::slope))
                .number("front - back", Unit.SIGNED_POINTS, row -> row.of(Direction::frontMinusBack))
                .number("middle - ends", Unit.SIGNED_POINTS, row -> row.of(Direction::middleMinusEnds));
    }
}
