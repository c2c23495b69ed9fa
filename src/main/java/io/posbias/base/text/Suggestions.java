package io.posbias.base.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Matching of names and suggestions for unknown ones. */
public final class Suggestions {
    private static final int LISTED = 24;

    /** Up to this many names are listed even if a command lists them. */
    private static final int SHORT = 8;

    private static final int NEAREST = 5;

    /** Minimum length for matching inside names. */
    private static final int SHORTEST_PART = 3;

    private Suggestions() {}

    /** The constant in lower case with hyphens, as in files and messages. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static List<String> words(List<? extends Enum<?>> constants) {
        return constants.stream().map(Suggestions::word).toList();
    }

    /** For example: unknown model "bm52"; did you mean bm25? Known: bm25, bm25-lucene. */
    public static String unknown(String kind, String name, Collection<String> known) {
        String near = nearest(name, known)
                .map(candidate -> "; did you mean " + candidate + "? Known: ")
                .orElse("; known: ");
        return "unknown " + kind + " " + Printable.quoted(name)
                + (known.isEmpty() ? "; none is known" : near + listed(known));
    }

    /** The first names and the number of omitted ones. */
    public static String listed(Collection<String> names) {
        return names.stream().limit(LISTED).map(Printable::cut).collect(Collectors.joining(", "))
                + (names.size() > LISTED ? " and " + (names.size() - LISTED) + " more" : "");
    }

    /**
     * For example: unknown model "bm52"; did you mean bm25? 'posbias models list' lists all 57.
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

    /** Finds a name, case-insensitive if that is unambiguous. */
    public static Optional<String> meant(String name, Collection<String> known) {
        if (known.contains(name)) {
            return Optional.of(name);
        }
        List<String> same = known.stream().filter(name::equalsIgnoreCase).toList();
        return same.size() == 1 ? Optional.of(same.getFirst()) : Optional.empty();
    }

    /** Up to five similar names: those that go on behind a hyphen, else by edit distance, else by prefix, else by substring. */
    public static List<String> near(String name, Collection<String> known) {
        String typed = name.toLowerCase(Locale.ROOT);
        Stream<String> continued = known.stream()
                .filter(candidate -> candidate.toLowerCase(Locale.ROOT).startsWith(typed + "-"));
        Stream<String> edited = known.stream()
                .filter(candidate -> isNear(name, candidate))
                .sorted(Comparator.comparingInt(candidate -> distance(name, candidate)));
        Stream<String> begun = known.stream()
                .filter(candidate -> candidate.toLowerCase(Locale.ROOT).startsWith(typed));
        Stream<String> holding = known.stream()
                .filter(candidate -> typed.length() >= SHORTEST_PART)
                .filter(candidate -> candidate.toLowerCase(Locale.ROOT).contains(typed));
        return Stream.of(continued, edited, begun, holding)
                .map(found -> found.limit(NEAREST).toList())
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** The name with the smallest edit distance, at most a third of the longer name. */
    public static Optional<String> nearest(String name, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(name, candidate))
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)));
    }

    /**
     * A name, and the absent name that it misspells.
     *
     * @param meant one of the known names
     */
    public record Misspelling(String name, String meant) {}

    /** Finds a name that is a known and absent one but for its spelling. */
    public static Optional<Misspelling> misspelling(Collection<String> names, Collection<String> known) {
        return known.containsAll(names)
                ? Optional.empty()
                : names.stream()
                        .filter(name -> !known.contains(name))
                        .flatMap(name -> known.stream()
                                .filter(meant -> !names.contains(meant) && isMisspelt(name, meant))
                                .map(meant -> new Misspelling(name, meant)))
                        .findFirst();
    }

    /** Returns true if a name is a known one but for one letter, its case, hyphens, underscores or spaces. */
    static boolean isMisspelt(String name, String known) {
        int longer = Math.abs(name.length() - known.length());
        String wanted = letters(known);
        return longer <= SHORTEST_PART
                && wanted.length() >= SHORTEST_PART
                && (letters(name).equals(wanted)
                        || (wanted.length() > SHORTEST_PART && longer <= 1 && distance(name, known) <= 1));
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    }

    private static boolean isNear(String name, String candidate) {
        int most = Math.max(name.length(), candidate.length());
        // The lengths alone rule most out: the distance of a name of a megabyte would take minutes.
        return Math.abs(name.length() - candidate.length()) * 3L <= most && distance(name, candidate) * 3 <= most;
    }

    /** Optimal string alignment distance, case-insensitive. */
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
