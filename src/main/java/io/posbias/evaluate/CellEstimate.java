package io.posbias.evaluate;

import io.posbias.encode.CallEstimate;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimated service calls of a cell.
 *
 * @param state {@code finished} without calls, or {@code to compute}
 */
public record CellEstimate(String model, String dataset, String state, CallEstimate calls) {
    private static final Sheet<CellEstimate> SHEET = new Sheet<CellEstimate>()
            .plain("model", CellEstimate::model)
            .plain("dataset", CellEstimate::dataset)
            .plain("calls", row -> row.calls.calls())
            .means("requests to services", "count")
            .plain("texts", row -> row.calls.texts())
            .means("texts that they hold: to embed, to rerank, questions", "count")
            .plain("tokens", row -> row.calls.tokens())
            .means("tokens that they hold, estimated from characters, rather too many", "count")
            .plain("usd", CellEstimate::usd)
            .means("their price; empty where the recipe does not say it", "US dollars")
            .plain("state", CellEstimate::state)
            .means("what a run would do with the cell");

    private @Nullable String usd() {
        Double usd = calls.usd();
        return usd == null ? null : String.format(Locale.ROOT, "%.4f", usd);
    }

    /** Returns a table that ends with the sum. */
    public static Table table(List<CellEstimate> cells) {
        CallEstimate sum = cells.stream().map(CellEstimate::calls).reduce(CallEstimate.NONE, CallEstimate::plus);
        List<CellEstimate> rows = new ArrayList<>(cells);
        if (cells.size() > 1) {
            rows.add(new CellEstimate("all", "", "", sum));
        }
        return SHEET.table(
                "Estimate: calls of services, nothing was sent",
                rows,
                List.of(
                        CallEstimate.BASIS + "; texts and pairs in the cache are left out",
                        "calls shared by cells, for example a model and a strategy around it, count in the first",
                        "a first stage other than BM25 is not run: its candidates are taken evenly from the corpus",
                        "usd: by price-per-million-tokens of the recipe, without repeated calls and --content-fixed"));
    }

    /** Returns the columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return SHEET;
    }

    /** Returns the rows without the sum. */
    public static Table raw(List<CellEstimate> cells) {
        return SHEET.raw(cells);
    }

    public static Map<String, Object> document(List<CellEstimate> cells) {
        return Map.of("estimates", SHEET.records(cells));
    }
}
