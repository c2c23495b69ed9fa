package io.posbias.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.model.encode.CallEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Estimated service calls of a cell. */
public record CellEstimate(
        String model,
        String dataset,
        @JsonUnwrapped CallEstimate calls,

        @Meaning("what a run would do with the cell: `finished` without calls, or `to compute`")
        String state) {
    private static final Columns<CellEstimate> COLUMNS = new Columns<CellEstimate>()
            .text("model", CellEstimate::model)
            .text("dataset", CellEstimate::dataset)
            .text("calls", row -> row.calls.calls())
            .text("texts", row -> row.calls.texts())
            .text("tokens", row -> row.calls.tokens())
            .text("usd", row -> row.calls.usd("%.4f"))
            .text("state", CellEstimate::state);

    private static final RecordCsv<CellEstimate> LINES = new RecordCsv<>(CellEstimate.class);

    public static Table table(List<CellEstimate> cells) {
        CallEstimate sum = cells.stream().map(CellEstimate::calls).reduce(CallEstimate.NONE, CallEstimate::plus);
        List<CellEstimate> rows = new ArrayList<>(cells);
        if (cells.size() > 1) {
            rows.add(new CellEstimate("all", "", sum, ""));
        }
        return COLUMNS.table(
                "Estimate: calls of services, nothing was sent",
                rows,
                List.of(
                        CallEstimate.BASIS + "; texts and pairs in the cache are left out",
                        "calls shared by cells, for example a model and a strategy around it, count in the first",
                        "a first stage other than BM25 is not run: its candidates are taken evenly from the corpus",
                        "usd: by price-per-million-tokens of the recipe, without repeated calls and --content-fixed"));
    }

    /** Describes the columns of {@link #raw}. */
    public static List<RecordCsv.Described> columns() {
        return LINES.described(null);
    }

    /** Returns the rows without the sum. */
    public static Table raw(List<CellEstimate> cells) {
        return LINES.table(cells);
    }

    public static Map<String, Object> document(List<CellEstimate> cells) {
        return Map.of("estimates", cells);
    }
}
