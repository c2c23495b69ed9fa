package io.posbias.report;

import io.posbias.Configs;
import io.posbias.Fields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the paper "Collapse of Dense Retrievers" printed of its probes: Tables 4, A.9 (foil, poison) and A.8 (literal). Its 250
 * pairs are others than those that Re-DocRED's dev and test files give, so signs and sizes can be compared, not digits.
 */
final class PublishedProbes {
    private static final String FOIL = "data/published/colder-foil-poison.csv";
    private static final String LITERAL = "data/published/colder-literal-tableA8.csv";
    private static final List<String> PLACES = List.of("query1", "doc1", "query2", "doc2");
    private static final int PAIRS = 250;

    private PublishedProbes() {}

    /** Rows of the table of tests, by model, for probes that are shown. */
    static Map<String, List<Table.Row>> rows(Set<String> probes) {
        Map<String, List<Table.Row>> rows = new LinkedHashMap<>();
        if (probes.contains("literal")) {
            CsvRows.read(Path.of(LITERAL), Configs.read(LITERAL)).forEach(row -> literal(row, rows));
        }
        for (Fields row : CsvRows.read(Path.of(FOIL), Configs.read(FOIL))) {
            if (probes.contains(row.text("probe"))) {
                add(
                        rows,
                        row.text("model"),
                        List.of(
                                row.text("probe"),
                                "text1 - text2",
                                String.valueOf(PAIRS),
                                Numbers.NONE,
                                Numbers.NONE,
                                signed(row.text("t_statistic")),
                                row.text("p_value").replace(" ", ""),
                                row.text("accuracy_percent") + "%",
                                Numbers.NONE));
            }
        }
        return rows;
    }

    private static void literal(Fields row, Map<String, List<Table.Row>> rows) {
        List<String> names = new ArrayList<>();
        for (String place : PLACES) {
            names.add(row.text(place).equals("long") ? "L" : "S");
        }
        String comparison = names.get(0) + names.get(1) + " - " + names.get(2) + names.get(3);
        for (String model : row.names()) {
            if (!PLACES.contains(model)) {
                add(
                        rows,
                        model,
                        List.of(
                                "literal",
                                comparison,
                                String.valueOf(PAIRS),
                                Numbers.NONE,
                                Numbers.NONE,
                                signed(row.text(model)),
                                Numbers.NONE,
                                Numbers.NONE,
                                Numbers.NONE));
            }
        }
    }

    private static void add(Map<String, List<Table.Row>> rows, String model, List<String> cells) {
        rows.computeIfAbsent(model, name -> new ArrayList<>()).add(new Table.Row(cells));
    }

    private static String signed(String number) {
        return number.startsWith("-") ? number : "+" + number;
    }
}
