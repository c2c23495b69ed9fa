package io.posbias.build;

import io.posbias.encode.CallEstimate;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forecast of a construction: counts, calls of language models, pairs for rerankers, dollars. Shares of kept
 * candidates are the paper's where published; otherwise all are assumed to be kept.
 */
public record PipelineForecast(List<Row> rows) {
    private static final String ALL = "all";

    public record Row(String stage, Forecast expected) {}

    private static final Sheet<Row> SHEET = new Sheet<Row>()
            .label("stage", Row::stage)
            .means("name of the stage")
            .plain("candidates", row -> Math.round(row.expected.candidates()))
            .means("candidates expected to remain", "count")
            .plain("calls", row -> row.expected.calls().calls())
            .means("requests to language models", "count")
            .plain("tokens", row -> row.expected.calls().tokens())
            .means("their tokens, an upper bound by characters", "count")
            .plain("pairs", row -> Math.round(row.expected.pairs()))
            .means("pairs of query and passage for rerankers", "count")
            .plain("usd", row -> usd(row.expected.calls().usd()))
            .means("price of the requests; empty if unknown", "US dollars");

    private static @Nullable String usd(@Nullable Double usd) {
        return usd == null ? null : String.format(Locale.ROOT, "%.2f", usd);
    }

    /** Reads the documents and estimates each stage, without calling a service. */
    public static PipelineForecast of(Construction construction) {
        List<Row> rows = new ArrayList<>();
        try (PipelineContext context = new PipelineContext(construction)) {
            Forecast before = Forecast.of(0);
            Map<String, Long> published = Map.of();
            for (Pipeline.Step step : construction.pipeline().steps()) {
                Forecast own = step.stage().forecast(before, context);
                Forecast expected = new Forecast(
                        scaled(before.candidates(), own.candidates(), published, step.published()),
                        own.calls(),
                        own.pairs());
                rows.add(new Row(step.name(), expected));
                before = expected;
                published = step.published();
            }
        }
        return new PipelineForecast(rows);
    }

    private static double scaled(double before, double own, Map<String, Long> earlier, Map<String, Long> later) {
        Long from = earlier.get(ALL);
        Long to = later.get(ALL);
        return from == null || to == null || from == 0 ? own : before * to / from;
    }

    private Forecast sum() {
        CallEstimate calls =
                rows.stream().map(row -> row.expected.calls()).reduce(CallEstimate.NONE, CallEstimate::plus);
        double pairs = rows.stream().mapToDouble(row -> row.expected.pairs()).sum();
        return new Forecast(rows.getLast().expected().candidates(), calls, pairs);
    }

    public Table table(String title) {
        List<Row> all = new ArrayList<>(rows);
        all.add(new Row("sum", sum()));
        return SHEET.table(
                title,
                all,
                List.of(
                        "nothing was asked or written; " + CallEstimate.BASIS,
                        "candidates: by the paper's shares where the pipeline has them, else all are taken to be kept"));
    }

    public static Sheet<?> columns() {
        return SHEET;
    }

    public Table raw() {
        return SHEET.raw(rows);
    }

    public Map<String, Object> document() {
        return Map.of("stages", SHEET.records(rows));
    }
}
