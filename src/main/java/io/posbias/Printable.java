package io.posbias;

/**
 * Text from outside as people can be shown it: what a terminal obeys or hides is written as an escape such as
 * {@code \\u001b}, and what is long is cut, with its true length. For messages and tables; files hold texts as they are.
 */
public final class Printable {
    /** Code points of a value that a message quotes, before it is cut. */
    static final int VALUE = 80;

    /** Code points of a message; of a longer one the first and the last are kept, as advice comes last. */
    static final int MESSAGE = 1000;

    private static final int LAST = 300;

    private static final int BYTE_ORDER_MARK = 0xFEFF;
    private static final int FIRST_TAG = 0xE0000;
    private static final int LAST_TAG = 0xE007F;

    private Printable() {}

    /** A text in full, on one line: control characters, line breaks, controls of direction and half characters escaped. */
    public static String of(String text) {
        if (text.codePoints().allMatch(Printable::isPlain)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (isPlain(character)) {
                shown.appendCodePoint(character);
            } else {
                shown.append(escape(character));
            }
        });
        return shown.toString();
    }

    /** A value in quotes, cut to {@value #VALUE} code points: {@code "abc…" (100000 characters)}. */
    public static String quoted(String value) {
        int length = length(value);
        return length <= VALUE
                ? '"' + of(value) + '"'
                : '"' + of(first(value, VALUE)) + "…\" (" + length + " characters)";
    }

    /** The same without quotes, for what is no string. */
    public static String cut(String value) {
        int length = length(value);
        return length <= VALUE ? of(value) : of(first(value, VALUE)) + "… (" + length + " characters)";
    }

    /** A message on one line, at most about {@value #MESSAGE} code points: lines are joined by spaces. */
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

    /** Unicode's property Bidi_Control: such a character can show a text in another order than it has. */
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
