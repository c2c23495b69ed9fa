package io.posbias.base.text;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prose of a Markdown text: without YAML front matter, fenced code (CommonMark 0.31, section 4.5) and tables (rows that begin with
 * a bar, and GitHub's delimiter row with the row above). The other lines stay as they are, with their markup.
 *
 * @param leftOut number of lines that are not prose
 */
public record Markdown(String prose, int leftOut) {
    private static final String FRONT = "---";
    private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}(?=[^`]*$)|~{3,}).*");
    private static final Pattern BARRED = Pattern.compile("\\s*\\|.*");
    private static final Pattern DELIMITERS = Pattern.compile("\\s*:?-+:?\\s*(\\|\\s*:?-+:?\\s*)+");

    public static Markdown of(String text) {
        List<String> lines = text.lines().toList();
        int first = front(lines);
        StringBuilder prose = new StringBuilder();
        int left = first;
        String fence = "";
        for (int i = first; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher opens = FENCE.matcher(line);
            boolean isCode = !fence.isEmpty();
            if (isCode && closes(fence, line)) {
                fence = "";
            } else if (!isCode && opens.matches()) {
                fence = opens.group(1);
                isCode = true;
            }
            if (isCode || isTable(lines, i)) {
                left++;
                // What stands before and after belongs to two paragraphs.
                prose.append('\n');
            } else {
                prose.append(line).append('\n');
            }
        }
        return left == 0 ? new Markdown(text, 0) : new Markdown(prose.toString(), left);
    }

    /** Returns the number of lines of the front matter, with its marks. */
    private static int front(List<String> lines) {
        if (lines.isEmpty() || !lines.getFirst().stripTrailing().equals(FRONT)) {
            return 0;
        }
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).stripTrailing().matches("---|\\.\\.\\.")) {
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean closes(String fence, String line) {
        String mark = line.strip();
        return mark.length() >= fence.length() && mark.chars().allMatch(letter -> letter == fence.charAt(0));
    }

    private static boolean isTable(List<String> lines, int at) {
        String line = lines.get(at);
        boolean isHead = line.contains("|")
                && at + 1 < lines.size()
                && DELIMITERS.matcher(lines.get(at + 1)).matches();
        return isHead || BARRED.matcher(line).matches() || isRow(lines, at);
    }

    /** Returns true for the delimiter row and the rows below it, which have a bar. */
    private static boolean isRow(List<String> lines, int at) {
        int i = at;
        while (i >= 0 && lines.get(i).contains("|")) {
            if (DELIMITERS.matcher(lines.get(i)).matches()) {
                return true;
            }
            i--;
        }
        return false;
    }
}
