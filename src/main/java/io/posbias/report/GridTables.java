package io.posbias.report;

import io.posbias.probe.ProbeResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Mean scores by length of the article and mentions of the head. */
public final class GridTables {
    private GridTables() {}

    /** The grid of each model that has one: rows by length, longest first, columns by mentions of the head. */
    public static List<Table> of(Map<String, ProbeResult> results) {
        List<Table> tables = new ArrayList<>();
        results.forEach((model, result) -> {
            if (!result.grid().isEmpty()) {
                tables.add(grid(model, result));
            }
        });
        return tables;
    }

    private static Table grid(String model, ProbeResult result) {
        List<ProbeResult.GridCell> cells = result.grid();
        List<String> heads =
                cells.stream().map(ProbeResult.GridCell::heads).distinct().toList();
        List<String> lengths = cells.stream()
                .sorted(Comparator.comparingInt(ProbeResult.GridCell::leastWords)
                        .reversed())
                .map(ProbeResult.GridCell::words)
                .distinct()
                .toList();
        List<String> header = new ArrayList<>(List.of("words"));
        heads.forEach(band -> header.add(band + (band.equals("1") ? " mention" : " mentions")));
        List<Table.Row> rows = new ArrayList<>();
        for (String words : lengths) {
            List<String> row = new ArrayList<>(List.of(words));
            for (String band : heads) {
                row.add(result.cell(band, words)
                        .map(cell -> String.format(Locale.ROOT, "%.4f (%d)", cell.mean(), cell.n()))
                        .orElse(Numbers.NONE));
            }
            rows.add(new Table.Row(row));
        }
        return new Table(
                model + ": mean score by length of the article and mentions of the head",
                List.of(),
                header,
                rows,
                List.of("in brackets: queries"));
    }
}
