package io.posbias.report.plot;

import io.posbias.base.plot.BucketAxis;
import io.posbias.base.plot.ColourScale;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Hatch;
import io.posbias.base.plot.HeatMaps;
import io.posbias.base.table.NumberFormat;
import io.posbias.report.profile.Strip;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Strips of models below each other, a row per model and a cell per place of the evidence. */
final class Strips {
    private static final ColourScale COLOURS = new ColourScale(0, Cells.POINTS, false);

    /** Largest number of cells with decimals. */
    private static final int FEW = 12;

    private Strips() {}

    private record Row(Result result, Strip strip) {
        boolean isFixed() {
            return strip.isFixed();
        }

        List<String> labels() {
            return strip.cells().stream().map(Strip.Cell::label).toList();
        }

        HeatMaps.Line line() {
            List<HeatMaps.HeatCell> cells = new ArrayList<>();
            int digits = strip.cells().size() > FEW ? 0 : 1;
            for (Strip.Cell cell : strip.cells()) {
                Double mean = cell.mean();
                cells.add(new HeatMaps.HeatCell(
                        cells.size() + 0.5,
                        mean == null ? null : (Double) (Cells.POINTS * mean),
                        NumberFormat.POINTS.print(mean, digits),
                        cell.hatched()));
            }
            return new HeatMaps.Line("", "", Cells.label(result), cells);
        }
    }

    /** Draws the figure of the models whose evidence was at the same places, the most; null if no result has places. */
    static @Nullable Figure of(Cells cells) {
        List<Row> rows = most(cells);
        if (rows.isEmpty()) {
            return null;
        }
        List<String> labels = rows.getFirst().labels();
        boolean isFixed = rows.getFirst().isFixed();
        BucketAxis buckets = axis(rows.getFirst());
        Figure figure = HeatMaps.figure(
                "strip",
                cells.title(
                        isFixed
                                ? cells.measure() + " with the same evidence at " + labels.size()
                                        + " places of its passage"
                                : cells.measure() + " by place of the evidence"),
                rows.stream().map(Row::line).toList(),
                () -> axis(rows.getFirst()),
                1,
                COLOURS,
                isFixed ? "place of the evidence in its passage, first to last" : buckets.quantity(),
                "",
                note(cells, rows));
        return rows.stream().anyMatch(row -> row.strip().isHatched())
                ? figure.with(List.of(Hatch.item("share of the evidence that the model does not read")))
                : figure;
    }

    private static BucketAxis axis(Row row) {
        return row.isFixed()
                ? BucketAxis.named(row.labels())
                : Cells.bucketAxis(row.labels(), row.result().settings().bucketing());
    }

    private static List<Row> most(Cells cells) {
        Map<List<Object>, List<Row>> same = new LinkedHashMap<>();
        cells.results().stream()
                .map(result -> new Row(result, Strip.of(result, cells.overall(result))))
                .filter(row -> !row.strip().cells().isEmpty())
                // First, so that they are drawn where others are as many.
                .sorted(Comparator.comparing(row -> !row.isFixed()))
                .forEach(row -> same.computeIfAbsent(List.of(row.isFixed(), row.labels()), first -> new ArrayList<>())
                        .add(row));
        List<Row> most = List.of();
        for (List<Row> rows : same.values()) {
            most = rows.size() > most.size() ? rows : most;
        }
        return most;
    }

    private static String note(Cells cells, List<Row> rows) {
        List<Result> drawn = rows.stream().map(Row::result).toList();
        boolean hasEmpty = rows.stream()
                .flatMap(row -> row.strip().cells().stream())
                .map(Strip.Cell::mean)
                .anyMatch(Objects::isNull);
        return Cells.joined(List.of(
                "A row is a passage from its beginning to its end; a cell is the mean of the "
                        + (rows.getFirst().isFixed() ? "same questions with their" : "questions with the")
                        + " evidence there, in points.",
                hasEmpty ? HeatMaps.EMPTY + ": no questions." : "",
                cells.publishedNote(),
                cells.missing(drawn, "their evidence is at other places or at none")));
    }
}
