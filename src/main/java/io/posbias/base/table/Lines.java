package io.posbias.base.table;

import java.util.ArrayList;
import java.util.List;

/** Text wrapped at spaces. */
public final class Lines {
    static final int INDENT = 2;

    private static final String MARKS = "-/:_.";

    private Lines() {}

    /**
     * Wraps a text; a word wider than the line has a line to itself.
     *
     * @param indent of continuation lines
     */
    public static List<String> of(String text, int width, int indent) {
        return of(text, width, indent, false);
    }

    /** Wraps a text; a word wider than the line is broken, if possible after a hyphen or another mark. */
    static List<String> breaking(String text, int width, int indent) {
        return of(text, width, indent, true);
    }

    private static List<String> of(String text, int width, int indent, boolean breaks) {
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
            String rest = word;
            while (breaks && isEmpty && TableParts.width(line + rest) > width && line.length() < width) {
                int end = end(rest, width - line.length());
                lines.add(line + rest.substring(0, end));
                line = new StringBuilder(" ".repeat(indent));
                rest = rest.substring(end);
            }
            line.append(isEmpty ? "" : " ").append(rest);
            isEmpty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    /** The end of the first part of a word, after the last mark that fits. */
    private static int end(String word, int room) {
        int most = word.offsetByCodePoints(0, room);
        for (int end = most; end > 0; end--) {
            if (MARKS.indexOf(word.charAt(end - 1)) >= 0) {
                return end;
            }
        }
        return most;
    }
}
