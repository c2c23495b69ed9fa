package io.posbias.report.plot;

import io.posbias.probe.SegmentSimilarity;
import io.posbias.report.PublishedSegments;
import io.posbias.report.SegmentTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Mean cosines of texts and their segments: a row a model, a column a segment, a panel a benchmark and band of length. */
final class SegmentHeatMap {
    private static final List<String> SEGMENTS = List.of("beginning", "middle", "end");
    /** Cosines that the colours span at least, so that noise does not look like the rainbow. */
    private static final double LEAST_SPAN = 0.05;
    /** More panels than this stand beside each other in no figure: the names of the segments need room. */
    private static final int MOST_COLUMNS = 3;

    private SegmentHeatMap() {}

    /**
     * One panel.
     *
     * @param title the benchmark and the band
     * @param subtitle how many passages
     * @param rows by model, the cosines of the three segments
     */
    private record Means(String title, String subtitle, Map<String, List<Double>> rows) {}

    /**
     * The figure of what was measured.
     *
     * @param cells at least one, those of a model in the order of the benchmarks
     */
    static Figure of(List<SegmentTables.Cell> cells) {
        return figure("segments", "cosine of the whole text and its segments", measured(cells), note(cells));
    }

    private static String note(List<SegmentTables.Cell> cells) {
        List<String> sentences =
                new ArrayList<>(List.of("Panels: benchmark and length in words. Colours and numbers: mean cosine."));
        cells.stream()
                .map(SegmentTables::cut)
                .filter(cut -> !cut.isEmpty())
                .map(cut -> cut + ".")
                .forEach(sentences::add);
        return Cells.joined(sentences);
    }

    /** The figure of what the paper printed. */
    static Figure published() {
        return figure(
                "segments-published",
                "cosine of the whole text and its segments, as published *",
                printed(),
                "Colours and numbers: mean cosine. *: " + PublishedSegments.SOURCE + ".");
    }

    private static Figure figure(String name, String title, List<Means> maps, String note) {
        Viridis colours = colours(maps);
        List<String> models = maps.stream()
                .flatMap(map -> map.rows().keySet().stream())
                .distinct()
                .toList()
                .reversed();
        List<Panel> panels =
                maps.stream().map(map -> panel(map, models, colours)).toList();
        int columns = Math.min(MOST_COLUMNS, Figure.columnsFor(panels.size()));
        return new Figure(
                name,
                title,
                List.of(),
                panels,
                columns,
                HeatMap.ROW * models.size(),
                "segment of the text",
                "",
                colours,
                note);
    }

    private static List<Means> measured(List<SegmentTables.Cell> cells) {
        Map<String, Means> maps = new LinkedHashMap<>();
        for (SegmentTables.Cell cell : cells) {
            for (SegmentSimilarity.Band band : cell.similarity().bands()) {
                String title = cell.dataset().name() + ", " + band.words();
                maps.computeIfAbsent(title, name -> new Means(name, "n = " + band.n(), new LinkedHashMap<>()))
                        .rows()
                        .put(
                                cell.model(),
                                band.segments().stream()
                                        .map(SegmentSimilarity.Mean::value)
                                        .toList());
            }
        }
        return List.copyOf(maps.values());
    }

    private static List<Means> printed() {
        Map<String, Means> maps = new LinkedHashMap<>();
        for (PublishedSegments row : PublishedSegments.rows()) {
            maps.computeIfAbsent(row.dataset(), name -> new Means(name, "", new LinkedHashMap<>()))
                    .rows()
                    .put(row.model(), row.segments());
        }
        return List.copyOf(maps.values());
    }

    /** From the least to the largest mean, rounded outwards: one colour is one number everywhere. */
    private static Viridis colours(List<Means> maps) {
        double[] means = maps.stream()
                .flatMap(map -> map.rows().values().stream())
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        double most = means[means.length - 1];
        double span = Math.max(most - means[0], LEAST_SPAN);
        double low = Axes.roundDown(means[0], span);
        return new Viridis(low, Math.max(Axes.roundUp(most, span), low + LEAST_SPAN));
    }

    private static Panel panel(Means map, List<String> models, Viridis colours) {
        HeatMap heat = new HeatMap(HeatMap.names(SEGMENTS), models, colours);
        for (int row = 0; row < models.size(); row++) {
            List<Double> means = map.rows().get(models.get(row));
            for (int column = 0; column < SEGMENTS.size(); column++) {
                double mean = Objects.requireNonNull(means, "every model is on every benchmark")
                        .get(column);
                heat.add(column, row, mean, String.format(Locale.ROOT, "%.2f", mean));
            }
        }
        return new Panel(map.title(), map.subtitle(), List.of(), heat.plot());
    }
}
