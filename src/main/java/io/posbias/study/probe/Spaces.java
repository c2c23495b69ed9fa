package io.posbias.study.probe;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** White space as in Python: Re-DocRED's tokens contain no-break spaces, which Java's methods ignore. */
public final class Spaces {
    private static final Pattern WORD = Pattern.compile("(?U)\\S+");
    private static final Pattern RUN = Pattern.compile("(?U)\\s+");

    /** Possessive, so that inner white space is scanned once. */
    private static final Pattern EDGES = Pattern.compile("(?U)^\\s+|(?<!\\s)\\s++$");

    private Spaces() {}

    public static String strip(String text) {
        if (text.isEmpty() || (isVisible(text.charAt(0)) && isVisible(text.charAt(text.length() - 1)))) {
            return text;
        }
        return EDGES.matcher(text).replaceAll("");
    }

    /** True for printable ASCII except space. */
    private static boolean isVisible(char character) {
        return character > ' ' && character < 0x7F;
    }

    /** The words, separated by single spaces. */
    public static String single(String text) {
        return RUN.matcher(strip(text)).replaceAll(" ");
    }

    public static int words(String text) {
        String single = single(text);
        return single.isEmpty() ? 0 : single.split(" ", -1).length;
    }

    /** The words with a space on both sides, for {@link #holdsAny}. */
    public static String aligned(String text) {
        return " " + single(text) + " ";
    }

    /** Returns true if an {@link #aligned} text contains one of the names as whole words. */
    public static boolean holdsAny(String aligned, List<String> names) {
        return names.stream().anyMatch(name -> aligned.contains(aligned(name)));
    }

    /** Replaces every occurrence of the names as whole words, the longest first. */
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

    /** Number of words of the first name that the words begin with; 0 without one. */
    private static int first(List<List<String>> names, List<String> words) {
        return names.stream()
                .filter(name -> name.size() <= words.size() && name.equals(words.subList(0, name.size())))
                .mapToInt(List::size)
                .findFirst()
                .orElse(0);
    }

    /** {@linkplain #aligned Aligned}, in lower case. */
    public static String folded(String text) {
        return aligned(text).toLowerCase(Locale.ROOT);
    }
}
