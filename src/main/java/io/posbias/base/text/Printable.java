package io.posbias.base.text;

import java.util.function.IntPredicate;

/**
 * Escapes and shortens untrusted text for messages and tables: control characters become {@code \\u001b}, long values are cut and followed by their length.
 */
public final class Printable {
    /** Code points of a quoted value. */
    static final int VALUE = 80;

    /** Code points of a message; the start and the end, which has the advice, are kept. */
    static final int MESSAGE = 1000;

    private static final int LAST = 300;

    private static final String LINES = "\r\n\t\u2028\u2029";

    private static final int BYTE_ORDER_MARK = 0xFEFF;
    private static final int FIRST_TAG = 0xE0000;
    private static final int LAST_TAG = 0xE007F;

    private Printable() {}

    /** Escapes control characters, line breaks, bidirectional controls and unpaired surrogates. */
    public static String of(String text) {
        return shown(text, Printable::isPlain);
    }

    /** Escapes a text of several lines like {@link #of}, but for line breaks and tabs. */
    public static String lines(String text) {
        return shown(text, character -> LINES.indexOf(character) >= 0 || isPlain(character));
    }

    /**
     * Escapes raw characters of a JSON document, or of double-quoted texts in YAML, to escapes of the format: the document
     * has the same meaning.
     */
    public static String document(String text) {
        return shown(
                text,
                character -> character == '\n'
                        || character > Character.MAX_VALUE
                        || Character.getType(character) == Character.SURROGATE
                        || isPlain(character));
    }

    private static String shown(String text, IntPredicate isShown) {
        if (text.codePoints().allMatch(isShown)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (isShown.test(character)) {
                shown.appendCodePoint(character);
            } else {
                shown.append(escape(character));
            }
        });
        return shown.toString();
    }

    /** Quotes a value, cut to {@value #VALUE} code points: {@code "abc…" (100000 characters)}. */
    public static String quoted(String value) {
        int length = length(value);
        return length <= VALUE
                ? '"' + of(value) + '"'
                : '"' + of(first(value, VALUE)) + "…\" (" + length + " characters)";
    }

    /** Cuts a value like {@link #quoted} but without quotes. */
    public static String cut(String value) {
        int length = length(value);
        return length <= VALUE ? of(value) : of(first(value, VALUE)) + "… (" + length + " characters)";
    }

    /** Joins lines and cuts the message to about {@value #MESSAGE} code points. */
    public static String line(String message) {
        StringBuilder joined = new StringBuilder();
        message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .forEach(line -> joined.append(joined.isEmpty() ? "" : " ").append(of(line)));
        String line = joined.toString();
        int length = length(line);
        return length <= MESSAGE
                ? line
                : first(line, MESSAGE - LAST) + "… (" + length + " characters) …"
                        + line.substring(line.offsetByCodePoints(line.length(), -LAST));
    }

    /** Returns a text, not escaped, or its beginning with an ellipsis: at most so many code points. */
    public static String begun(String text, int most) {
        return length(text) <= most ? text : first(text, most - 1) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String first(String text, int count) {
        return text.substring(0, text.offsetByCodePoints(0, count));
    }

    private static boolean isPlain(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                false;
            case Character.FORMAT ->
                !isDirection(character)
                        && character != BYTE_ORDER_MARK
                        && (character < FIRST_TAG || character > LAST_TAG);
            default -> true;
        };
    }

    /** Unicode's property Bidi_Control: these characters can reorder the text around them. */
    private static boolean isDirection(int character) {
        return character == 0x061C
                || character == 0x200E
                || character == 0x200F
                || (character >= 0x202A && character <= 0x202E)
                || (character >= 0x2066 && character <= 0x2069);
    }

    private static String escape(int character) {
        return switch (character) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                character > Character.MAX_VALUE
                        ? String.format("\\u{%x}", character)
                        : String.format("\\u%04x", character);
        };
    }
}
