package io.posbias.plot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Figures of several maps with the same rows, columns and colours. */
public final class HeatMaps {
    /** More maps than this are beside each other in no figure: the names of the columns need room. */
    private static final int MOST_COLUMNS = 3;

    private HeatMaps() {}

    /**
     * A row of a map.
     *
     * @param map its title
     * @param subtitle of the map
     * @param row its name
     * @param numbers one for each column; null for none
     */
    public record Line(String map, String subtitle, String row, List<@Nullable Double> numbers) {}

    /**
     * The figure of some maps. Maps come in the order of their first lines, and rows from top to bottom.
     *
     * @param leastSpan what the colours span at least, so that noise does not look like the rainbow
     * @param format of the numbers in the cells
     */
    public static Figure figure(
            String name,
            String title,
            List<Line> lines,
            List<String> columns,
            double leastSpan,
            String format,
            String xTitle,
            String yTitle,
            String note) {
        List<String> rows =
                new ArrayList<>(lines.stream().map(Line::row).distinct().toList());
        Collections.reverse(rows);
        Viridis colours = colours(lines, leastSpan);
        Map<String, HeatMap> maps = new LinkedHashMap<>();
        Map<String, String> subtitles = new LinkedHashMap<>();
        for (Line line : lines) {
            maps.computeIfAbsent(line.map(), unseen -> new HeatMap(HeatMap.names(columns), rows, colours));
            subtitles.put(line.map(), line.subtitle());
        }
        for (Line line : lines.reversed()) {
            add(Objects.requireNonNull(maps.get(line.map())), rows.indexOf(line.row()), line.numbers(), format);
        }
        List<Panel> panels = new ArrayList<>();
        maps.forEach((heading, map) ->
                panels.add(new Panel(heading, subtitles.getOrDefault(heading, ""), List.of(), map.plot())));
        return new Figure(
                name,
                title,
                List.of(),
                panels,
                Math.min(MOST_COLUMNS, Figure.columnsFor(panels.size())),
                HeatMap.ROW * rows.size(),
                xTitle,
                yTitle,
                colours,
                note);
    }

    /** From the least to the largest number, rounded outwards: one colour is one number everywhere. */
    private static Viridis colours(List<Line> lines, double leastSpan) {
        DoubleSummaryStatistics numbers = lines.stream()
                .flatMap(line -> line.numbers().stream())
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        double span = Math.max(numbers.getMax() - numbers.getMin(), leastSpan);
        double low = Axes.roundDown(numbers.getMin(), span);
        return new Viridis(low, Math.max(Axes.roundUp(numbers.getMax(), span), low + leastSpan));
    }

    private static void add(HeatMap map, int row, List<@Nullable Double> numbers, String format) {
        for (int column = 0; column < numbers.size(); column++) {
            Double number = numbers.get(column);
            if (number == null) {
                map.addEmpty(column, row);
            } else {
                map.add(column, row, number, String.format(Locale.ROOT, format, number));
            }
        }
    }
}
