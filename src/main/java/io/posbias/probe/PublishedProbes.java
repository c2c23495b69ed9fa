package io.posbias.probe;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.table.CsvRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Published results of "Collapse of Dense Retrievers": Tables 4, A.9 (foil, poison) and A.8 (literal), and for its figures the
 * authors' result files or, for moving, values read off Figure 4. The authors' 250 pairs differ from those built from
 * Re-DocRED's dev and test files: exact agreement requires their pairs.
 */
final class PublishedProbes {
    /** Suffix of published models. */
    static final String MARK = "*";

    private static final String FOIL = "data/published/colder-foil-poison.csv";
    private static final String FIGURES = "data/published/colder-figures.csv";
    private static final String LITERAL = "data/published/colder-literal-tableA8.csv";
    private static final List<String> PLACES = List.of("query1", "doc1", "query2", "doc2");
    private static final int PAIRS = 250;

    private PublishedProbes() {}

    /**
     * A published test, with numbers as printed.
     *
     * @param model with {@link #MARK}
     * @param p a number or a bound; null if not printed
     * @param share of pairs whose first score is higher; null if not printed
     */
    record Printed(
            String model,
            String probe,
            String comparison,
            double t,
            @Nullable Object p,
            @Nullable Double share) {
        /** Number of the authors' pairs. */
        int pairs() {
            return PAIRS;
        }
    }

    /** Published tests of some probes. */
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
                row.parsedNumber("t_statistic"),
                p(row.text("p_value", "")),
                share.isEmpty() ? null : Double.valueOf(share));
    }

    /** Tables print bounds, result files numbers. */
    private static @Nullable Object p(String printed) {
        if (printed.isEmpty()) {
            return null;
        }
        return printed.startsWith("<") ? printed : Double.valueOf(printed);
    }

    private static Printed foil(Fields row) {
        return new Printed(
                row.text("model") + MARK,
                row.text("probe"),
                PairTest.PAIRS,
                row.parsedNumber("t_statistic"),
                p(row.text("p_value").replace(" ", "")),
                row.parsedNumber("accuracy_percent") / 100);
    }

    private static void literal(Fields row, List<Printed> printed) {
        List<String> names = new ArrayList<>();
        for (String place : PLACES) {
            names.add(row.text(place).equals("long") ? "L" : "S");
        }
        String comparison = names.get(0) + names.get(1) + " - " + names.get(2) + names.get(3);
        for (String model : row.names()) {
            if (!PLACES.contains(model)) {
                printed.add(new Printed(model + MARK, "literal", comparison, row.parsedNumber(model), null, null));
                if (comparison.equals(Shape.NAMES.headline())) {
                    printed.add(new Printed(
                            model + MARK,
                            ProbeType.LITERAL_SHORT,
                            PairTest.PAIRS,
                            row.parsedNumber(model),
                            null,
                            null));
                }
            }
        }
    }
}
