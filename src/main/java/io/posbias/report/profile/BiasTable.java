package io.posbias.report.profile;

import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.List;

/** Table of the statistics of PSI and direction. */
final class BiasTable {
    private BiasTable() {}

    static Table of(Result first, String measure, List<ProfileRow> rows, Detail detail) {
        Settings settings = first.settings();
        List<String> notes = new ArrayList<>();
        if (detail.explain()) {
            notes.addAll(List.of(
                    "clusters: " + settings.unit().describe() + "; G*: effective clusters",
                    "corrected: PSI minus its estimated bias",
                    noise(settings)));
        }
        rows.forEach(row -> row.power().ifPresent(notes::add));
        return new Columns<ProfileRow>(detail.digits())
                .label("model", ProfileRow::label)
                .text("clusters", row -> row.profile().clusters())
                .number("G*", NumberFormat.LENGTH, row -> row.profile().effectiveClusters())
                .number("bucket mean", NumberFormat.POINTS, row -> row.profile().bucketMean())
                .part(
                        row -> row.profile().psi(),
                        new Columns<Psi>()
                                .number("corrected", NumberFormat.FRACTION, Psi::corrected)
                                .number("noise95", NumberFormat.FRACTION, Psi::noise95))
                .number("slope", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::slope))
                .number("front - back", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::frontMinusBack))
                .number("middle - ends", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::middleMinusEnds))
                .text("test", row -> row.profile().outcome())
                .table(first.dataset() + ", " + measure + ": statistics of PSI and direction", rows, notes);
    }

    /** Definitions of the statistics that both tables print. */
    static String noise(Settings settings) {
        return "p: share of " + settings.draws()
                + " draws without an effect of position whose PSI is as high; noise95: their"
                + " 95th percentile; slope: change in points from beginning to end";
    }
}
