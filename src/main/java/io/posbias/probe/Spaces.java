package io.posbias.probe;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** White space as Python sees it: Re-DocRED's tokens hold no-break spaces, which Java's own methods pass over. */
public final class Spaces {
    private static final Pattern RUN = Pattern.compile("(?U)\\s+");
    private static final Pattern EDGES = Pattern.compile("(?U)^\\s+|\\s+$");

    private Spaces() {}

    /** The text without white space at its ends. */
    public static String strip(String text) {
        return EDGES.matcher(text).replaceAll("");
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
        String any = names.stream()
                .map(Spaces::single)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(name -> Stream.of(name.split(" ", -1)).map(Pattern::quote).collect(Collectors.joining("\\s+")))
                .collect(Collectors.joining("|"));
        return Pattern.compile("(?U)(?<!\\S)(?:" + any + ")(?!\\S)")
                .matcher(text)
                .replaceAll(Matcher.quoteReplacement(other));
    }

    /** {@link #aligned}, without regard to case. */
    public static String folded(String text) {
        return aligned(text).toLowerCase(Locale.ROOT);
    }
}
