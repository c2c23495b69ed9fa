package io.posbias.report;

import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.score.over.Agreement;
import io.posbias.score.over.Agreement.AgreementRow;
import io.posbias.score.over.Agreement.RhoDifference;
import java.util.List;

/** Tables and files of an {@link Agreement}. */
public final class AgreementTables {
    private AgreementTables() {}

    private static final Columns<AgreementRow> COLUMNS = new Columns<AgreementRow>()
            .label("dataset", AgreementRow::dataset)
            .label("stratum", AgreementRow::stratum)
            .text("models", AgreementRow::n)
            .under("Spearman")
            .correlation("rho", NumberFormat.FRACTION, AgreementRow::spearman)
            .interval(NumberFormat.FRACTION, AgreementRow::spearmanInterval)
            .under("Kendall")
            .correlation("tau-b", NumberFormat.FRACTION, AgreementRow::kendall)
            .under("Pearson")
            .correlation("r", NumberFormat.FRACTION, AgreementRow::pearson);

    private static final Columns<AgreementRow> DIFFERENCES = new Columns<AgreementRow>()
            .label("dataset", AgreementRow::dataset)
            .label("stratum", AgreementRow::stratum)
            .part(
                    AgreementRow::difference,
                    new Columns<RhoDifference>()
                            .label("against", RhoDifference::against)
                            .text("models", RhoDifference::n)
                            .estimate("difference of rho", NumberFormat.FRACTION, RhoDifference::rho)
                            .number("Holm p", NumberFormat.P, RhoDifference::holmPValue)
                            .label("without", RhoDifference::without)
                            .joined(
                                    "rho",
                                    row -> NumberFormat.FRACTION.print(row.againstWithout()) + ", "
                                            + NumberFormat.FRACTION.print(row.ownWithout())));

    public static final RecordCsv<AgreementRow> LINES = new RecordCsv<>(AgreementRow.class);

    /** The correlations, and their differences, if there are any. */
    public static List<Table> tables(
            List<AgreementRow> rows, String measure, Agreement.Column number, String other, double confidence) {
        List<AgreementRow> compared =
                rows.stream().filter(row -> row.difference() != null).toList();
        Table correlations = COLUMNS.table(
                measure + " (" + number + ") against " + other,
                rows,
                List.of(
                        "p: two-sided, exact for nine models or fewer; with few models only large correlations are"
                                + " beyond chance",
                        "interval: " + NumberFormat.percent(confidence)
                                + ", Fisher's z of rho (Bonett and Wright 2000)"));
        return compared.isEmpty()
                ? List.of(correlations)
                : List.of(
                        correlations,
                        DIFFERENCES.table(
                                "Is it weaker? rho of the row against which it is compared minus its own",
                                compared,
                                List.of(
                                        "p: both ranks of a model swapped, in all ways for twelve models or fewer;"
                                                + " interval: percentiles of draws of models",
                                        "without: the model whose absence changes the difference most, and both rho"
                                                + " then")));
    }

    public static Table raw(List<AgreementRow> rows) {
        return LINES.table(rows);
    }

    public record AgreementFile(
            String schema,
            String measure,
            Agreement.Column number,
            String other,
            double confidence,
            List<AgreementRow> rows) {}

    public static AgreementFile document(
            List<AgreementRow> rows, String measure, Agreement.Column number, String other, double confidence) {
        return new AgreementFile("posbias/agreement/2", measure, number, other, confidence, rows);
    }
}
