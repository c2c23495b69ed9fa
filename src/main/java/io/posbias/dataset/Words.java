package io.posbias.dataset;

import java.lang.Character.UnicodeScript;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A text cut into words, each with the punctuation and white space around it, so that the pieces make up the text. */
public final class Words {
    /** Written without spaces, and {@link BreakIterator} does not cut inside: every character counts as a word. */
    private static final Set<UnicodeScript> UNSPACED =
            Set.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA);

    private Words() {}

    /**
     * Cuts a text. What is between two words goes to the first one up to its last white space, to the second one from
     * there on; without white space all of it goes to the first.
     *
     * @param language of the text, as an ISO 639-1 code; empty for the rules that suit most languages
     * @return the pieces in order, which cover the text without gaps; empty for a text without a letter or digit
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

    private static List<Span> cores(String text, String language) {
        List<Span> cores = new ArrayList<>();
        Sentences.pieces(text, BreakIterator.getWordInstance(Locale.forLanguageTag(language)))
                .forEach(piece -> add(text, piece.start(), piece.end(), cores));
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
