package io.posbias.report;

import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What was planted in reference encoders against what was found. */
public final class CalibrationTable {
    private CalibrationTable() {}

    /**
     * One reference encoder.
     *
     * @param planted the kind of its bias
     * @param strength of the bias, 0 for none
     * @param profile what its rankings gave
     * @param back score of the moving sentence at the last place less that at the first; null when not known
     * @param middle likewise at the middle place
     * @param passes whether what was found is what was planted
     */
    public record Row(
            String planted,
            double strength,
            Profile profile,
            @Nullable Estimate back,
            @Nullable Estimate middle,
            boolean passes) {}

    /**
     * The table.
     *
     * @param rows at least one
     * @param notes lines below it
     */
    public static Table of(List<Row> rows, List<String> notes) {
        List<Table.Group> groups = List.of(
                new Table.Group("planted", 2),
                new Table.Group("found on a benchmark", 6),
                new Table.Group("moving probe", 2),
                new Table.Group("", 1));
        List<String> header = List.of(
                "bias",
                "strength",
                "PSI",
                "95% interval",
                "noise95",
                "p",
                "slope",
                "verdict",
                "last - first",
                "middle - first",
                "check");
        Profile first = rows.getFirst().profile();
        List<String> lines = new ArrayList<>();
        lines.add("slope: points gained from the very front to the very end, on " + first.queries() + " queries;"
                + " noise95: PSI that 95% of random deals stay below");
        lines.add("moving probe: mean difference of the score when the sentence that answers stands elsewhere");
        lines.addAll(notes);
        return new Table(
                "Calibration, " + first.measure() + ": planted bias against found",
                groups,
                header,
                rows.stream().map(CalibrationTable::row).toList(),
                lines);
    }

    private static Table.Row row(Row row) {
        Profile profile = row.profile();
        Direction direction = profile.direction();
        Interval interval = profile.psi().interval();
        return new Table.Row(List.of(
                row.planted(),
                String.format(Locale.ROOT, "%.1f", row.strength()),
                Numbers.fraction(profile.psi().value()),
                interval == null ? Numbers.NONE : Numbers.fraction(interval),
                Numbers.fraction(profile.psi().noise95()),
                Numbers.pValue(profile.psi().pValue()),
                Numbers.signedPoints(
                        direction == null ? null : direction.slope().value()),
                direction == null || direction.verdict() == null
                        ? Numbers.NONE
                        : direction.verdict().toString(),
                cosine(row.back()),
                cosine(row.middle()),
                row.passes() ? "ok" : "FAILED"));
    }

    /** Negative zero, as float sums in another order give it, prints as zero. */
    private static String cosine(@Nullable Estimate difference) {
        return difference == null
                ? Numbers.NONE
                : String.format(Locale.ROOT, "%+.4f", Math.round(difference.value() * 10_000) / 10_000.0);
    }
}
