package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.model.encode.CallEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Forecast of a construction: counts, calls of language models, pairs for rerankers, dollars. Shares of kept
 * candidates are the paper's where published; otherwise all are assumed to be kept.
 */
public record PipelineForecast(List<Row> rows, Row sum) {
    private static final String ALL = "all";

    public record Row(
            @Meaning("name of the stage") String stage,
            @Meaning("candidates expected to remain") long candidates,
            @JsonUnwrapped CallEstimate calls,

            @Meaning("pairs of query and passage for rerankers")
            long pairs) {
        static Row of(String stage, Stage.Forecast expected) {
            return new Row(stage, Math.round(expected.candidates()), expected.calls(), Math.round(expected.pairs()));
        }
    }

    private static final Columns<Row> COLUMNS = new Columns<Row>()
            .label("stage", Row::stage)
            .text("candidates", Row::candidates)
            .text("calls", row -> row.calls.calls())
            .text("tokens", row -> row.calls.tokens())
            .text("pairs", Row::pairs)
            .text("usd", row -> row.calls.usd("%.2f"));

    public static final RecordCsv<Row> LINES = new RecordCsv<>(Row.class);

    /** Reads the documents and estimates each stage, without calling a service. */
    public static PipelineForecast of(Construction construction) {
        List<Row> rows = new ArrayList<>();
        try (PipelineContext context = new PipelineContext(construction)) {
            Stage.Forecast before = Stage.Forecast.of(0);
            CallEstimate calls = CallEstimate.NONE;
            double pairs = 0;
            Map<String, Long> published = Map.of();
            for (Pipeline.Step step : construction.pipeline().steps()) {
                Stage.Forecast own = step.stage().forecast(before, context);
                before = new Stage.Forecast(
                        scaled(before.candidates(), own.candidates(), published, step.published()),
                        own.calls(),
                        own.pairs());
                rows.add(Row.of(step.name(), before));
                calls = calls.plus(own.calls());
                pairs += own.pairs();
                published = step.published();
            }
            return new PipelineForecast(rows, Row.of("sum", new Stage.Forecast(before.candidates(), calls, pairs)));
        }
    }

    private static double scaled(double before, double own, Map<String, Long> earlier, Map<String, Long> later) {
        Long from = earlier.get(ALL);
        Long to = later.get(ALL);
        return from == null || to == null || from == 0 ? own : before * to / from;
    }

    public Table table(String title) {
        List<Row> all = new ArrayList<>(rows);
        all.add(sum);
        return COLUMNS.table(
                title,
                all,
                List.of(
                        "nothing was asked or written; " + CallEstimate.BASIS,
                        "candidates: by the paper's shares where the pipeline has them, else all are taken to be kept"));
    }

    public Table raw() {
        return LINES.table(rows);
    }

    public Map<String, Object> document() {
        return Map.of("stages", rows);
    }
}
