package io.posbias.report.profile;

import io.posbias.base.stats.Estimate;
import io.posbias.base.table.NumberFormat;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.position.PositionTables;
import io.posbias.score.result.Answer;
import io.posbias.score.result.Result;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Row of a result in a stratum.
 *
 * @param found its verdicts
 * @param isBlind true for the position-blind model below the others
 */
record ProfileRow(Result result, Profile profile, Answer found, boolean isBlind) {
    static ProfileRow of(Result result, Profile profile, List<BlindRow> blind, boolean isBlind) {
        return new ProfileRow(
                result,
                profile,
                blind.stream()
                        .findFirst()
                        .map(row -> row.answer(result, profile))
                        .orElseGet(() -> Answer.of(result, profile)),
                isBlind);
    }

    String label() {
        return profile.stratum().equals(Strata.ALL) ? result.model() : profile.stratum() + " " + result.model();
    }

    Optional<String> numbers(int digits) {
        Direction direction = profile.direction();
        if (direction == null
                || !profile.stratum().equals(Strata.ALL)
                || profile.psi().value() == null) {
            return Optional.empty();
        }
        return Optional.of(result.model() + ": noise95 "
                + NumberFormat.FRACTION.print(profile.psi().noise95(), digits) + "; slope "
                + NumberFormat.SIGNED_POINTS.print(direction.slope().value(), digits) + ", p "
                + NumberFormat.P.print(direction.slope().pValue()));
    }

    /** The verdict in words; bands of length have theirs in the column only. */
    Optional<String> answer(CommandWords words) {
        return found.verdicts().isEmpty() || !profile.stratum().equals(Strata.ALL) || isBlind
                ? Optional.empty()
                : Optional.of(label() + ": " + found.line(words.folder(result)));
    }

    Optional<String> power() {
        return profile.outcome() == TestOutcome.OPEN && profile.power() != null
                ? Optional.of(label() + ": " + PositionTables.power("PSI", profile.power()))
                : Optional.empty();
    }

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
