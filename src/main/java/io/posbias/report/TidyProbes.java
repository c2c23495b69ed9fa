package io.posbias.report;

import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What probes found as one table, for CSV. */
public final class TidyProbes {
    private static final List<String> COLUMNS = List.of(
            "model",
            "probe",
            "comparison",
            "n",
            "first_mean",
            "second_mean",
            "difference",
            "interval_low",
            "interval_high",
            "t",
            "p_value",
            "share_higher",
            "ties",
            "effect_size");

    private TidyProbes() {}

    /**
     * All tests in full precision, a row for each model and comparison, and the means of the grid, a row for each cell.
     *
     * @param published whether what the paper printed of the same probes follows
     */
    public static Table of(Map<String, ProbeResult> results, boolean published) {
        List<Table.Row> rows = new ArrayList<>();
        Set<String> probes = new LinkedHashSet<>();
        results.forEach((model, result) -> {
            result.tests().forEach(test -> {
                probes.add(test.probe());
                rows.add(tidy(model, test));
            });
            result.grid().forEach(cell -> rows.add(tidy(model, cell)));
        });
        if (published) {
            PublishedProbes.of(probes).forEach(test -> rows.add(test.tidyRow()));
        }
        return new Table("", List.of(), COLUMNS, rows, List.of());
    }

    private static Table.Row tidy(String model, PairTest test) {
        List<String> estimate = Plain.estimate(test.difference());
        List<String> cells = new ArrayList<>(List.of(
                model,
                test.probe(),
                test.comparison(),
                String.valueOf(test.n()),
                String.valueOf(test.first()),
                String.valueOf(test.second())));
        cells.addAll(estimate.subList(0, 3));
        cells.add(Plain.number(test.t()));
        cells.add(estimate.getLast());
        cells.addAll(List.of(String.valueOf(test.share()), String.valueOf(test.ties()), Plain.number(test.effect())));
        return new Table.Row(cells);
    }

    /** A cell of the grid, which has a mean and no test. */
    private static Table.Row tidy(String model, ProbeResult.GridCell cell) {
        return Plain.row(
                List.of(
                        model,
                        "grid",
                        "heads " + cell.heads() + ", words " + cell.words(),
                        String.valueOf(cell.n()),
                        String.valueOf(cell.mean())),
                COLUMNS.size());
    }
}
