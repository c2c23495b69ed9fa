package io.posbias.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rows of a table in the making; marks the best and the second best number of each column among those of one sample. */
public final class Grid {
    private final List<Table.Row> rows = new ArrayList<>();
    private final List<List<Cell>> competing = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();

    /** Adds a heading between rows. */
    public void heading(String text) {
        rows.add(new Table.Row(List.of(text)));
    }

    /** Adds a row of text that competes with no other; empty cells follow where it is short. */
    public void text(List<String> cells) {
        rows.add(new Table.Row(cells));
    }

    /** Adds a row. */
    public void add(List<Cell> cells) {
        add(cells, List.of());
    }

    /** Adds a row with the means of its buckets in a line. */
    public void add(List<Cell> cells, List<@Nullable Double> curve) {
        competing.add(cells);
        places.add(rows.size());
        rows.add(Table.Row.of(cells, curve));
    }

    /** Marks the best and the second best among the rows since the last call; equals share a mark. */
    public void mark() {
        if (competing.isEmpty()) {
            return;
        }
        int width = competing.getFirst().size();
        List<Map<String, NavigableSet<Double>>> ranks = new ArrayList<>();
        for (int column = 0; column < width; column++) {
            ranks.add(ranks(column));
        }
        for (int i = 0; i < competing.size(); i++) {
            List<Mark> marks = new ArrayList<>();
            for (int column = 0; column < width; column++) {
                marks.add(mark(competing.get(i).get(column), ranks.get(column)));
            }
            Table.Row row = rows.get(places.get(i));
            rows.set(places.get(i), new Table.Row(row.cells(), marks, row.curve()));
        }
        competing.clear();
        places.clear();
    }

    /** The different numbers of each sample of a column, the best first. */
    private Map<String, NavigableSet<Double>> ranks(int column) {
        Map<String, NavigableSet<Double>> ranks = new HashMap<>();
        competing.stream()
                .map(row -> row.get(column))
                .filter(cell -> !Double.isNaN(cell.rank()))
                .forEach(
                        cell -> ranks.computeIfAbsent(cell.sample(), sample -> new TreeSet<>(Comparator.reverseOrder()))
                                .add(cell.rank()));
        return ranks;
    }

    /** One number alone wins nothing. */
    private static Mark mark(Cell cell, Map<String, NavigableSet<Double>> samples) {
        NavigableSet<Double> ranks = samples.getOrDefault(cell.sample(), new TreeSet<>());
        if (Double.isNaN(cell.rank()) || ranks.size() < 2) {
            return cell.mark();
        }
        Double better = ranks.lower(cell.rank());
        if (better == null) {
            return Mark.BEST;
        }
        return better.equals(ranks.first()) ? Mark.SECOND : cell.mark();
    }

    /** All rows so far. */
    public List<Table.Row> rows() {
        return List.copyOf(rows);
    }
}
