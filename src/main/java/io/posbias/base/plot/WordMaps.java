package io.posbias.base.plot;

import io.posbias.base.text.Printable;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jfree.chart.LegendItem;
import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;

/** Figures of word maps side by side, with one colour scale. A document is wrapped into strips, like lines of text. */
public final class WordMaps {
    /** Maximum number of columns in a row of strips; more words would overlap. */
    private static final int COLUMNS = 38;

    private static final int STRIPS = 6;

    private static final int STRIPS_OF_TWO = 4;

    private static final double ROW = 15;

    private static final double LANE = 0.7;

    private static final int LONGEST = 14;

    private static final Color EVIDENCE = Style.INK;
    private static final Color SPECIAL = new Color(0xBB, 0xBB, 0xBB);

    private final List<WordMap> maps;
    private final ColourScale colours;
    private final int columns;
    private final List<Span> shown;

    private record Span(int from, int to) {
        int size() {
            return to - from;
        }
    }

    private WordMaps(List<WordMap> maps) {
        this.maps = maps;
        this.colours = ColourScale.around0(most(maps));
        this.columns = columns(maps);
        int room = columns * strips(maps);
        this.shown = maps.stream().map(map -> shown(map, room)).toList();
    }

    private static double most(List<WordMap> maps) {
        double most = maps.stream().mapToDouble(WordMap::most).max().orElse(0);
        return most > 0 ? Axes.roundUp(most, most) : 1;
    }

    /** Columns per strip: as many as fit, or fewer so that strips are about equally long. */
    private static int columns(List<WordMap> maps) {
        int most = COLUMNS / maps.size();
        int longest = maps.stream().mapToInt(map -> map.columns().size()).max().orElse(1);
        int strips = Math.min(Math.ceilDiv(longest, most), strips(maps));
        return Math.min(most, Math.ceilDiv(longest, strips));
    }

    private static int strips(List<WordMap> maps) {
        return maps.size() == 1 ? STRIPS : STRIPS_OF_TWO;
    }

    private static Span shown(WordMap map, int room) {
        int all = map.columns().size();
        List<Integer> evidence = map.marked(WordMap.Mark.EVIDENCE);
        int middle = evidence.isEmpty() ? 0 : (evidence.getFirst() + evidence.getLast()) / 2;
        int from = Math.clamp(middle - room / 2L, 0, Math.max(0, all - room));
        return new Span(from, Math.min(all, from + room));
    }

    /** Makes a figure of one or two maps of the same query. */
    public static Figure figure(String name, String title, List<WordMap> maps, String note) {
        return new WordMaps(maps).figure(name, title, note);
    }

    private Figure figure(String name, String title, String note) {
        int strips = shown.stream()
                .mapToInt(span -> Math.ceilDiv(span.size(), columns))
                .max()
                .orElse(1);
        List<Panel> panels = new ArrayList<>();
        for (int strip = 0; strip < strips; strip++) {
            for (int map = 0; map < maps.size(); map++) {
                panels.add(panel(map, strip));
            }
        }
        double rows = maps.getFirst().rows().size() + LANE;
        return new Figure(
                name,
                title,
                legend(),
                panels,
                maps.size(),
                ROW * rows,
                "words of the document",
                "words of the query",
                colours,
                Stream.concat(Stream.of(note), left())
                        .reduce((a, b) -> a + " " + b)
                        .orElse(note));
    }

    private Panel panel(int number, int strip) {
        WordMap map = maps.get(number);
        int from = shown.get(number).from() + strip * columns;
        int to = Math.min(from + columns, shown.get(number).to());
        List<WordMap.Word> own = from < to ? map.columns().subList(from, to) : List.of();
        NumberAxis x = names(own, columns);
        x.setVerticalTickLabels(true);
        x.setAutoTickUnitSelection(false);
        x.setTickUnit(new NumberTickUnit(1));
        bare(x);
        List<String> rows =
                new ArrayList<>(map.rows().stream().map(WordMaps::label).toList());
        Collections.reverse(rows);
        HeatMaps cells = new HeatMaps(x, rows, colours);
        for (int column = 0; column < own.size(); column++) {
            for (int row = 0; row < rows.size(); row++) {
                double value = map.values()[rows.size() - 1 - row][from + column];
                cells.add(new HeatMaps.HeatCell(column, value, "", 0), row);
            }
        }
        XYPlot plot = cells.plot();
        bare(plot.getRangeAxis());
        plot.getRangeAxis().setRange(-0.5, rows.size() - 0.5 + LANE);
        mark(plot, own, rows.size());
        if (own.isEmpty()) {
            x.setVisible(false);
            plot.getRangeAxis().setVisible(false);
        }
        return new Panel(strip == 0 ? map.title() : "", "", plot);
    }

    private static void bare(ValueAxis axis) {
        axis.setTickMarksVisible(false);
        axis.setAxisLineVisible(false);
    }

    private static NumberAxis names(List<WordMap.Word> words, int columns) {
        return Axes.names(IntStream.range(0, columns)
                .mapToObj(i -> i < words.size() ? label(words.get(i)) : "")
                .toList());
    }

    private static String label(WordMap.Word word) {
        return Printable.begun(word.text(), LONGEST);
    }

    private static void mark(XYPlot plot, List<WordMap.Word> words, int rows) {
        double low = rows - 0.5 + 0.2;
        for (int i = 0; i < words.size(); i++) {
            WordMap.Mark mark = words.get(i).mark();
            if (mark != WordMap.Mark.PLAIN) {
                Color fill = mark == WordMap.Mark.EVIDENCE ? EVIDENCE : SPECIAL;
                plot.addAnnotation(new XYBoxAnnotation(i - 0.5, low, i + 0.5, low + 0.35, null, null, fill));
            }
        }
    }

    private List<LegendItem> legend() {
        List<LegendItem> items = new ArrayList<>();
        if (maps.stream().anyMatch(map -> !map.marked(WordMap.Mark.EVIDENCE).isEmpty())) {
            items.add(Style.fillItem("evidence", EVIDENCE));
        }
        if (maps.stream().anyMatch(map -> !map.marked(WordMap.Mark.SPECIAL).isEmpty())) {
            items.add(Style.fillItem("special tokens", SPECIAL));
        }
        return items;
    }

    private Stream<String> left() {
        return IntStream.range(0, maps.size())
                .filter(i -> shown.get(i).size() < maps.get(i).columns().size())
                .mapToObj(i -> {
                    WordMap map = maps.get(i);
                    Span span = shown.get(i);
                    return String.format(
                            Locale.ROOT,
                            "%s: %d of %d columns are shown, from %d on, which have %.4f of it.",
                            map.title(),
                            span.size(),
                            map.columns().size(),
                            span.from() + 1,
                            map.sum(span.from(), span.to()));
                });
    }
}
