package io.posbias.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table in aligned columns, for a terminal: numbers to the right, words and bars to the left. Widths are counted in code points.
 * Rows that have a curve show it after their name.
 */
final class AlignedTable {
    private static final String GAP = "  ";
    private static final String ESCAPE = "\u001b[";
    private static final String RESET = ESCAPE + "0m";

    private final Table table;
    private final boolean colour;
    private final int[] widths;
    private final boolean[] words;

    private AlignedTable(Table table, boolean colour, boolean curves) {
        this.table = table;
        this.colour = colour;
        int columns = table.header().size();
        this.widths = new int[columns];
        this.words = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            widths[column] = width(table.header().get(column));
            words[column] = column == 0 || (curves && column == 1);
            for (Table.Row row : table.rows()) {
                if (!row.isHeading()) {
                    String cell = row.cells().get(column);
                    widths[column] = Math.max(widths[column], width(cell));
                    words[column] |=
                            !cell.isEmpty() && (Character.isLetter(cell.codePointAt(0)) || cell.startsWith("#"));
                }
            }
        }
        widenForGroups();
    }

    static String render(Table table, TerminalStyle look) {
        boolean curves = table.rows().stream().anyMatch(row -> !row.curve().isEmpty());
        Table shown = curves ? withCurves(table, look.blocks()) : table;
        return new AlignedTable(shown, look.colour(), curves).render();
    }

    /** The same table with one column more. */
    private static Table withCurves(Table table, boolean blocks) {
        List<Table.Group> groups = new ArrayList<>(table.groups());
        if (!groups.isEmpty()) {
            Table.Group first = groups.getFirst();
            groups.set(0, new Table.Group(first.name(), first.span() + 1));
        }
        List<Table.Row> rows =
                table.rows().stream().map(row -> withCurve(row, blocks)).toList();
        List<String> notes = new ArrayList<>(table.notes());
        notes.add(Sparkline.note(blocks));
        return new Table(table.title(), groups, second(table.header(), "curve"), rows, notes);
    }

    private static Table.Row withCurve(Table.Row row, boolean blocks) {
        if (row.isHeading()) {
            return row;
        }
        List<String> cells = second(row.cells(), Sparkline.of(row.curve(), blocks));
        return new Table.Row(cells, row.marks().isEmpty() ? List.of() : second(row.marks(), Mark.NONE), List.of());
    }

    private static <T> List<T> second(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list);
        longer.add(1, element);
        return longer;
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            text.append(styled(table.title(), "1")).append('\n');
        }
        if (!table.groups().isEmpty()) {
            text.append(groups()).append('\n');
        }
        text.append(row(new Table.Row(table.header()))).append('\n');
        text.append("-".repeat(groupWidth(0, widths.length))).append('\n');
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? row.cells().getFirst() : row(row)).append('\n');
        }
        table.notes().forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    /** A group's name may be longer than its columns: the last of them takes the difference. */
    private void widenForGroups() {
        int column = 0;
        for (Table.Group group : table.groups()) {
            int missing = width(group.name()) - groupWidth(column, group.span());
            column += group.span();
            widths[column - 1] += Math.max(0, missing);
        }
    }

    private int groupWidth(int first, int span) {
        int width = GAP.length() * (span - 1);
        for (int column = first; column < first + span; column++) {
            width += widths[column];
        }
        return width;
    }

    private String groups() {
        List<String> names = new ArrayList<>();
        int column = 0;
        for (Table.Group group : table.groups()) {
            names.add(pad(group.name(), null, groupWidth(column, group.span()), true));
            column += group.span();
        }
        return String.join(GAP, names).stripTrailing();
    }

    private String row(Table.Row row) {
        List<String> padded = new ArrayList<>();
        for (int column = 0; column < row.cells().size(); column++) {
            padded.add(pad(row.cells().get(column), style(row.mark(column)), widths[column], words[column]));
        }
        return String.join(GAP, padded).stripTrailing();
    }

    /** The parameters of ANSI's escape sequence for a mark; null for none. */
    private static @Nullable String style(Mark mark) {
        return switch (mark) {
            case NONE -> null;
            case BEST -> "1";
            case SECOND -> "4";
            case SOUND -> "32";
            case UNSURE -> "33";
            case BIASED -> "31";
        };
    }

    private String pad(String text, @Nullable String style, int width, boolean left) {
        String spaces = " ".repeat(Math.max(0, width - width(text)));
        return left ? styled(text, style) + spaces : spaces + styled(text, style);
    }

    private String styled(String text, @Nullable String style) {
        return colour && style != null ? ESCAPE + style + "m" + text + RESET : text;
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
