package io.posbias.base.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Collects rows and marks the best and the second best numbers of each column within a sample: by their {@linkplain Standing
 * tests} if all of them have one, otherwise by value.
 */
public final class Grid {
    private final List<Table.Row> rows = new ArrayList<>();
    private final List<List<Cell>> competing = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final Set<Integer> tested = new TreeSet<>();
    private final Set<Integer> byValue = new TreeSet<>();

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

    /**
     * Marks the numbers of the rows since the last call. By value, the best is the best and equals share a mark. By tests, the best
     * are those than which none is better, the second those than which only the best are; where no test finds a difference,
     * none is marked. Letters of a number's standing are printed beside the numbers that are better.
     */
    public void mark() {
        if (competing.isEmpty()) {
            return;
        }
        int width = competing.getFirst().size();
        Mark[][] marks = new Mark[competing.size()][width];
        String[][] texts = new String[competing.size()][width];
        for (int column = 0; column < width; column++) {
            mark(column, marks, texts);
        }
        for (int i = 0; i < competing.size(); i++) {
            rows.set(places.get(i), new Table.Row(List.of(texts[i]), List.of(marks[i])));
        }
        competing.clear();
        places.clear();
    }

    private void mark(int column, Mark[][] marks, String[][] texts) {
        String[] letters = new String[marks.length];
        for (int i = 0; i < marks.length; i++) {
            marks[i][column] = competing.get(i).get(column).mark();
            letters[i] = "";
        }
        for (List<Integer> sample : samples(column)) {
            List<Cell> cells =
                    sample.stream().map(i -> competing.get(i).get(column)).toList();
            boolean hasTests = cells.stream().allMatch(cell -> cell.standing() != null);
            List<Mark> own = hasTests ? byTests(cells) : byValue(cells);
            if (cells.size() > 1) {
                (hasTests ? tested : byValue).add(column);
            }
            for (int i = 0; i < own.size(); i++) {
                marks[sample.get(i)][column] = own.get(i);
                letters[sample.get(i)] = letters(cells.get(i), cells);
            }
        }
        int longest = IntStream.range(0, letters.length)
                .map(i -> letters[i].length())
                .max()
                .orElse(0);
        for (int i = 0; i < letters.length; i++) {
            String text = competing.get(i).get(column).text();
            texts[i][column] =
                    longest == 0 ? text : text + " " + letters[i] + " ".repeat(longest - letters[i].length());
        }
    }

    /** Rows whose numbers compete in a column. */
    private Collection<List<Integer>> samples(int column) {
        return IntStream.range(0, competing.size())
                .boxed()
                .filter(i -> !Double.isNaN(competing.get(i).get(column).rank()))
                .collect(Collectors.groupingBy(
                        i -> competing.get(i).get(column).sample(), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static List<Mark> byValue(List<Cell> cells) {
        NavigableSet<Double> ranks = new TreeSet<>(Comparator.reverseOrder());
        cells.forEach(cell -> ranks.add(cell.rank()));
        return cells.stream()
                .map(cell -> {
                    Double better = ranks.lower(cell.rank());
                    if (ranks.size() < 2 || (better != null && !better.equals(ranks.first()))) {
                        return cell.mark();
                    }
                    return better == null ? Mark.BEST : Mark.SECOND;
                })
                .toList();
    }

    private static List<Mark> byTests(List<Cell> cells) {
        Set<String> best = cells.stream()
                .filter(cell -> better(cell, cells).isEmpty())
                .map(cell -> standing(cell).name())
                .collect(Collectors.toSet());
        return cells.stream()
                .map(cell -> {
                    if (best.size() == cells.size()) {
                        return cell.mark();
                    }
                    Set<String> better = better(cell, cells);
                    return better.isEmpty() ? Mark.BEST : best.containsAll(better) ? Mark.SECOND : cell.mark();
                })
                .toList();
    }

    private static Standing standing(Cell cell) {
        return Objects.requireNonNull(cell.standing());
    }

    /** Names of the cells of a sample that are better than one of them. */
    private static Set<String> better(Cell cell, List<Cell> sample) {
        return sample.stream()
                .map(other -> standing(other).name())
                .filter(standing(cell).better()::contains)
                .collect(Collectors.toSet());
    }

    private static String letters(Cell cell, List<Cell> sample) {
        Standing own = cell.standing();
        return own == null
                ? ""
                : sample.stream()
                        .map(Cell::standing)
                        .filter(other -> other != null && other.better().contains(own.name()))
                        .map(other -> Objects.requireNonNull(other).letter())
                        .collect(Collectors.joining());
    }

    /** Columns with numbers that were marked by tests. */
    public Set<Integer> tested() {
        return Set.copyOf(tested);
    }

    /** Columns with numbers that were marked by value. */
    public Set<Integer> byValue() {
        return new TreeSet<>(byValue);
    }

    public List<Table.Row> rows() {
        return List.copyOf(rows);
    }
}
