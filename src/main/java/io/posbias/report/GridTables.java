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
                tables.add(grid(model, result.grid()));
            }
        });
        return tables;
    }

    private static Table grid(String model, List<ProbeResult.GridCell> cells) {
        List<String> heads =
                cells.stream().map(ProbeResult.GridCell::heads).distinct().toList();
        List<String> lengths = cells.stream()
                .map(ProbeResult.GridCell::words)
                .distinct()
                .sorted(Comparator.comparingInt(GridTables::begin).reversed())
                .toList();
        List<String> header = new ArrayList<>(List.of("words"));
        heads.forEach(band -> header.add(band + (band.equals("1") ? " mention" : " mentions")));
        List<Table.Row> rows = new ArrayList<>();
        for (String words : lengths) {
            List<String> row = new ArrayList<>(List.of(words));
            for (String band : heads) {
                row.add(cells.stream()
                        .filter(cell ->
                                cell.heads().equals(band) && cell.words().equals(words))
                        .findFirst()
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

    /** The number that a band begins with. */
    private static int begin(String band) {
        return Integer.parseInt(band.split("-", 2)[0]);
    }
}
