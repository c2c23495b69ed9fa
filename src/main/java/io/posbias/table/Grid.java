package io.posbias.table;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rows of a table in the making; marks the best and the second best number of each column. */
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
        List<NavigableSet<Double>> ranks = new ArrayList<>();
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

    /** The different numbers of a column, the best first; none where there is one only, which wins nothing. */
    private NavigableSet<Double> ranks(int column) {
        NavigableSet<Double> ranks = new TreeSet<>();
        competing.stream()
                .map(row -> row.get(column).rank())
                .filter(rank -> !Double.isNaN(rank))
                .forEach(ranks::add);
        return ranks.size() < 2 ? new TreeSet<>() : ranks.descendingSet();
    }

    private static Mark mark(Cell cell, NavigableSet<Double> ranks) {
        if (Double.isNaN(cell.rank()) || ranks.isEmpty()) {
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
