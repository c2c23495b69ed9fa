package io.posbias.probe;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.table.CsvRows;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What was published of the probes of "Collapse of Dense Retrievers": Tables 4, A.9 (foil, poison) and A.8 (literal), and for
 * its figures the numbers in the authors' result files; those of moving were read off Figure 4 where no file has them. The
 * authors' 250 pairs are others than those that Re-DocRED's dev and test files give: digits can be compared on their own pairs
 * only.
 */
final class PublishedProbes {
    /** Ends the names of models whose numbers are printed ones. */
    static final String MARK = "*";

    private static final String FOIL = "data/published/colder-foil-poison.csv";
    private static final String FIGURES = "data/published/colder-figures.csv";
    private static final String LITERAL = "data/published/colder-literal-tableA8.csv";
    private static final List<String> PLACES = List.of("query1", "doc1", "query2", "doc2");
    private static final int PAIRS = 250;

    private PublishedProbes() {}

    /**
     * A printed test, its numbers as printed.
     *
     * @param model with {@link #MARK} behind it
     * @param p empty where none was printed
     * @param accuracy in percent; empty where none was printed
     */
    record Printed(String model, String probe, String comparison, String t, String p, String accuracy) {
        /** The row of a probe's table. */
        Table.Row row() {
            return new Table.Row(List.of(
                    model,
                    comparison,
                    String.valueOf(PAIRS),
                    Unit.NONE,
                    Unit.NONE,
                    Unit.NONE,
                    Unit.STATISTIC.print(Double.valueOf(t)),
                    printedP(),
                    accuracy.isEmpty() ? Unit.NONE : accuracy + "%",
                    Unit.NONE));
        }

        /** Tables say that it is small, result files how small. */
        private String printedP() {
            if (p.isEmpty()) {
                return Unit.NONE;
            }
            return p.startsWith("<") ? p : Unit.P.print(Double.valueOf(p));
        }

        /** What it has of the columns of the tidy table, by their names. */
        Map<String, String> tidy() {
            return Map.of(
                    "model", model,
                    "probe", probe,
                    "comparison", comparison,
                    "n", String.valueOf(PAIRS),
                    "t", t,
                    "p_value", p,
                    "share_higher", accuracy.isEmpty() ? "" : String.valueOf(Double.parseDouble(accuracy) / 100));
        }
    }

    /** What was printed of some probes. */
    static List<Printed> of(Collection<String> probes) {
        List<Printed> printed = new ArrayList<>();
        rows(FIGURES).forEach(row -> printed.add(figure(row)));
        rows(LITERAL).forEach(row -> literal(row, printed));
        rows(FOIL).forEach(row -> printed.add(foil(row)));
        return printed.stream().filter(test -> probes.contains(test.probe())).toList();
    }

    private static List<Fields> rows(String file) {
        return CsvRows.read(Path.of(file), Configs.read(file));
    }

    private static Printed figure(Fields row) {
        String share = row.text("share_higher", "");
        return new Printed(
                row.text("model") + MARK,
                row.text("probe"),
                row.text("comparison"),
                row.text("t_statistic"),
                row.text("p_value", ""),
                share.isEmpty() ? "" : Unit.PERCENT.print(Double.valueOf(share)).replace("%", ""));
    }

    private static Printed foil(Fields row) {
        return new Printed(
                row.text("model") + MARK,
                row.text("probe"),
                PairTest.PAIRS,
                row.text("t_statistic"),
                row.text("p_value").replace(" ", ""),
                row.text("accuracy_percent"));
    }

    private static void literal(Fields row, List<Printed> printed) {
        List<String> names = new ArrayList<>();
        for (String place : PLACES) {
            names.add(row.text(place).equals("long") ? "L" : "S");
        }
        String comparison = names.get(0) + names.get(1) + " - " + names.get(2) + names.get(3);
        for (String model : row.names()) {
            if (!PLACES.contains(model)) {
                printed.add(new Printed(model + MARK, "literal", comparison, row.text(model), "", ""));
                if (comparison.equals(Shapes.NAMES.headline())) {
                    printed.add(new Printed(
                            model + MARK, ProbeType.LITERAL_SHORT, PairTest.PAIRS, row.text(model), "", ""));
                }
            }
        }
    }
}
