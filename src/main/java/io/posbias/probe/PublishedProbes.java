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

/**
 * What the paper "Collapse of Dense Retrievers" printed of its probes: Tables 4, A.9 (foil, poison) and A.8 (literal). Its 250
 * pairs are others than those that Re-DocRED's dev and test files give, so signs and sizes can be compared, not digits.
 */
final class PublishedProbes {
    /** Ends the names of models whose numbers are printed ones. */
    static final String MARK = "*";

    private static final String FOIL = "data/published/colder-foil-poison.csv";
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
                    t.startsWith("-") ? t : "+" + t,
                    p.isEmpty() ? Unit.NONE : p,
                    accuracy.isEmpty() ? Unit.NONE : accuracy + "%",
                    Unit.NONE));
        }

        /** The row of the tidy table. */
        Table.Row tidyRow() {
            String share = accuracy.isEmpty() ? "" : String.valueOf(Double.parseDouble(accuracy) / 100);
            return new Table.Row(
                    List.of(model, probe, comparison, String.valueOf(PAIRS), "", "", "", "", "", t, p, share, "", ""));
        }
    }

    /** What was printed of some probes. */
    static List<Printed> of(Collection<String> probes) {
        List<Printed> printed = new ArrayList<>();
        CsvRows.read(Path.of(LITERAL), Configs.read(LITERAL)).forEach(row -> literal(row, printed));
        CsvRows.read(Path.of(FOIL), Configs.read(FOIL)).forEach(row -> printed.add(foil(row)));
        return printed.stream().filter(test -> probes.contains(test.probe())).toList();
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
            }
        }
    }
}
