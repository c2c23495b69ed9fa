package io.posbias;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Unknown names: suggest the nearest, list the rest. */
public final class Suggestions {
    /** Names longer lists are cut to, so that an error stays readable. */
    private static final int LISTED = 24;

    private Suggestions() {}

    /** A constant's name as files and messages have it, in small letters. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The words of some constants. */
    public static List<String> words(List<? extends Enum<?>> constants) {
        return constants.stream().map(Suggestions::word).toList();
    }

    /**
     * "unknown model "bm52"; did you mean bm25? Known: bm25, bm25-lucene".
     *
     * @param kind what the name should name, in the singular
     * @param name what was given
     * @param known all names that would have been accepted, in the order to list them
     */
    public static String unknown(String kind, String name, Collection<String> known) {
        String near = nearest(name, known)
                .map(candidate -> "; did you mean " + candidate + "? Known: ")
                .orElse("; known: ");
        return "unknown " + kind + " " + Printable.quoted(name)
                + (known.isEmpty() ? "; none is known" : near + listed(known));
    }

    /** The first of some names, and how many more there are. */
    static String listed(Collection<String> names) {
        return names.stream().limit(LISTED).map(Printable::cut).collect(Collectors.joining(", "))
                + (names.size() > LISTED ? " and " + (names.size() - LISTED) + " more" : "");
    }

    /** The known name with the smallest edit distance, if that is at most a third of the longer name. */
    static Optional<String> nearest(String name, Collection<String> known) {
        return known.stream()
                // The lengths alone rule most out: the distance of a name of a megabyte would take minutes.
                .filter(candidate -> Math.abs(name.length() - candidate.length()) * 3L
                        <= Math.max(name.length(), candidate.length()))
                .filter(candidate -> distance(name, candidate) * 3 <= Math.max(name.length(), candidate.length()))
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)));
    }

    /** Edits, neighbours swapped counting as one (optimal string alignment), without regard to case. */
    private static int distance(String first, String second) {
        String a = first.toLowerCase(Locale.ROOT);
        String b = second.toLowerCase(Locale.ROOT);
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                edits[i][j] = Math.min(edits[i - 1][j - 1] + change, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[a.length()][b.length()];
    }
}
