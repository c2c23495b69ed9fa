package io.posbias.probe;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** White space as Python sees it: Re-DocRED's tokens hold no-break spaces, which Java's own methods pass over. */
public final class Spaces {
    private static final Pattern WORD = Pattern.compile("(?U)\\S+");
    private static final Pattern RUN = Pattern.compile("(?U)\\s+");

    /** What is no edge is passed over once: a search may begin only where white space begins. */
    private static final Pattern EDGES = Pattern.compile("(?U)^\\s+|(?<!\\s)\\s++$");

    private Spaces() {}

    /** The text without white space at its ends. */
    public static String strip(String text) {
        if (text.isEmpty() || (isVisible(text.charAt(0)) && isVisible(text.charAt(text.length() - 1)))) {
            return text;
        }
        return EDGES.matcher(text).replaceAll("");
    }

    /** Returns true for ASCII characters that are seen; all white space is among the others. */
    private static boolean isVisible(char character) {
        return character > ' ' && character < 0x7F;
    }

    /** The text's words, with one space between them. */
    public static String single(String text) {
        return RUN.matcher(strip(text)).replaceAll(" ");
    }

    /** How many words there are between white space. */
    public static int words(String text) {
        String single = single(text);
        return single.isEmpty() ? 0 : single.split(" ", -1).length;
    }

    /** The text's words with a space on both sides of each, so that {@link #holdsAny} finds whole words only. */
    public static String aligned(String text) {
        return " " + single(text) + " ";
    }

    /** Whether some of the names occur in an {@link #aligned} text as whole words. */
    public static boolean holdsAny(String aligned, List<String> names) {
        return names.stream().anyMatch(name -> aligned.contains(aligned(name)));
    }

    /** The text with another name for every occurrence of some names as whole words, the longest first. */
    public static String replaced(String text, List<String> names, String other) {
        List<List<String>> known = names.stream()
                .map(Spaces::single)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(name -> List.of(name.split(" ", -1)))
                .toList();
        List<MatchResult> places = WORD.matcher(text).results().toList();
        List<String> words = places.stream().map(MatchResult::group).toList();
        StringBuilder replaced = new StringBuilder();
        int done = 0;
        for (int at = 0; at < words.size(); ) {
            int length = first(known, words.subList(at, words.size()));
            if (length > 0) {
                replaced.append(text, done, places.get(at).start()).append(other);
                done = places.get(at + length - 1).end();
            }
            at += Math.max(1, length);
        }
        return replaced.append(text, done, text.length()).toString();
    }

    /** How many words the first name has that some words begin with; 0 without one. */
    private static int first(List<List<String>> names, List<String> words) {
        return names.stream()
                .filter(name -> name.size() <= words.size() && name.equals(words.subList(0, name.size())))
                .mapToInt(List::size)
                .findFirst()
                .orElse(0);
    }

    /** {@link #aligned}, without regard to case. */
    public static String folded(String text) {
        return aligned(text).toLowerCase(Locale.ROOT);
    }
}
