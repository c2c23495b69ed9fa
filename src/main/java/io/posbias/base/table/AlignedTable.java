package io.posbias.base.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table in aligned columns for a terminal: numbers right, words left, in as many {@link TableParts} as needed. */
final class AlignedTable {
    private static final String ESCAPE = "\u001b[";
    private static final String RESET = ESCAPE + "0m";
    private static final String BOLD = "1";
    private static final String HANGING = "    ";

    private final TableParts.Part part;
    private final Table table;
    private final TerminalStyle style;

    private AlignedTable(TableParts.Part part, TerminalStyle style) {
        this.part = part;
        this.table = part.table();
        this.style = style;
    }

    static String render(Table table, TerminalStyle style) {
        return TableParts.of(table, style.width()).stream()
                .map(part -> new AlignedTable(part, style).render())
                .collect(Collectors.joining("\n"));
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            Lines.of(table.title(), style.width(), Lines.INDENT)
                    .forEach(line -> text.append(styled(line, BOLD)).append('\n'));
        }
        if (!table.groups().isEmpty()) {
            text.append(groups()).append('\n');
        }
        text.append(block(new Table.Row(table.header()), 0, true));
        text.append("-".repeat(part.width(0, part.columns().size()))).append('\n');
        table.rows()
                .forEach(row -> text.append(
                        row.isHeading()
                                ? row.cells().getFirst() + "\n"
                                : block(row, Lines.INDENT, false) + hanging(row)));
        table.notes()
                .forEach(note -> Lines.of(note, style.width(), Lines.INDENT)
                        .forEach(line -> text.append(line).append('\n')));
        return text.toString();
    }

    private String groups() {
        List<String> names = new ArrayList<>();
        int column = 0;
        for (Table.Group group : table.groups()) {
            // The last column may hang below its row.
            int span = Math.min(group.span(), part.columns().size() - column);
            if (span > 0) {
                names.add(pad(group.name(), null, part.width(column, span), true));
            }
            column += span;
        }
        return String.join(gap(), names).stripTrailing();
    }

    private String gap() {
        return " ".repeat(part.gap());
    }

    /** @param isLow true for cells of fewer lines at the bottom */
    private String block(Table.Row row, int indent, boolean isLow) {
        List<List<String>> cells = cells(row, indent);
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < height; i++) {
            List<String> padded = new ArrayList<>();
            for (int column = 0; column < cells.size(); column++) {
                List<String> lines = cells.get(column);
                int line = isLow ? i - height + lines.size() : i;
                TableParts.Column place = part.columns().get(column);
                padded.add(pad(
                        line < 0 || line >= lines.size() ? "" : lines.get(line),
                        style(row.mark(column)),
                        place.width(),
                        place.words()));
            }
            text.append(String.join(gap(), padded).stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private String hanging(Table.Row row) {
        String text = part.hangs() ? row.cells().getLast() : "";
        return text.isEmpty()
                ? ""
                : Lines.breaking(text, style.width() - HANGING.length(), 0).stream()
                        .map(line -> HANGING + line + "\n")
                        .collect(Collectors.joining());
    }

    private List<List<String>> cells(Table.Row row, int indent) {
        List<List<String>> cells = new ArrayList<>();
        for (int column = 0; column < part.columns().size(); column++) {
            cells.add(Lines.breaking(
                    row.cells().get(column), part.columns().get(column).width(), column < table.labels() ? indent : 0));
        }
        return cells;
    }

    private static @Nullable String style(Mark mark) {
        return switch (mark) {
            case NONE -> null;
            case BEST -> BOLD;
            case SECOND -> "4";
            case SOUND -> "32";
            case UNSURE -> "33";
            case BIASED -> "31";
        };
    }

    private String pad(String text, @Nullable String style, int width, boolean left) {
        String spaces = " ".repeat(Math.max(0, width - TableParts.width(text)));
        return left ? styled(text, style) + spaces : spaces + styled(text, style);
    }

    private String styled(String text, @Nullable String parameters) {
        return style.colour() && parameters != null && !text.isEmpty()
                ? ESCAPE + parameters + "m" + text + RESET
                : text;
    }
}
