package io.posbias;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names as users type them: which of the known ones is meant, and for unknown ones the nearest and where the rest is. */
public final class Suggestions {
    /** Names longer lists are cut to, so that an error stays readable. */
    private static final int LISTED = 24;

    /** A list of so many names is printed although a command lists them too. */
    private static final int SHORT = 8;

    /** Most names that are suggested. */
    private static final int NEAREST = 5;

    /** Shorter parts are in too many names to say which is meant. */
    private static final int SHORTEST_PART = 3;

    private Suggestions() {}

    /** A constant's name as files and messages have it: in small letters, with hyphens. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
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

    /**
     * "unknown model "bm52"; did you mean bm25? 'posbias models list' lists all 57"; a short list is printed.
     *
     * @param lister the command that lists all known names
     */
    public static String unknown(String kind, String name, Collection<String> known, String lister) {
        if (known.size() <= SHORT) {
            return unknown(kind, name, known);
        }
        String near = choice(near(name, known))
                .map(names -> "did you mean " + names + "? ")
                .orElse("");
        return "unknown " + kind + " " + Printable.quoted(name) + "; " + near + '\'' + lister + "' lists all "
                + known.size();
    }

    /** "a, b or c"; empty for no names. */
    public static Optional<String> choice(List<String> names) {
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of((String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast())
                        .replaceFirst("^ or ", ""));
    }

    /** The known name that is meant: that very one, else the only one that differs in upper and lower case alone. */
    public static Optional<String> meant(String name, Collection<String> known) {
        if (known.contains(name)) {
            return Optional.of(name);
        }
        List<String> same = known.stream().filter(name::equalsIgnoreCase).toList();
        return same.size() == 1 ? Optional.of(same.getFirst()) : Optional.empty();
    }

    /**
     * The known names that may be meant, five at most: those few edits away, the nearest first; if there are none, those
     * that begin with what was typed, else those that hold it.
     */
    public static List<String> near(String name, Collection<String> known) {
        String typed = name.toLowerCase(Locale.ROOT);
        Stream<String> edited = known.stream()
                .filter(candidate -> isNear(name, candidate))
                .sorted(Comparator.comparingInt(candidate -> distance(name, candidate)));
        Stream<String> begun = known.stream()
                .filter(candidate -> candidate.toLowerCase(Locale.ROOT).startsWith(typed));
        Stream<String> holding = known.stream()
                .filter(candidate -> typed.length() >= SHORTEST_PART)
                .filter(candidate -> candidate.toLowerCase(Locale.ROOT).contains(typed));
        return Stream.of(edited, begun, holding)
                .map(found -> found.limit(NEAREST).toList())
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** The known name with the smallest edit distance, if that is at most a third of the longer name. */
    static Optional<String> nearest(String name, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(name, candidate))
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)));
    }

    private static boolean isNear(String name, String candidate) {
        int most = Math.max(name.length(), candidate.length());
        // The lengths alone rule most out: the distance of a name of a megabyte would take minutes.
        return Math.abs(name.length() - candidate.length()) * 3L <= most && distance(name, candidate) * 3 <= most;
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
