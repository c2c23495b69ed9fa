package io.posbias.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.score.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Estimated service calls of a cell. */
public record CellEstimate(
        String model,
        String dataset,
        @JsonUnwrapped CallEstimate calls,

        @Meaning("what a run would do with the cell: `finished` without calls, or `to compute`")
        String state) {
    /**
     * Estimates the service calls of cells, without calls and files.
     *
     * @param folder of a cell, by benchmark and model
     */
    public static List<CellEstimate> of(List<Cells.Job> jobs, BiFunction<String, String, Path> folder) {
        Map<Datasets.Source, LazyDataset> opened = new HashMap<>();
        return jobs.stream()
                .map(job -> {
                    Engine engine = job.runner().engine();
                    LazyDataset lazy = opened.computeIfAbsent(job.source(), source -> source.lazy(engine.progress()));
                    String dataset = job.source().name();
                    String model = job.recipe().name();
                    boolean finished = job.runner()
                            .cell(job.recipe(), lazy, new ResultFolder(folder.apply(dataset, model)))
                            .hasRun();
                    CallEstimate calls = finished
                            ? CallEstimate.NONE
                            : job.recipe().retriever().calls(lazy.open(), null, engine);
                    return new CellEstimate(model, dataset, calls, finished ? "finished" : "to compute");
                })
                .toList();
    }

    private static final Columns<CellEstimate> COLUMNS = new Columns<CellEstimate>()
            .text("model", CellEstimate::model)
            .text("dataset", CellEstimate::dataset)
            .text("calls", row -> row.calls.calls())
            .text("texts", row -> row.calls.texts())
            .text("tokens", row -> row.calls.tokens())
            .text("usd", row -> row.calls.usd("%.4f"))
            .text("state", CellEstimate::state);

    public static final RecordCsv<CellEstimate> LINES = new RecordCsv<>(CellEstimate.class);

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

    /** Returns the rows without the sum. */
    public static Table raw(List<CellEstimate> cells) {
        return LINES.table(cells);
    }

    public static Map<String, Object> document(List<CellEstimate> cells) {
        return Map.of("estimates", cells);
    }
}
