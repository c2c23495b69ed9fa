package io.posbias.report;

import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.score.over.RatingAgreement;
import io.posbias.score.over.RatingAgreement.Row;
import java.util.List;
import java.util.stream.Collectors;

/** Tables of a {@link RatingAgreement}. */
public final class RatingTables {
    private RatingTables() {}

    private static final Columns<Row> COLUMNS = new Columns<Row>()
            .label("group", Row::group)
            .label("rating", Row::rating)
            .text("items", Row::items)
            .text(
                    "means",
                    row -> row.means().values().stream()
                            .map(NumberFormat.STRENGTH::print)
                            .collect(Collectors.joining(" ")))
            .number("alpha", NumberFormat.STRENGTH, row -> row.alpha().value())
            .interval(NumberFormat.STRENGTH, row -> row.alpha().interval())
            .number(
                    "alpha_interval",
                    NumberFormat.STRENGTH,
                    row -> row.alphaInterval().value())
            .number("kappa", NumberFormat.STRENGTH, row -> row.kappa().value())
            .number("rho", NumberFormat.STRENGTH, row -> row.rho().value())
            .number("within_1", NumberFormat.STRENGTH, row -> row.within().value())
            .number("mae", NumberFormat.STRENGTH, row -> row.mae().value());

    public static final RecordCsv<Row> LINES = new RecordCsv<>(Row.class);

    public static Table table(String title, List<Row> rows) {
        return COLUMNS.table(title, rows, List.of());
    }

    public static Table raw(List<Row> rows) {
        return LINES.table(rows);
    }
}
