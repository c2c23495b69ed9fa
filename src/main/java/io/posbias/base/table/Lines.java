package io.posbias.base.table;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text wrapped at spaces. */
public final class Lines {
    static final int INDENT = 2;

    private static final String MARKS = "-/:_.";

    /** A command that ends a text. */
    private static final Pattern COMMAND = Pattern.compile("(?<=[:?] )posbias [a-z].*$");

    private Lines() {}

    /**
     * Wraps a text; a word wider than the line has a line to itself, as has a command that ends the text, so that it can be copied.
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
        for (String word : words(text.strip())) {
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

    private static List<String> words(String text) {
        Matcher command = COMMAND.matcher(text);
        if (!command.find()) {
            return List.of(text.split(" ", -1));
        }
        List<String> words =
                new ArrayList<>(List.of(text.substring(0, command.start() - 1).split(" ", -1)));
        words.add(command.group());
        return words;
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
