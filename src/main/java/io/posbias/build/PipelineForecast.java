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
 * What a construction would take, before anything is spent: expected counts, calls of language models, pairs for rerankers,
 * dollars. Where the pipeline holds the paper's counts, the shares of candidates that stages keep are the paper's; elsewhere
 * all are taken to be kept, so that it is rather too much than too little.
 *
 * @param rows one per stage
 */
public record PipelineForecast(List<Row> rows) {
    private static final String ALL = "all";

    /** A stage and what it is expected to take. */
    public record Row(String stage, Forecast expected) {}

    private static final Sheet<Row> SHEET = new Sheet<Row>()
            .label("stage", Row::stage)
            .means("name of the stage")
            .plain("candidates", row -> Math.round(row.expected.candidates()))
            .means("candidates that are expected to remain after it", "count")
            .plain("calls", row -> row.expected.calls().calls())
            .means("requests to language models", "count")
            .plain("tokens", row -> row.expected.calls().tokens())
            .means("tokens that they hold, estimated from characters, rather too many", "count")
            .plain("pairs", row -> Math.round(row.expected.pairs()))
            .means("pairs of query and passage for rerankers", "count")
            .plain("usd", row -> usd(row.expected.calls().usd()))
            .means("price of the requests; empty where it is not known", "US dollars");

    private static @Nullable String usd(@Nullable Double usd) {
        return usd == null ? null : String.format(Locale.ROOT, "%.2f", usd);
    }

    /** Looks ahead; reads the documents, asks nobody. */
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

    /** By the paper's share where both stages have the paper's counts. */
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

    /** A table that ends with the sum. */
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

    /** The columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return SHEET;
    }

    /** The rows without their sum. */
    public Table raw() {
        return SHEET.raw(rows);
    }

    /** The rows for JSON. */
    public Map<String, Object> document() {
        return Map.of("stages", SHEET.records(rows));
    }
}
