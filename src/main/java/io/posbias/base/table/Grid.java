package io.posbias.base.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Collects rows and marks the best and the second best number of each column within a sample. */
public final class Grid {
    private final List<Table.Row> rows = new ArrayList<>();
    private final List<List<Cell>> competing = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();

    /** Adds a heading between rows. */
    public void heading(String text) {
        rows.add(new Table.Row(List.of(text)));
    }

    /** Adds a row of text that does not compete; missing cells are empty. */
    public void text(List<String> cells) {
        rows.add(new Table.Row(cells));
    }

    public void add(List<Cell> cells) {
        competing.add(cells);
        places.add(rows.size());
        rows.add(Table.Row.of(cells));
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
            rows.set(places.get(i), new Table.Row(row.cells(), marks));
        }
        competing.clear();
        places.clear();
    }

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

    public List<Table.Row> rows() {
        return List.copyOf(rows);
    }
}
