package io.posbias.report;

import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cells of tidy tables: numbers in full precision, empty where there is none. */
final class Plain {
    private Plain() {}

    static String number(@Nullable Double number) {
        return number == null ? "" : number.toString();
    }

    /** Both ends. */
    static List<String> ends(@Nullable Interval interval) {
        return interval == null
                ? List.of("", "")
                : List.of(String.valueOf(interval.low()), String.valueOf(interval.high()));
    }

    /** Value, both ends and p-value. */
    static List<String> estimate(@Nullable Estimate estimate) {
        List<String> cells = new ArrayList<>(List.of(estimate == null ? "" : String.valueOf(estimate.value())));
        cells.addAll(ends(estimate == null ? null : estimate.interval()));
        cells.add(estimate == null ? "" : String.valueOf(estimate.pValue()));
        return cells;
    }

    /** A row with empty cells behind those that there are. */
    static Table.Row row(List<String> cells, int columns) {
        List<String> row = new ArrayList<>(cells);
        while (row.size() < columns) {
            row.add("");
        }
        return new Table.Row(row);
    }
}
