package io.posbias.run.experiment;

import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Planned work of a cell; 0 for a finished one. */
public record ExperimentForecast(
        String model,
        String dataset,
        @Meaning("what a run would do with the cell") String cell,

        @Meaning("texts to encode; empty if unknown") @Nullable
        Long texts,

        @Meaning("pairs of a query and a candidate to score; empty if unknown") @Nullable
        Long pairs,

        @Meaning("requests to services; empty if the dataset is not downloaded") @Nullable
        Long calls,

        @Meaning(value = "forecast time; empty where the model was not measured", unit = "s") @Nullable
        Double seconds) {
    static final String TO_PULL = "to pull";

    private static final double MINUTE = 60;
    private static final double HOUR = 3_600;

    private static final List<String> NOTES = List.of(
            "texts and pairs: of the dataset, as published if it is not downloaded; texts made by a strategy count in"
                    + " the time alone",
            "time: of what is not cached, at the rate of the model on some of these texts, measured on this machine in ten"
                    + " seconds for all models and then cached");

    private static final Columns<ExperimentForecast> COLUMNS = new Columns<ExperimentForecast>()
            .label("model", ExperimentForecast::model)
            .label("dataset", ExperimentForecast::dataset)
            .text("cell", ExperimentForecast::cell)
            .text("texts", row -> count(row.texts))
            .text("pairs", row -> count(row.pairs))
            .text("calls", row -> count(row.calls))
            .text("time", row -> row.seconds == null ? null : time(row.seconds));

    private static @Nullable String count(@Nullable Long number) {
        return number == null ? null : String.format(Locale.ROOT, "%,d", number);
    }

    public static final RecordCsv<ExperimentForecast> LINES = new RecordCsv<>(ExperimentForecast.class);

    /** Returns a row per cell and their sum. */
    public static Table table(List<ExperimentForecast> cells, List<String> notes) {
        List<ExperimentForecast> rows = new ArrayList<>(cells);
        if (cells.size() > 1) {
            rows.add(sum("all", "", "", cells));
        }
        return COLUMNS.table("Forecast", rows, notes(cells, notes));
    }

    /** Returns a row per model, with the number of its cells in each state, and their sum. */
    public static Table byModel(List<ExperimentForecast> cells, List<String> notes) {
        List<ExperimentForecast> rows = new ArrayList<>();
        cells.stream()
                .collect(Collectors.groupingBy(ExperimentForecast::model, LinkedHashMap::new, Collectors.toList()))
                .forEach((model, own) -> rows.add(sum(model, Plural.of(own.size(), "cell"), states(own), own)));
        if (rows.size() > 1) {
            rows.add(sum("all", Plural.of(cells.size(), "cell"), states(cells), cells));
        }
        return COLUMNS.table("Forecast by model", rows, notes(cells, notes));
    }

    private static String states(List<ExperimentForecast> cells) {
        return cells.stream()
                .collect(Collectors.groupingBy(ExperimentForecast::cell, LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(state -> state.getValue() + " " + state.getKey())
                .collect(Collectors.joining(", "));
    }

    private static ExperimentForecast sum(String model, String dataset, String cell, List<ExperimentForecast> cells) {
        return new ExperimentForecast(
                model,
                dataset,
                cell,
                sum(cells, ExperimentForecast::texts, Long::sum),
                sum(cells, ExperimentForecast::pairs, Long::sum),
                sum(cells, ExperimentForecast::calls, Long::sum),
                sum(cells, ExperimentForecast::seconds, Double::sum));
    }

    private static <N> @Nullable N sum(
            List<ExperimentForecast> cells, Function<ExperimentForecast, @Nullable N> number, BinaryOperator<N> plus) {
        List<@Nullable N> own = new ArrayList<>();
        cells.forEach(cell -> own.add(number.apply(cell)));
        return own.contains(null) ? null : own.stream().reduce(plus).orElse(null);
    }

    private static List<String> notes(List<ExperimentForecast> cells, List<String> more) {
        List<String> all = new ArrayList<>(NOTES);
        if (cells.stream().anyMatch(row -> row.cell.equals(TO_PULL))) {
            all.addFirst(TO_PULL + ": a run downloads the dataset first");
        }
        all.addAll(more);
        return all;
    }

    /** Returns the rows without the sum. */
    public static Table raw(List<ExperimentForecast> cells) {
        return LINES.table(cells);
    }

    /** JSON of a forecast: docs/schema/plan-2.schema.json. */
    public record PlanFile(String schema, List<ExperimentForecast> cells) {}

    public static PlanFile document(List<ExperimentForecast> cells) {
        return new PlanFile("posbias/plan/2", cells);
    }

    private static String time(double seconds) {
        return seconds < 2 * MINUTE
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : seconds < 2 * HOUR
                        ? String.format(Locale.ROOT, "%.1f min", seconds / MINUTE)
                        : String.format(Locale.ROOT, "%,.1f h", seconds / HOUR);
    }
}
