package io.posbias.experiment;

import io.posbias.Plural;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Planned work of a cell; 0 for a finished one.
 *
 * @param texts to encode; null if unknown
 * @param pairs to score; null if unknown
 * @param calls of services; null if the dataset is not downloaded
 * @param seconds null without a measured rate
 */
public record Forecast(
        String model,
        String dataset,
        String state,
        @Nullable Double texts,
        @Nullable Double pairs,
        @Nullable Double calls,
        @Nullable Double seconds) {
    static final String TO_PULL = "to pull";

    private static final double MINUTE = 60;
    private static final double HOUR = 3_600;

    private static final List<String> NOTES = List.of(
            "texts and pairs: of the dataset, as published if it is not downloaded; texts made by a strategy count in"
                    + " the time alone",
            "time: their tokens by the rate of the model on a few hundred texts, measured on this machine;"
                    + " cached vectors are not subtracted");

    private static final Sheet<Forecast> SHEET = sheet();

    private static Sheet<Forecast> sheet() {
        Sheet<Forecast> sheet = new Sheet<Forecast>()
                .label("model", Forecast::model)
                .label("dataset", Forecast::dataset)
                .plain("cell", Forecast::state)
                .means("what a run would do with the cell");
        count(sheet, "texts", Forecast::texts, "texts to encode; empty if unknown");
        count(sheet, "pairs", Forecast::pairs, "pairs of a query and a candidate to score; empty if unknown");
        count(sheet, "calls", Forecast::calls, "requests to services; empty if the dataset is not downloaded");
        return sheet.plain("seconds", Forecast::seconds)
                .means("forecast time; empty where the model was not measured", "s")
                .only(Sheet.In.CSV, Sheet.In.JSON)
                .plain("time", cell -> cell.seconds == null ? null : time(cell.seconds))
                .only(Sheet.In.PRINT);
    }

    private static void count(
            Sheet<Forecast> sheet, String name, Function<Forecast, @Nullable Double> number, String meaning) {
        sheet.plain(name, cell -> {
                    Double value = number.apply(cell);
                    return value == null ? null : Long.valueOf(Math.round(value));
                })
                .means(meaning, "count")
                .only(Sheet.In.CSV, Sheet.In.JSON)
                .plain(name, cell -> {
                    Double value = number.apply(cell);
                    return value == null ? null : String.format(Locale.ROOT, "%,.0f", value);
                })
                .only(Sheet.In.PRINT);
    }

    /** Returns a row per cell and their sum. */
    public static Table table(List<Forecast> cells, List<String> notes) {
        List<Forecast> rows = new ArrayList<>(cells);
        if (cells.size() > 1) {
            rows.add(sum("all", "", "", cells));
        }
        return SHEET.table("Forecast", rows, notes(cells, notes));
    }

    /** Returns a row per model, with the number of its cells in each state, and their sum. */
    public static Table byModel(List<Forecast> cells, List<String> notes) {
        List<Forecast> rows = new ArrayList<>();
        cells.stream()
                .collect(Collectors.groupingBy(Forecast::model, LinkedHashMap::new, Collectors.toList()))
                .forEach((model, own) -> rows.add(sum(model, Plural.of(own.size(), "cell"), states(own), own)));
        if (rows.size() > 1) {
            rows.add(sum("all", Plural.of(cells.size(), "cell"), states(cells), cells));
        }
        return SHEET.table("Forecast by model", rows, notes(cells, notes));
    }

    private static String states(List<Forecast> cells) {
        return cells.stream()
                .collect(Collectors.groupingBy(Forecast::state, LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(state -> state.getValue() + " " + state.getKey())
                .collect(Collectors.joining(", "));
    }

    private static Forecast sum(String model, String dataset, String state, List<Forecast> cells) {
        return new Forecast(
                model,
                dataset,
                state,
                sum(cells, Forecast::texts),
                sum(cells, Forecast::pairs),
                sum(cells, Forecast::calls),
                sum(cells, Forecast::seconds));
    }

    private static List<String> notes(List<Forecast> cells, List<String> more) {
        List<String> all = new ArrayList<>(NOTES);
        if (cells.stream().anyMatch(cell -> cell.state.equals(TO_PULL))) {
            all.addFirst(TO_PULL + ": a run downloads the dataset first");
        }
        all.addAll(more);
        return all;
    }

    private static @Nullable Double sum(List<Forecast> cells, Function<Forecast, @Nullable Double> number) {
        double sum = 0;
        for (Forecast cell : cells) {
            Double own = number.apply(cell);
            if (own == null) {
                return null;
            }
            sum += own;
        }
        return sum;
    }

    /** Returns the rows without the sum. */
    public static Table raw(List<Forecast> cells) {
        return SHEET.raw(cells);
    }

    /** Returns the columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return SHEET;
    }

    /** Returns the document of docs/schema/plan-2.schema.json. */
    public static Map<String, Object> document(List<Forecast> cells) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", "posbias/plan/2");
        document.put("cells", SHEET.records(cells));
        return document;
    }

    private static String time(double seconds) {
        return seconds < 2 * MINUTE
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : seconds < 2 * HOUR
                        ? String.format(Locale.ROOT, "%.1f min", seconds / MINUTE)
                        : String.format(Locale.ROOT, "%,.1f h", seconds / HOUR);
    }
}
