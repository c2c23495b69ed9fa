package io.posbias.base.table;

import java.util.ArrayList;
import java.util.List;

/** Text wrapped at spaces. */
public final class Lines {
    static final int INDENT = 2;

    private Lines() {}

    /**
     * Wraps a text; a word wider than the line has a line to itself.
     *
     * @param indent of continuation lines
     */
    public static List<String> of(String text, int width, int indent) {
        if (TableParts.width(text) <= width) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line =
                new StringBuilder(" ".repeat(text.length() - text.stripLeading().length()));
        boolean isEmpty = true;
        for (String word : text.strip().split(" ", -1)) {
            if (!isEmpty && TableParts.width(line.toString()) + 1 + TableParts.width(word) > width) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent));
                isEmpty = true;
            }
            line.append(isEmpty ? "" : " ").append(word);
            isEmpty = false;
        }
        lines.add(line.toString());
        return lines;
    }
}
