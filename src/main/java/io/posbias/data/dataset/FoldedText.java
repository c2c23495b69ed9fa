package io.posbias.data.dataset;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Text in the form in which answers are compared: one case, one kind of space, quotation mark and hyphen, compatibility forms (ligatures)
 * and accents decomposed; without invisible characters, hyphens between letters, and spaces beside quotation marks.
 *
 * @param starts by UTF-16 unit, the start of its character in the original
 * @param ends by UTF-16 unit, the end of its character in the original
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record FoldedText(String text, int[] starts, int[] ends) {
    private static final int SOFT_HYPHEN = 0xad;
    private static final int ARABIC_STRETCH = 0x640;
    private static final int GRAPHEME_JOINER = 0x34f;

    private static final Map<Integer, String> ALIKE = alike();

    private static Map<Integer, String> alike() {
        Map<Integer, String> alike = new HashMap<>();
        "\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4\u05f3".chars().forEach(quote -> alike.put(quote, "'"));
        "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u05f4".chars().forEach(quote -> alike.put(quote, "\""));
        "\u2010\u2011\u2012\u2013\u2014\u2212".chars().forEach(dash -> alike.put(dash, "-"));
        return Map.copyOf(alike);
    }

    static FoldedText of(String original) {
        Folding folding = new Folding(original);
        while (folding.at < original.length()) {
            folding.next();
        }
        return new FoldedText(
                folding.text.toString(),
                folding.starts.stream().mapToInt(Integer::intValue).toArray(),
                folding.ends.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Returns the places of another text in the original, in order, without overlaps. They begin and end with whole characters. */
    List<Span> places(FoldedText other) {
        String sought = other.text.strip();
        List<Span> places = new ArrayList<>();
        int at = sought.isEmpty() ? -1 : text.indexOf(sought);
        while (at >= 0) {
            int end = at + sought.length();
            boolean isWhole =
                    (at == 0 || starts[at] >= ends[at - 1]) && (end == text.length() || starts[end] >= ends[end - 1]);
            if (isWhole) {
                places.add(new Span(starts[at], ends[end - 1]));
            }
            at = text.indexOf(sought, isWhole ? end : at + 1);
        }
        return places;
    }

    private static final class Folding {
        private final String original;
        private final StringBuilder text = new StringBuilder();
        private final List<Integer> starts = new ArrayList<>();
        private final List<Integer> ends = new ArrayList<>();
        private int at;

        Folding(String original) {
            this.original = original;
        }

        void next() {
            int point = original.codePointAt(at);
            int end = at + Character.charCount(point);
            if (isSpace(point)) {
                if (!text.isEmpty() && !endsWith(' ') && !endsWith('"')) {
                    add(" ", end);
                }
            } else if (point == SOFT_HYPHEN || isDash(point)) {
                int next = at > 0 && isSpace(original.codePointBefore(at)) ? end : afterLineBreak(end);
                if (point != SOFT_HYPHEN && !isBetweenLetters(next)) {
                    add("-", end);
                }
                end = next;
            } else if (!isInvisible(point)) {
                while (end < original.length() && isMark(original.codePointAt(end))) {
                    end += Character.charCount(original.codePointAt(end));
                }
                add(folded(original.substring(at, end), point), end);
            }
            at = end;
        }

        private boolean isBetweenLetters(int next) {
            return at > 0
                    && next < original.length()
                    && isOfWord(original.codePointBefore(at))
                    && isOfWord(original.codePointAt(next));
        }

        /** Returns the end of white space that contains a line break; otherwise the given place. */
        private int afterLineBreak(int from) {
            int to = from;
            boolean breaks = false;
            while (to < original.length() && isSpace(original.codePointAt(to))) {
                breaks |= original.charAt(to) == '\n' || original.charAt(to) == '\r';
                to++;
            }
            return breaks ? to : from;
        }

        private boolean endsWith(char last) {
            return !text.isEmpty() && text.charAt(text.length() - 1) == last;
        }

        private void add(String folded, int end) {
            if (folded.equals("\"") && endsWith(' ')) {
                text.setLength(text.length() - 1);
                starts.removeLast();
                ends.removeLast();
            }
            text.append(folded);
            for (int i = 0; i < folded.length(); i++) {
                starts.add(at);
                ends.add(end);
            }
        }

        private static String folded(String character, int point) {
            String alike = ALIKE.get(point);
            if (alike != null) {
                return alike;
            }
            StringBuilder folded = new StringBuilder();
            Normalizer.normalize(character, Normalizer.Form.NFKD)
                    .toUpperCase(Locale.ROOT)
                    .codePoints()
                    .filter(each -> !isInvisible(each))
                    .map(Character::toLowerCase)
                    .forEach(folded::appendCodePoint);
            return folded.toString();
        }
    }

    private static boolean isDash(int point) {
        return point == '-' || "-".equals(ALIKE.get(point));
    }

    private static boolean isSpace(int point) {
        return Character.isWhitespace(point) || Character.isSpaceChar(point);
    }

    private static boolean isOfWord(int point) {
        return Character.isLetter(point) || isMark(point);
    }

    private static boolean isMark(int point) {
        return switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    /** Format characters, the stretching of Arabic letters, the joiner of graphemes, and variation selectors. */
    private static boolean isInvisible(int point) {
        return Character.getType(point) == Character.FORMAT
                || point == ARABIC_STRETCH
                || point == GRAPHEME_JOINER
                || Character.UnicodeBlock.VARIATION_SELECTORS.equals(Character.UnicodeBlock.of(point));
    }
}
