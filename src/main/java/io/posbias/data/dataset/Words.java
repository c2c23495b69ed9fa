package io.posbias.data.dataset;

import java.lang.Character.UnicodeScript;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Words of a text with surrounding punctuation and white space, so that the pieces cover the text. */
public final class Words {
    private static final Set<UnicodeScript> UNSPACED =
            Set.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA);

    /** Scripts without spaces whose letters carry signs; the JDK has a dictionary of none. */
    private static final Pattern CLUSTERED = Pattern.compile("[\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}]");

    private static final Pattern THAI = Pattern.compile("\\p{IsThai}");

    private Words() {}

    /**
     * Cuts a text. Text between two words belongs to the first up to its last white space, then to the second;
     * without white space, to the first. Words of scripts without spaces are characters in Chinese and Japanese, characters with
     * their signs in Lao, Khmer and Burmese, and of the JDK's dictionary in Thai.
     *
     * @param language ISO 639-1 code; empty for general rules
     * @return pieces that cover the text; empty for a text without letters or digits
     */
    public static List<Span> cut(String text, String language) {
        List<Span> cores = cores(text, language);
        List<Span> pieces = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < cores.size(); i++) {
            int to = i + 1 == cores.size() ? text.length() : border(text, cores.get(i), cores.get(i + 1));
            pieces.add(new Span(from, to));
            from = to;
        }
        return List.copyOf(pieces);
    }

    private static int border(String text, Span word, Span next) {
        int at = next.start();
        while (at > word.end() && !Character.isWhitespace(text.charAt(at - 1))) {
            at--;
        }
        return at > word.end() ? at : next.start();
    }

    /** Returns the words without punctuation and white space. */
    public static List<Span> cores(String text, String language) {
        List<Span> cores = new ArrayList<>();
        Locale locale = Locale.forLanguageTag(THAI.matcher(text).find() ? "th" : language);
        Sentences.pieces(text, BreakIterator.getWordInstance(locale)).forEach(piece -> {
            String word = piece.of(text);
            if (CLUSTERED.matcher(word).find()) {
                Sentences.pieces(word, BreakIterator.getCharacterInstance(Locale.ROOT))
                        .forEach(
                                part -> addWord(text, piece.start() + part.start(), piece.start() + part.end(), cores));
            } else {
                add(text, piece.start(), piece.end(), cores);
            }
        });
        return cores;
    }

    private static void add(String text, int from, int to, List<Span> cores) {
        int start = from;
        for (int at = from; at < to; ) {
            int point = text.codePointAt(at);
            int next = at + Character.charCount(point);
            if (UNSPACED.contains(UnicodeScript.of(point))) {
                addWord(text, start, at, cores);
                addWord(text, at, next, cores);
                start = next;
            }
            at = next;
        }
        addWord(text, start, to, cores);
    }

    private static void addWord(String text, int from, int to, List<Span> cores) {
        if (text.substring(from, to).codePoints().anyMatch(Character::isLetterOrDigit)) {
            cores.add(new Span(from, to));
        }
    }
}
